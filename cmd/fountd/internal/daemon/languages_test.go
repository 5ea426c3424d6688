// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// The files of clients/ and the programs of docs/fountd.md, run by them against fountd.

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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

const (
	docs    = "../../../../docs/"
	clients = "../../../../clients/"
)

// A language runs a program of testdata/ with files of clients/, or a block of docs/fountd.md. The
// program gets a password, a stored hash and an address; without "$@" it has the page's own. It
// prints true and new hashes if the password matches, that it is invalid, or when to try again; at a defect it fails.
type language struct {
	name, word string // run if FOUNT_REQUIRE has the word, or it is "languages" and the libraries are there
	has        string // a command of bash that succeeds where the libraries are there
	files      string
	run        string // a command of bash
}

var languages = []language{
	{"curl", "languages", `curl --help all | grep -e --json`, "verify.sh", `bash verify.sh`},
	{"Go", "go", `go version`, "verify.go", `./verify`},
	{"Python", "languages", `$python -c "import httpx"`, "fountd.py login.py", `$python login.py "$@"`},
	{"Flask", "languages", `$python -c "import flask, httpx"`, "fountd.py app.py flask_login.py",
		`$python flask_login.py "$@"`},
	{"Django", "languages", `$python -c "import django"`, "fountd_django.py django_login.py", `$python django_login.py`},
	{"Node", "node", `node -e "require('undici')"`, "fountd.mjs login.mjs", `node login.mjs "$@"`},
	{"PHP", "languages", `php -r "exit(+!function_exists('curl_init'));"`, "fountd.php login.php", `php login.php "$@"`},
	{"Laravel", "laravel", `php -r "require 'Illuminate/autoload.php';"`,
		"fountd.php FountdHasher.php laravel_login.php", `php laravel_login.php "$@"`},
	{"Spring", "maven", `javac -version && ls "$FOUNT_JARS"/spring-security-crypto-*`,
		"FountdPasswordEncoder.java Login.java",
		`test -e Login.class || javac -cp "$FOUNT_JARS/*" *.java && java -cp "$FOUNT_JARS/*:." Login "$@"`},
	{"Devise", "devise", `ruby -e "%w[devise active_record/railtie sqlite3 rack/test].each { require _1 }"`,
		"fountd_devise.rb devise_login.rb", `ruby -W0 devise_login.rb "$@"`},
}

// The blocks of docs/fountd.md, by the files that they become: their language, and words of them.
var blocks = map[string][2]string{
	"verify.sh": {"bash", "/run/fountd/fountd.sock"},
	"verify.go": {"go", "/run/fountd/fountd.sock"},
	"app.py":    {"python", "import fountd"},
}

// file returns a file of a language.
func file(t *testing.T, name string, at address) string {
	t.Helper()
	if b, ok := blocks[name]; ok {
		return strings.ReplaceAll(block(t, b[0], b[1]), "/run/fountd/fountd.sock", at.socket)
	}
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		return string(text)
	}

	found, _ := filepath.Glob(clients + "*/" + name)
	if len(found) != 1 {
		t.Skipf("%d files %s in clients/", len(found), name)
	}
	text, err = os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block is the one block of docs/fountd.md in a language that has the words, once.
func block(t *testing.T, language, words string) string {
	t.Helper()
	page, err := os.ReadFile(docs + "fountd.md")
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

// An address is where a program finds a server: a socket, and a port of loopback.
type address struct{ socket, url string }

// install lays the program into a directory, and returns a function that runs it.
func (l language) install(t *testing.T) func(at address, args ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	if modules := os.Getenv("FOUNT_NODE_MODULES"); modules != "" && l.name == "Node" {
		if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	bash := func(script string, at address, args ...string) (string, error) {
		cmd := exec.Command("bash", append([]string{"-c", "python=${FOUNT_PYTHON:-python3}; " + script, "bash"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "FOUNTD_SOCKET="+at.socket, "FOUNTD_URL="+at.url)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := bash(l.has, address{}); err != nil {
		require.Skip(t, l.word, fmt.Sprintf("%s: %v\n%s", l.has, err, out))
	}
	return func(at address, args ...string) (string, error) {
		for name := range strings.FieldsSeq(l.files) {
			path := filepath.Join(dir, name)
			write(t, path, file(t, name, at))
			if filepath.Ext(name) == ".go" {
				build(t, path)
			}
		}
		return bash(l.run, at, args...)
	}
}

// unavailable answers as what the password names, or else as an overloaded fountd.
func unavailable(t *testing.T, principal string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		call, err := api.DecodeRequest(r.URL.Path, body)
		if err != nil || call.Principal != principal || call.Deadline == 0 {
			t.Errorf("%s: %+v, %v; want a deadline and the principal %s", r.URL.Path, call, err, principal)
		}
		switch string(call.Password) {
		case "balancer":
			http.Error(w, "<html>No server is available.</html>", http.StatusServiceUnavailable)
		case "limiter":
			w.Header().Set("Retry-After", "7")
			http.Error(w, "", http.StatusTooManyRequests)
		default:
			p := api.NewProblem(api.ReasonDeadline, "overloaded; try again later", 1500*time.Millisecond)
			w.Header().Set("Content-Type", api.MediaTypeProblem)
			w.Header().Set("Retry-After", fmt.Sprint(p.RetryAfterSeconds()))
			w.WriteHeader(p.Status)
			w.Write(p.JSON())
		}
	}
}

// stranger answers as others do where fountd is expected, as the password names.
func stranger(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	call, _ := api.DecodeRequest(r.URL.Path, body)
	w.Header().Set("Content-Type", api.MediaType)
	switch string(call.Password) {
	case "page":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html>It works.</html>")
	case "empty":
		io.WriteString(w, "{}")
	case "text":
		io.WriteString(w, `{"match":"true","hash":"x"}`)
	case "echo":
		w.WriteHeader(http.StatusBadRequest)
		w.Write(body)
	case "validator":
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprintf(w, `{"detail":[{"type":"missing","input":%s}]}`, body)
	}
}

// listen serves on a socket and a port.
func listen(t *testing.T, h http.Handler) address {
	t.Helper()
	at := address{socket: filepath.Join(socketdir.New(t), "s.sock")}
	l, err := net.Listen("unix", at.socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go http.Serve(l, h)
	tcp := httptest.NewServer(h)
	t.Cleanup(tcp.Close)
	at.url = tcp.URL
	return at
}

// Each language verifies a password, gets a new hash by the server's policy, and tells what is the
// user's mistake and what the program's from a server that can't answer now.
func TestLanguages(t *testing.T) {
	const right, principal = "correct horse battery staple", "192.0.2.1"
	const stored = "$2b$10$xPdJfNz5DFgwalm28vVjB.3uKsiWHDMC67zMLcA840LzZQIx1YAg6" // of right
	settings := []string{"--policy", "argon2id,m=19456,t=2,p=1", "--max-wait", "1m"}
	f := start(t, nil, append(settings, "--listen", "127.0.0.1:0")...)
	_, after, _ := strings.Cut(f.logged(), "address=tcp:")
	port, _, _ := strings.Cut(after, "\n")
	fountd, full := address{f.socket, "http://" + port}, listen(t, unavailable(t, principal))
	others := listen(t, http.HandlerFunc(stranger))
	absent := address{filepath.Join(t.TempDir(), "none.sock"), "http://127.0.0.1:1"}
	ca := newAuthority(t, "ca")
	cert, key := ca.issue("server")
	authorities := filepath.Join(ca.dir, "ca.pem")
	_, tlsPort := startTLS(t, "127.0.0.1:0", cert, key, authorities, settings...)
	t.Setenv("FOUNTD_TLS", fmt.Sprintf(`{"LOCATION": ["https://127.0.0.1:1", "https://127.0.0.1:%s"],
		"CA": %q, "CERTIFICATE": %q, "KEY": %q}`, tlsPort, authorities, cert, key))
	hashes := regexp.MustCompile(`\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/$]+`)
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			if l.word != "languages" && !require.Names(l.word) {
				t.Skipf("set FOUNT_REQUIRE=%s to run it", l.word)
			}
			run := l.install(t)
			want := func(at address, password, want string) {
				t.Helper()
				if out, err := run(at, password, stored, principal); err != nil || !regexp.MustCompile(want).MatchString(out) {
					t.Errorf("%.20q: %v\n%s\nwant %s", password, err, out, want)
				}
			}
			var out string
			var err error
			defer func() { t.Logf("%v\n%s", err, out) }()
			eventually(t, "a match with a new hash", func() bool {
				out, err = run(fountd, right, stored, principal)
				made := hashes.FindAllString(out, -1)
				if err != nil || !strings.Contains(strings.ToLower(out), "true") || made == nil {
					return false
				}
				for _, hash := range made {
					if _, err := f.remote().Verify(t.Context(), password.Login{}, []byte(right), hash); err != nil {
						t.Errorf("the new hash %s: %v", hash, err)
					}
				}
				return true
			})
			want(full, right, `try again in [12]`)
			want(absent, right, `try again in 1`)
			if !strings.Contains(l.run, `"$@"`) {
				return
			}
			want(full, "balancer", `try again in 1 s`)
			want(full, "limiter", `try again in 7 s`)
			for _, bytes := range []int{1025, 40_000} {
				want(fountd, strings.Repeat("x", bytes), `(?m)^invalid`)
			}
			if out, err := run(fountd, right, "no hash", principal); err == nil || strings.Contains(out, "try again in") {
				t.Errorf("%v\n%s\nwant a failure, as the stored hash is none", err, out)
			}
			for _, password := range []string{"page", "empty", "text", "echo", "validator"} {
				out, err := run(others, password, stored, principal)
				secret := base64.StdEncoding.EncodeToString([]byte(password))
				match, _, _ := strings.Cut(strings.ToLower(out), "\n")
				if err == nil && (password != "text" || strings.Contains(match, "true")) ||
					strings.Contains(out, secret) || strings.Contains(out, "try again in") {
					t.Errorf("%s: %v\n%s\nwant a failure without the password, as the server is not fountd", password, err, out)
				}
			}
			t.Setenv("http_proxy", full.url)
			want(address{absent.socket, "http://192.0.2.1:1"}, "limiter", `try again in 1 s`) // the proxy says 7
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
