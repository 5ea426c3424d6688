// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

// A service that is looked at: this program in a process of its own.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"fount/examples/login/internal/store"
	"fount/internal/policytext"
	"fount/password"
)

const (
	users        = 50 // who sign in
	given        = "correct horse battery staple"
	patience     = time.Second // of a client who signs in
	perProcessor = 100         // hashes at once of the rival: more than it can finish while clients wait
)

// processors is how many a service has: half of the machine's.
func processors() int { return max(1, runtime.NumCPU()/2) }

// limit is how many hashes the rival may have at once.
func limit() int { return perProcessor * processors() }

func email(user int) string { return fmt.Sprintf("user%d@example.org", user%users) }

// A service is one of the two processes.
type service struct {
	cmd    *exec.Cmd
	way    string
	url    string
	ended  chan struct{} // closed, with the process; then err says why
	err    error
	client *http.Client
	others *http.Client // those who are signed in have no end of patience
	cookie *http.Cookie // of a session
	tally  tally
	used   time.Duration // of processors, up to the last sample
}

// launch starts a service with half of the processors, users and a session.
func launch(ctx context.Context, dir, way string, policy password.Policy) (*service, error) {
	database := filepath.Join(dir, way+".db")
	if err := seed(ctx, database, policy); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &service{way: way, ended: make(chan struct{})}
	s.cmd = exec.CommandContext(ctx, self, "--listen", "127.0.0.1:0", "--database", database, "--proxy", "127.0.0.1/32",
		"--policy", policytext.Of(policy), "--hash", way, "--limit", strconv.Itoa(limit()))
	dieWithUs(s.cmd)
	s.cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(processors()))
	log, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines, last := bufio.NewScanner(log), ""
	for s.url == "" && lines.Scan() {
		last = lines.Text()
		_, s.url, _ = strings.Cut(last, "msg=ready url=")
	}
	go func() {
		io.Copy(io.Discard, log)
		s.err = fmt.Errorf("live: the service with --hash %s has ended: %v", way, s.cmd.Wait())
		close(s.ended)
	}()
	if s.url == "" {
		s.end()
		return nil, fmt.Errorf("live: a service did not start: %s", last)
	}
	s.client = &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	s.others = &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{}}
	if err := s.signIn(ctx); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// seed stores users who have one hash, so that it takes no time.
func seed(ctx context.Context, database string, policy password.Policy) (err error) {
	hash, err := password.Hash(policy, []byte(given))
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all := make([]store.User, users)
	for i := range all {
		all[i] = store.User{Email: email(i), Hash: hash}
	}
	return db.Import(ctx, all)
}

// signIn begins the session of ordinary requests. The first try may be late, while much else starts.
func (s *service) signIn(ctx context.Context) error {
	for range 10 {
		if s.login(ctx, 0); s.cookie != nil {
			return nil
		}
	}
	return fmt.Errorf("live: nobody can sign in to the service with --hash %s", s.way)
}

// end kills the process and waits for its end.
func (s *service) end() {
	s.cmd.Process.Kill()
	<-s.ended
}

// login signs a user in, from an address of their own, and returns the status; 0 if there was no answer in time.
func (s *service) login(ctx context.Context, user int) (status int) {
	form := url.Values{"email": {email(user)}, "password": {given}}.Encode()
	request, err := http.NewRequestWithContext(ctx, "POST", s.url+"/login", strings.NewReader(form))
	if err != nil {
		return 0
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", user%users))
	answer, err := s.client.Do(request)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0
	}
	if cookies := answer.Cookies(); s.cookie == nil && len(cookies) > 0 { // in signIn, before there is any load
		s.cookie = cookies[0]
	}
	return answer.StatusCode
}

// me does what a user does who is signed in, and reports whether it was done.
func (s *service) me(ctx context.Context) (ok bool) {
	request, err := http.NewRequestWithContext(ctx, "GET", s.url+"/me", nil)
	if err != nil {
		return false
	}
	request.AddCookie(s.cookie)
	answer, err := s.others.Do(request)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err == nil && answer.StatusCode == http.StatusOK
}

// cpu returns the processor time that the process has used, where the system says it as Linux does.
func (s *service) cpu() (used time.Duration, known bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, false
	}
	_, after, _ := strings.Cut(string(stat), ") ") // proc(5): the fields from the third on
	field := strings.Fields(after)
	if len(field) < 13 {
		return 0, false
	}
	user, userErr := strconv.Atoi(field[11])
	system, systemErr := strconv.Atoi(field[12])
	if errors.Join(userErr, systemErr) != nil {
		return 0, false
	}
	return time.Duration(user+system) * (time.Second / 100), true // USER_HZ, which is 100 wherever Go runs
}
