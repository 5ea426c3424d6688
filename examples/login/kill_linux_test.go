// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// After kill -9 of PostgreSQL in the middle of registrations, who was told of an account has it, and the service, which goes on, answers again
// as soon as PostgreSQL does. The control: a PostgreSQL that acknowledges what it has not yet written loses some.
func TestKillPostgres(t *testing.T) {
	t.Run("as it is", func(t *testing.T) {
		if lost := killPostgres(t); len(lost) > 0 {
			t.Errorf("these were told of an account that is lost: %v", lost)
		}
	})
	t.Run("that acknowledges early", func(t *testing.T) {
		if lost := killPostgres(t, "synchronous_commit=off", "wal_writer_delay=10s"); len(lost) == 0 {
			t.Error("it lost nothing, so this test would find nothing")
		}
	})
}

// killPostgres returns the users who were told of an account and have none.
func killPostgres(t *testing.T, settings ...string) (lost []string) {
	database := cluster(t)
	database.Start(settings...)
	p := launch(t, "--database", database.URL, "--policy", "bcrypt,cost=4")
	r := registrations{process: p, change: sync.NewCond(&sync.Mutex{})}
	defer r.begin(4)()
	r.until(func() bool { return len(r.told) >= 20 })
	database.Kill()
	r.until(func() bool { return r.failed > 0 })
	if answer, err := http.Get(p.url + "/healthz"); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("the service has ended with its database: %v, %v", answer, err)
	}
	database.Start(settings...)
	before := len(r.until(func() bool { return true }))
	told := r.until(func() bool { return len(r.told) >= before+20 })
	for _, email := range told {
		if p.signIn(email) != http.StatusOK {
			lost = append(lost, email)
		}
	}
	return lost
}

// registrations are clients who register new users, one after the other, and go on when that fails.
type registrations struct {
	*process
	change *sync.Cond
	told   []string // users, of an account
	failed int      // answers 500
	ended  bool
}

// begin starts them; end ends them.
func (r *registrations) begin(clients int) (end func()) {
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			for i := 0; ; i++ {
				email := fmt.Sprintf("user%d.%d@example.org", client, i)
				status, err := r.post("/register", strings.NewReader(form(email)))
				if !r.note(email, status, err) {
					return
				}
			}
		})
	}
	return func() {
		r.change.L.Lock()
		r.ended = true
		r.change.L.Unlock()
		all.Wait()
	}
}

// note takes down an answer and reports whether to go on.
func (r *registrations) note(email string, status int, err error) bool {
	r.change.L.Lock()
	defer r.change.L.Unlock()
	switch {
	case err != nil:
		r.t.Errorf("%s got no answer: %v", email, err)
		r.ended = true
	case status == http.StatusOK:
		r.told = append(r.told, email)
	case status == http.StatusInternalServerError:
		r.failed++
	}
	r.change.Broadcast()
	return !r.ended
}

// until waits until so, or until a client got no answer, and returns who was told of an account.
func (r *registrations) until(so func() bool) []string {
	r.t.Helper()
	r.change.L.Lock()
	defer r.change.L.Unlock()
	for !so() {
		if r.ended {
			r.t.Fatal("a client got no answer")
		}
		r.change.Wait()
	}
	return r.told[:len(r.told):len(r.told)]
}
