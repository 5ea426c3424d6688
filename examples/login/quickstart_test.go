// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The service that the README of the whole project begins with: its code as it stands there, in a program that has nothing else but
// a store in memory and a route /me that does nothing.

import (
	"bufio"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fount/internal/test/require"
)

// quickStartRest is what README.md leaves to its reader. All users have the same hash, the program's argument.
const quickStartRest = `package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"fount"
	"fount/password"
	"fount/password/passwordhttp"
)

type accounts struct {
	mu     sync.Mutex
	hashes map[string]string
}

func (a *accounts) Hash(name string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if hash, ok := a.hashes[name]; ok {
		return hash
	}
	if strings.HasPrefix(name, "user") {
		return os.Args[1]
	}
	return ""
}

func (a *accounts) Replace(_ context.Context, name, old, hash string) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hashes[name] = hash
	return true, nil
}

var (
	store     = &accounts{hashes: map[string]string{}}
	passwords *password.Pool
)

func main() {
	var err error
	if passwords, err = once(); err != nil {
		log.Fatal(err)
	}
	handle()
	http.HandleFunc("GET /me", func(http.ResponseWriter, *http.Request) {})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	log.Fatal(http.Serve(listener, nil))
}

func once() (*password.Pool, error) {
	%s
	return passwords, err
}

func handle() {
	%s
}

%s`

// buildQuickStart returns the name of the program.
func buildQuickStart(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("%v: this test runs the go command", err)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(readme), "\n```go\n")
	shown, _, _ = strings.Cut(shown, "```\n")
	part := regexp.MustCompile(`^// Once: (.*)\n// and (.*)\n(?s:(.*))$`).FindStringSubmatch(shown)
	if part == nil {
		t.Fatalf("README.md begins with\n%s\nwant it to begin with two comments of code, Once: and and", shown)
	}
	dir := t.TempDir()
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"main.go": fmt.Sprintf(quickStartRest, part[1], part[2], part[3]),
		"go.mod":  "module quickstart\n\ngo 1.26.0\n\nrequire fount v0.0.0\n\nreplace fount => " + root + "\n",
		"go.sum":  string(sums),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-o", "quickstart.exe", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOOS=", "GOARCH=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: README.md's first code does not compile:\n%s", err, out)
	}
	return filepath.Join(dir, "quickstart.exe")
}

// startQuickStart starts the program, until the test ends, and returns its URL.
func startQuickStart(t *testing.T, program, hash string) (pid int, url string) {
	t.Helper()
	cmd := exec.Command(program, hash)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
		require.Started(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid, strings.TrimSpace(line)
}

// The service signs in who has the right password, and nobody else.
func TestQuickStart(t *testing.T) {
	const hash = "$2y$05$bMZUeWkSIdSbzSmtr2mNqeid3h0VYNjrcDW3.xmCXDEJJ/uSOcmcy" // of "correct horse battery staple"
	_, service := startQuickStart(t, buildQuickStart(t), hash)
	for _, c := range []struct {
		user, password string
		status         int
	}{
		{"user1", "correct horse battery staple", http.StatusOK},
		{"user1", "guess", wrong},
		{"nobody", "correct horse battery staple", wrong},
	} {
		answer, err := http.PostForm(service+"/login", url.Values{"user": {c.user}, "password": {c.password}})
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		signedIn := len(answer.Cookies()) == 1 && len(answer.Cookies()[0].Value) == 43
		if answer.StatusCode != c.status || signedIn != (c.status == http.StatusOK) {
			t.Errorf("%s, %s: %s, %v; want %d", c.user, c.password, answer.Status, answer.Cookies(), c.status)
		}
	}
}
