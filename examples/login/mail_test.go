// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"fount/examples/login/internal/store"
	"fount/examples/login/internal/web"
)

// A stuck outbox takes a mail when somebody lets it, or never.
type stuck struct{ holds, let chan struct{} }

func (s stuck) Send(ctx context.Context, _ web.Mail) error {
	s.holds <- struct{}{}
	select {
	case <-s.let:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// startStuck returns a service whose outbox holds ada's mail, and its visitor.
func startStuck(t *testing.T) (*web.Service, stuck, *visitor) {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "login.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Register(t.Context(), ada, "a hash", ""); err != nil {
		t.Fatal(err)
	}
	outbox := stuck{make(chan struct{}, 1000), make(chan struct{})}
	handler, err := web.New(web.Config{Store: db, Outbox: outbox})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler.Handler())
	t.Cleanup(server.Close)
	v := (&service{Server: server, t: t}).visitor()
	v.want(202, "POST", "/forgot", "email", ada)
	<-outbox.holds
	return handler, outbox, v
}

// An outbox that takes nothing does not hold the end up: what it had not taken by then is given up, and said.
func TestStuckOutbox(t *testing.T) {
	handler, outbox, v := startStuck(t)
	v.want(202, "POST", "/forgot", "email", ada)
	v.want(202, "POST", "/forgot", "email", "nobody@example.org")
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if err := handler.Close(late); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "and 2 after it") {
		t.Errorf("%v; want that 3 mails were given up", err)
	}

	v.want(503, "POST", "/forgot", "email", "late@example.org") // of a server that did not end in time

	handler, outbox, v = startStuck(t)
	v.want(202, "POST", "/forgot", "email", ada)
	close(outbox.let)
	if err := handler.Close(t.Context()); err != nil || len(outbox.holds) != 1 {
		t.Errorf("%v, %d mails after the first; want 1", err, len(outbox.holds))
	}
}

// Who is refused because many ask for mails has as many as before.
func TestRefusedMailDoesNotCount(t *testing.T) {
	handler, outbox, v := startStuck(t)
	refused := func(email string) bool {
		status := v.do("POST", "/forgot", map[string][]string{"email": {email}})
		if status != http.StatusAccepted && status != http.StatusServiceUnavailable {
			t.Fatalf("%s: %d %s", email, status, v.body)
		}
		return status == http.StatusServiceUnavailable
	}
	for i := 0; !refused(fmt.Sprintf("user%d@example.org", i)); i++ {
	}
	for range 10 {
		if !refused("bob@example.org") {
			t.Fatal("there is room while nothing is sent")
		}
	}
	close(outbox.let)
	for range 3 {
		for refused("bob@example.org") { // until there is room
		}
	}
	v.want(429, "POST", "/forgot", "email", "bob@example.org")
	if err := handler.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A gated writer writes when the gate is open.
type gated struct {
	strings.Builder
	gate chan struct{}
}

func (g *gated) Write(b []byte) (int, error) {
	<-g.gate
	return g.Builder.Write(b)
}

// Mails that were asked for before SIGTERM are sent after it: the store is there until the last.
func TestMailsAtTheEnd(t *testing.T) {
	defer slog.SetDefault(slog.Default()) // serve sets its own
	ctx, end := context.WithCancel(t.Context())
	defer end()
	log, logged := io.Pipe()
	outbox := &gated{gate: make(chan struct{})}
	ended := make(chan int, 1)
	go func() {
		defer logged.Close()
		ended <- run(ctx, []string{"--listen", "127.0.0.1:0", "--database", filepath.Join(t.TempDir(), "login.db"), "--policy", "bcrypt,cost=4"}, outbox, logged)
	}()
	lines := bufio.NewScanner(log)
	line := func(part string) (after string) {
		for lines.Scan() {
			if _, after, found := strings.Cut(lines.Text(), part); found {
				return after
			}
		}
		t.Fatalf("the log has no %q", part)
		return ""
	}
	v := (&service{Server: &httptest.Server{URL: line("msg=ready url=")}, t: t}).visitor()
	v.register()
	for range 3 {
		v.want(202, "POST", "/forgot", "email", ada)
	}
	end()
	line("msg=\"ending:")
	go io.Copy(io.Discard, log)
	close(outbox.gate)
	if status := <-ended; status != 0 || strings.Count(outbox.String(), "To: "+ada+"\n") != 3 {
		t.Errorf("it ended with %d, and sent %s; want 3 mails", status, outbox)
	}
}
