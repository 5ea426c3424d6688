// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// The programs that docs/fountd.md shows, run by their languages against fountd.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/password"
	"fount/remote"
)

// patiently waits for at most a minute, and then shows what it saw last.
func patiently(t *testing.T, what string, is func() (saw string, ok bool)) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		saw, ok := is()
		switch {
		case ok:
			return
		case time.Now().After(end):
			t.Fatalf("a minute, and not yet: %s; but:\n%s", what, saw)
		}
	}
}

// A language runs a program of docs/fountd.md.
type language struct {
	name, block, file string
	command           []string // before the file
	has               []string // a command that succeeds where its HTTP client is there
}

func languages() []language {
	python, php := os.Getenv("FOUNT_PYTHON"), "exit(function_exists('curl_init') ? 0 : 1);"
	if python == "" {
		python = "python3"
	}
	return []language{
		{"curl", "bash", "verify.sh", []string{"bash"}, []string{"bash", "-c", "curl --help all | grep -e --json"}},
		{"Python", "python", "verify.py", []string{python}, []string{python, "-c", "import httpx"}},
		{"Node", "js", "verify.mjs", []string{"node"}, []string{"node", "-e", "require('undici')"}},
		{"PHP", "php", "verify.php", []string{"php"}, []string{"php", "-r", php}},
		{"Go", "go", "verify.go", []string{"go", "run"}, []string{"go", "version"}},
	}
}

// program writes the program that the page shows, for another socket, and returns how to run it: in
// dir, where Node looks for its modules beside it. A Go program is built.
func (l language) program(t *testing.T, dir, socket string) []string {
	t.Helper()
	path := filepath.Join(dir, l.file)
	text := strings.Replace(block(t, l.block, "/run/fountd/fountd.sock"), "/run/fountd/fountd.sock", socket, 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
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

// there reports whether the language and its HTTP client are there.
func (l language) there(dir string) bool {
	cmd := exec.Command(l.has[0], l.has[1:]...)
	cmd.Dir = dir
	return cmd.Run() == nil
}

// Each language verifies a password, and gets a new hash by the server's policy.
func TestLanguages(t *testing.T) {
	upgraded := regexp.MustCompile(`(?i)true.*(\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/$]+)`)
	f := start(t, nil, "--policy", "argon2id,m=19456,t=2,p=1", "--max-wait", "1m")
	busy := start(t, nil, "--policy", "bcrypt,cost=4", "--max-wait", "1ms", "--workers", "1")
	keepBusy(t, busy.remote())
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
			if !l.there(dir) {
				word := "languages"
				if l.name == "Node" { // undici comes from a registry of its own
					word = "node"
				}
				require.Skip(t, word, fmt.Sprintf("%q fails", l.has))
			}
			run := l.program(t, dir, f.socket)
			patiently(t, "a match with a new hash", func() (string, bool) {
				out, err := command(run).CombinedOutput()
				hash := upgraded.FindStringSubmatch(string(out))
				if err != nil || hash == nil {
					return fmt.Sprintf("%v: %s", err, out), false
				}
				if _, err := f.remote().Verify(t.Context(), password.Login{}, []byte("correct horse battery staple"), hash[1]); err != nil {
					t.Errorf("the new hash %s: %v", hash[1], err)
				}
				return "", true
			})
			run = l.program(t, dir, busy.socket)
			patiently(t, "a refusal that says how long to wait", func() (string, bool) {
				out, err := command(run).CombinedOutput()
				return fmt.Sprintf("%v: %s", err, out), err == nil && regexp.MustCompile(`overloaded: try again in [0-9]`).Match(out)
			})
		})
	}
}

func command(run []string) *exec.Cmd { return exec.Command(run[0], run[1:]...) }

// keepBusy has fountd's only worker hash until the end of the test.
func keepBusy(t *testing.T, c *remote.HTTPClient) {
	const slow = "$2b$15$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a" // takes 2 s
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_, err := c.Verify(ctx, password.Login{Principal: "busy"}, []byte("a"), slow)
			switch {
			case ctx.Err() != nil, errors.Is(err, password.ErrMismatch):
			case errors.As(err, new(password.OverloadedError)): // another had the worker
				time.Sleep(time.Millisecond)
			default:
				t.Errorf("%v; want ErrMismatch", err)
				return
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
}

// The page's client asks the page's fleet.
func TestFleetClient(t *testing.T) {
	if !require.Names("languages") {
		t.Skip("set FOUNT_REQUIRE=languages: to build a program takes seconds")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fleet.pub"), []byte(fleetKey(t, "new", filepath.Join(dir, "fleet.key"))), 0o600); err != nil {
		t.Fatal(err)
	}
	broker := newBroker(t, "").url()
	start(t, nil, "--nats", broker, "--nats-key", filepath.Join(dir, "fleet.key"), "--max-wait", "1m")
	path := filepath.Join(dir, "client.go")
	if err := os.WriteFile(path, []byte(strings.Replace(block(t, "go", `"nats://127.0.0.1:4222"`), "nats://127.0.0.1:4222", broker, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	binary := build(t, path)
	patiently(t, "the fleet answers", func() (string, bool) { // the page gives it a second
		cmd := exec.Command(binary)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return fmt.Sprintf("%v: %s", err, out), err == nil && string(out) == "true\n"
	})
}
