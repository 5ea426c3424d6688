// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package main

import (
	"bufio"
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

	"fount/internal/test/require"
)

const asProgram = "FOUNT_TEST_LOGIN"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" { // the process that a test started
		main()
		return
	}
	os.Exit(m.Run())
}

// A process is the service, run by this test's binary until the test ends at the latest.
type process struct {
	*exec.Cmd
	url   string
	ended chan struct{}
}

// launch starts the program on a database and waits until it is ready.
func launch(t *testing.T, database string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{ended: make(chan struct{})}
	p.Cmd = exec.Command(self, "--listen", "127.0.0.1:0", "--database", database, "--policy", "bcrypt,cost=4")
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
		if _, p.url, _ = strings.Cut(lines.Text(), "ready url="); p.url == "" {
			t.Log(lines.Text())
		}
	}
	go func() {
		for lines.Scan() {
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

// post sends the form of somebody whose password is right, again while the pool has no room.
func (p *process) post(path, email string) (status int, err error) {
	for {
		answer, err := http.DefaultTransport.RoundTrip(formRequest(p.url+path, email))
		if err != nil {
			return 0, err
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusServiceUnavailable {
			return answer.StatusCode, nil
		}
	}
}

func formRequest(to, email string) *http.Request {
	form := url.Values{"email": {email}, "password": {right}}.Encode()
	request, err := http.NewRequest("POST", to, strings.NewReader(form))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return request
}

// After kill -9 in the middle of registrations, who was told of an account has it.
func TestKill(t *testing.T) {
	database := filepath.Join(t.TempDir(), "login.db")
	p := launch(t, database)
	told := make(chan string, 1000)
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			for i := range 250 {
				email := fmt.Sprintf("user%d.%d@example.org", client, i)
				if status, _ := p.post("/register", email); status == done {
					told <- email
				}
				if i == 10 && client == 0 {
					p.Process.Kill()
				}
			}
		})
	}
	clients.Wait()
	close(told)
	p = launch(t, database)
	for email := range told {
		if status, err := p.post("/login", email); status != done {
			t.Errorf("%s was told of an account: %d, %v", email, status, err)
		}
	}
}

// A request that had begun when SIGTERM came gets its answer, and what it did stays done. Mails are
// sent too, and others can't read their file. A later connection is refused.
func TestTerm(t *testing.T) {
	database := filepath.Join(t.TempDir(), "login.db")
	p := launch(t, database)
	address := strings.TrimPrefix(p.url, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	// The service reads the form, and says so, when its handler has begun.
	request := formRequest(p.url+"/register", ada)
	fmt.Fprintf(conn, "POST /register HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		address, request.Header.Get("Content-Type"), request.ContentLength)
	in := bufio.NewReader(conn)
	if line, err := in.ReadString('\n'); !strings.Contains(line, "100 Continue") {
		t.Fatal(line, err)
	}
	v := &visitor{T: t, url: p.url, header: http.Header{}}
	v.post(done, "/register", "email", "bob@example.org", "password", right)
	for range 3 {
		v.post(200, "/forgot", "email", "bob@example.org")
	}
	p.Process.Signal(syscall.SIGTERM)
	for err == nil {
		var late net.Conn
		if late, err = net.Dial("tcp", address); err == nil {
			late.Close()
		}
	}
	io.Copy(conn, request.Body)
	in.ReadString('\n') // the empty line after 100 Continue
	answer, err := http.ReadResponse(in, request)
	if err != nil || answer.StatusCode != done {
		t.Errorf("%+v, %v; want %d", answer, err, done)
	}
	<-p.ended
	if !p.ProcessState.Success() {
		t.Error("it ended with", p.ProcessState)
	}
	sent, err := os.ReadFile(database + ".mail")
	if err != nil || strings.Count(string(sent), "To: bob@example.org\n") != 3 {
		t.Errorf("it sent %s, %v; want 3 mails", sent, err)
	}
	private(t, database+".mail")
	if status, err := launch(t, database).post("/login", ada); status != done {
		t.Errorf("who was told of an account: %d, %v", status, err)
	}
}
