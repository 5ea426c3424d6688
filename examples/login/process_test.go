// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
)

const asProgram = "FOUNT_TEST_LOGIN"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// The service as a process is this test's binary, started again.

// A process is a service that runs, at most until the test ends.
type process struct {
	*exec.Cmd
	t      testing.TB
	url    string
	ending chan struct{} // SIGTERM has come
	ended  chan struct{}
}

// launch starts the program and waits until it is ready.
func launch(t testing.TB, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(self, append([]string{"--listen", "127.0.0.1:0"}, args...)...), t: t,
		ending: make(chan struct{}), ended: make(chan struct{})}
	p.Env = append(os.Environ(), asProgram+"=1")
	log, err := p.StderrPipe()
	if err == nil {
		err = p.Start()
		require.Started(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(log)
	for p.url == "" && lines.Scan() {
		if _, p.url, _ = strings.Cut(lines.Text(), "msg=ready url="); p.url == "" {
			t.Log(lines.Text())
		}
	}
	go func() {
		for lines.Scan() {
			if strings.Contains(lines.Text(), `msg="ending:`) {
				close(p.ending)
			}
		}
		p.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.Process.Kill()
		<-p.ended
	})
	if p.url == "" {
		t.Fatal("it did not start")
	}
	return p
}

// end sends a signal and waits until the process has ended.
func (p *process) end(signal syscall.Signal) {
	p.t.Helper()
	if err := p.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	<-p.ended
}

// form is that of somebody whose password is right. It has two fields.
func form(email string) string { return url.Values{"email": {email}, "password": {right}}.Encode() }

// post sends a form over a connection of its own, once the service asks for it: its handler has begun.
func (p *process) post(path string, form io.Reader) (status int, err error) {
	transport := &http.Transport{DisableKeepAlives: true, ExpectContinueTimeout: time.Hour}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequest("POST", p.url+path, form)
	if err != nil {
		return 0, err
	}
	request.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Expect": {"100-continue"}}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.ReadAll(answer.Body)
	return answer.StatusCode, err
}

// signIn returns the status of a sign-in, which it tries again while the pool refuses it.
func (p *process) signIn(email string) int {
	p.t.Helper()
	for {
		status, err := p.post("/login", strings.NewReader(form(email)))
		if err != nil {
			p.t.Fatal(err)
		}
		if status != http.StatusServiceUnavailable {
			return status
		}
	}
}

// After kill -9 in the middle of registrations, who was told of an account has it.
func TestKill(t *testing.T) {
	database := filepath.Join(t.TempDir(), "login.db")
	args := []string{"--database", database, "--policy", "bcrypt,cost=4"}
	p := launch(t, args...)
	var mu sync.Mutex
	var told []string
	enough := make(chan struct{})
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			for i := 0; ; i++ {
				email := fmt.Sprintf("user%d.%d@example.org", client, i)
				status, err := p.post("/register", strings.NewReader(form(email)))
				if err != nil {
					return // it was killed
				}
				if status == done {
					mu.Lock()
					if told = append(told, email); len(told) == 20 {
						close(enough)
					}
					mu.Unlock()
				}
			}
		})
	}
	<-enough
	p.end(syscall.SIGKILL)
	clients.Wait()
	p = launch(t, args...)
	for _, email := range told {
		if status := p.signIn(email); status != done {
			t.Errorf("%s was told of an account: %d", email, status)
		}
	}
}

// A gate is a part of a form that comes when rest is closed. It is empty.
type gate struct{ begun, rest chan struct{} }

func (g gate) Read([]byte) (int, error) { g.begun <- struct{}{}; <-g.rest; return 0, io.EOF }

// SIGTERM while requests have begun, and half of each form is there: all have their answers, a connection made later is refused,
// and who was not told of an account has none.
func TestTerm(t *testing.T) {
	const clients = 16
	args := []string{"--database", filepath.Join(t.TempDir(), "login.db"), "--policy", "bcrypt,cost=4"}
	p := launch(t, args...)
	user := func(i int) string { return fmt.Sprintf("user%d@example.org", i) }
	half := gate{make(chan struct{}, clients), make(chan struct{})}
	var status [clients]int
	var errs [clients]error
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			first, second, _ := strings.Cut(form(user(i)), "&")
			status[i], errs[i] = p.post("/register", io.MultiReader(strings.NewReader(first+"&"), half, strings.NewReader(second)))
		})
	}
	for range clients {
		<-half.begun
	}
	p.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ending:
	case <-p.ended: // and every client says so
	}
	for p.listens() {
	}
	close(half.rest)
	all.Wait()
	<-p.ended
	if !p.ProcessState.Success() {
		t.Error("it ended with", p.ProcessState)
	}
	next := launch(t, args...)
	told := 0
	for i := range clients {
		want := wrong
		switch {
		case errs[i] != nil:
			t.Errorf("client %d got no answer: %v", i, errs[i])
		case status[i] == done:
			want, told = done, told+1
		}
		if got := next.signIn(user(i)); got != want {
			t.Errorf("client %d got %d, %v, and then %d; want %d", i, status[i], errs[i], got, want)
		}
	}
	if told == 0 {
		t.Error("nobody was told of an account")
	}
}

// Mails that were asked for before SIGTERM are sent after it: the store is there until the last. And they are for their user alone.
func TestMailsAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	p := launch(t, "--database", filepath.Join(dir, "login.db"), "--outbox", filepath.Join(dir, "login.mail"), "--policy", "bcrypt,cost=4")
	v := &visitor{T: t, url: p.url, header: http.Header{}}
	v.register()
	for range 3 {
		v.post(200, "/forgot", "email", ada)
	}
	p.end(syscall.SIGTERM)
	sent, err := os.ReadFile(filepath.Join(dir, "login.mail"))
	if !p.ProcessState.Success() || err != nil || strings.Count(string(sent), "To: "+ada+"\n") != 3 {
		t.Errorf("it ended with %v, and sent %s, %v; want 3 mails", p.ProcessState, sent, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "login.mail")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want 0600", info.Mode(), err)
	}
}

// listens reports whether it takes connections.
func (p *process) listens() bool {
	c, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err == nil {
		c.Close()
	}
	return err == nil
}

// What is wrong is refused before anything is made, in a line that says what would be right.
func TestArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args   string // fields
		status int
		says   string
	}{
		{"-h", 0, "login.db"},
		{"--bogus", 2, "-bogus"},
		{"serve", 2, `["serve"]; want none, or import`},
		{"import", 2, `["import"]; want none, or import and the name of one file`},
		{"import a b", 2, "want none, or import and the name of one file"},
		{"import none.csv", 1, "none.csv"},
		{"--policy md5", 2, `"md5" is not a policy`},
		{"--policy bcrypt,cost=2", 1, "want a cost from 4 to 31"},
		{"--proxy 10.0.0.1", 2, "-proxy"},
		{"--url login.example.org", 2, "want one that begins with https://"},
		{"--url https://login.example.org/?a=b", 2, "want one that begins with https://"},
		{"--listen :8080", 1, "mails go to a file on loopback only"},
		{"--listen 192.0.2.1:8080", 1, "mails go to a file on loopback only"},
		{"--smtp mail.example.org", 1, "want a host and a port"},
		{"--smtp mail.example.org:25", 1, "--from"},
		{"--database none/login.db", 1, "none/login.db"},
	} {
		var stdout, stderr strings.Builder
		ended, cancel := context.WithCancel(t.Context())
		cancel() // what starts after all ends at once
		status := run(ended, strings.Fields(c.args), &stdout, &stderr)
		if text := stderr.String(); status != c.status || !strings.Contains(text, c.says) || strings.Contains(text, "login: login:") {
			t.Errorf("%q: %d: %s\nwant %d: %s", c.args, status, text, c.status, c.says)
		}
	}
	if made, err := os.ReadDir("."); err != nil || len(made) != 0 {
		t.Errorf("it made %v, %v", made, err)
	}
	if err := os.WriteFile("text", []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	if status := run(t.Context(), []string{"--database", "text"}, &stdout, &stderr); status != 1 || !strings.Contains(stderr.String(), "file is not a database") {
		t.Errorf("%d: %s", status, &stderr)
	}
}
