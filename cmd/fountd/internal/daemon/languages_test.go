// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// The programs that docs/fountd.md shows, run by their languages against fountd.

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
	"fount/remote/api"
)

// A language runs a program of docs/fountd.md.
type language struct {
	name, word  string // word: of FOUNT_REQUIRE
	block, file string // none: the command takes the socket
	command     []string
	has         []string // a command that succeeds where its HTTP client is there
}

func languages() []language {
	python, php := cmp.Or(os.Getenv("FOUNT_PYTHON"), "python3"), "exit(function_exists('curl_init') ? 0 : 1);"
	return []language{
		{"curl", "languages", "bash", "verify.sh", []string{"bash"},
			[]string{"bash", "-c", "curl --help all | grep -e --json"}},
		{"Python", "languages", "python", "verify.py", []string{python}, []string{python, "-c", "import httpx"}},
		{"Django", "django", "", "", []string{python, "testdata/django_login.py"}, []string{python, "-c", "import django"}},
		{"Node", "node", "js", "verify.mjs", []string{"node"}, []string{"node", "-e", "require('undici')"}}, // of a registry of its own
		{"PHP", "languages", "php", "verify.php", []string{"php"}, []string{"php", "-r", php}},
		{"Go", "languages", "go", "verify.go", []string{"go", "run"}, []string{"go", "version"}},
	}
}

// program writes the page's program, for another socket, and returns how to run it.
func (l language) program(t *testing.T, dir, socket string) []string {
	t.Helper()
	if l.block == "" {
		return append(l.command, socket)
	}
	path := filepath.Join(dir, l.file)
	text := strings.Replace(block(t, l.block, "/run/fountd/fountd.sock"), "/run/fountd/fountd.sock", socket, 1)
	write(t, path, text)
	if l.name != "Go" {
		return append(l.command, path)
	}
	return []string{build(t, path)}
}

// block is the one block of docs/fountd.md in a language that has the words, once.
func block(t *testing.T, language, words string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "fountd.md"))
	if err != nil {
		t.Skip(err)
	}
	var found []string
	for _, b := range regexp.MustCompile("(?s)\n```"+language+"\n(.*?)\n```\n").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(b[1], words) {
			found = append(found, b[1])
		}
	}
	if len(found) != 1 || strings.Count(found[0], words) != 1 {
		t.Fatalf("docs/fountd.md has %d blocks of %s with %s; want one, which has it once", len(found), language, words)
	}
	return found[0]
}

// build builds a Go program.
func build(t *testing.T, path string) (binary string) {
	t.Helper()
	binary = strings.TrimSuffix(path, ".go")
	if out, err := exec.Command("go", "build", "-o", binary, path).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// Each language verifies a password, and gets a new hash by the server's policy.
func TestLanguages(t *testing.T) {
	upgraded := regexp.MustCompile(`(?i)true.*(\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/$]+)`)
	f := start(t, nil, "--policy", "argon2id,m=19456,t=2,p=1", "--max-wait", "1m")
	full := filepath.Join(socketdir.New(t), "full.sock")
	l, err := net.Listen("unix", full)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p := api.NewProblem(api.ReasonDeadline, "overloaded; try again later", 1500*time.Millisecond)
		w.Header().Set("Content-Type", api.MediaTypeProblem)
		w.Header().Set("Retry-After", fmt.Sprint(p.RetryAfterSeconds()))
		w.WriteHeader(p.Status)
		w.Write(p.JSON())
	}))
	for _, l := range languages() {
		t.Run(l.name, func(t *testing.T) {
			dir := t.TempDir()
			if modules := os.Getenv("FOUNT_NODE_MODULES"); modules != "" && l.name == "Node" {
				if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
					t.Fatal(err)
				}
			}
			if l.name == "Go" && !require.Names("languages") {
				t.Skip("set FOUNT_REQUIRE=languages: to build a program takes seconds")
			}
			probe := exec.Command(l.has[0], l.has[1:]...)
			probe.Dir = dir
			if probe.Run() != nil {
				require.Skip(t, l.word, fmt.Sprintf("%q fails", l.has))
			}
			var out []byte
			var err error
			defer func() { t.Logf("%v\n%s", err, out) }()
			run := func(program []string) { out, err = exec.Command(program[0], program[1:]...).CombinedOutput() }
			program := l.program(t, dir, f.socket)
			eventually(t, "a match with a new hash", func() bool {
				run(program)
				hash := upgraded.FindStringSubmatch(string(out))
				if err != nil || hash == nil {
					return false
				}
				if _, err := f.remote().Verify(t.Context(), password.Login{}, []byte("correct horse battery staple"), hash[1]); err != nil {
					t.Errorf("the new hash %s: %v", hash[1], err)
				}
				return true
			})
			run(l.program(t, dir, full))
			if err != nil || !regexp.MustCompile(`overloaded: try again in [12]`).Match(out) {
				t.Error("no refusal that says how long to wait")
			}
		})
	}
}

// The page's client asks the page's fleet.
func TestFleetClient(t *testing.T) {
	if !require.Names("languages") {
		t.Skip("set FOUNT_REQUIRE=languages: to build a program takes seconds")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "fleet.pub"), fleetKey(t, "new", filepath.Join(dir, "fleet.key")))
	broker := newBroker(t, "").url()
	start(t, nil, "--nats", broker, "--nats-key", filepath.Join(dir, "fleet.key"), "--max-wait", "1m")
	path := filepath.Join(dir, "client.go")
	write(t, path, strings.Replace(block(t, "go", `"nats://127.0.0.1:4222"`), "nats://127.0.0.1:4222", broker, 1))
	binary := build(t, path)
	eventually(t, "the fleet answers", func() bool { // the page gives it a second
		cmd := exec.Command(binary)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return err == nil && string(out) == "true\n"
	})
}
