// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"context"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A sign-in that a change of the password overtakes gets no session, and an upgrade is not stored.
func TestOvertaken(t *testing.T) {
	s, ctx := start(t).store, t.Context()
	token := func(k kind, u user) string {
		t.Helper()
		token, err := s.newToken(ctx, k, u, "")
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	is := func(k kind, token, id string) {
		t.Helper()
		if u, err := s.byToken(ctx, k, token); err != nil || u.id != id {
			t.Errorf("the user of a %s is %v, %v; want %q", k.name, u, err, id)
		}
	}
	before := newUser(ada, "a hash")
	if err := s.add(ctx, before); err != nil {
		t.Fatal(err)
	}
	first := token(link, before)
	second, here := token(link, before), token(session, before)
	if _, err := s.setPassword(ctx, before, "another", first); err != errGone {
		t.Error("a link that another has replaced:", err)
	}
	after, err := s.setPassword(ctx, before, "the new hash", here)
	if err != nil {
		t.Fatal(err)
	}
	is(link, second, "")
	is(session, here, "")
	is(session, token(session, before), "") // of a sign-in with the former password
	is(link, token(link, before), "")
	is(session, token(session, after), before.id)
	if saved, err := s.upgrade(before.id)(ctx, before.hash, "an upgrade of the former hash"); saved || err != nil {
		t.Error("an upgrade undid the change:", saved, err)
	}
}

// Of those who use a link at once, one sets a password.
func TestOnce(t *testing.T) {
	s, ctx := start(t).store, t.Context()
	if err := s.add(ctx, newUser(ada, "a hash")); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		u, _ := s.byEmail(ctx, ada)
		token, err := s.newToken(ctx, link, u, "")
		if err != nil {
			t.Fatal(err)
		}
		var done atomic.Int32
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if _, err := s.setPassword(ctx, u, fmt.Sprint("hash ", i), token); err == nil {
					done.Add(1)
				} else if err != errGone {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if done.Load() != 1 {
			t.Errorf("%d of 8 succeeded; want 1", done.Load())
		}
	}
}

// A change that fails at its last statement leaves everything as it was.
func TestFailedChange(t *testing.T) {
	s := start(t)
	v := s.visitor()
	v.register()
	if _, err := s.store.Exec("CREATE TRIGGER full BEFORE UPDATE ON users BEGIN SELECT RAISE(ABORT, ''); END"); err != nil {
		t.Fatal(err)
	}
	v.post(500, "/password", "password", right, "new", better)
	v.is(ada)
}

// While the outbox is stuck, few mails wait for it, and no request does.
func TestStuckOutbox(t *testing.T) {
	s, stuck := start(t), make(chan struct{})
	v := s.visitor()
	v.register()
	s.mailer.send = func(context.Context, message) error { <-stuck; return nil }
	for client := range cap(s.mailer.slots) {
		v.moves(client)
		v.post(200, "/forgot", "email", ada)
	}
	v.post(503, "/forgot", "email", ada)
	close(stuck)
}

// Without a mail server, links that set passwords go to a file, so only this machine is served.
func TestFileOnLoopbackOnly(t *testing.T) {
	for listen, want := range map[string]bool{"localhost:0": true, "127.0.0.1:0": true, "[::1]:0": true,
		":8080": false, "0.0.0.0:8080": false, "192.0.2.1:8080": false, "localhost.example:80": false} {
		if _, err := openOutbox(config{listen: listen}); (err == nil) != want {
			t.Errorf("%s: %v", listen, err)
		}
	}
}

// A mail server on this machine gets the mail by SMTP.
func TestSMTP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	send, err := openOutbox(config{smtp: listener.Addr().String(), from: "login@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	go send(t.Context(), message{ada, "A new password", "Choose one"})
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	text := textproto.NewConn(conn)
	defer text.Close()
	text.PrintfLine("220 ready")
	for line := ""; err == nil && line != "DATA"; {
		answer := "250 ok"
		if line, err = text.ReadLine(); line == "DATA" {
			answer = "354 go on"
		}
		text.PrintfLine("%s", answer)
	}
	mail, _ := text.ReadDotBytes()
	if s := string(mail); !strings.Contains(s, "To: <"+ada+">\n") || !strings.Contains(s, "Subject: A new password\n") || !strings.Contains(s, "\nChoose one\n") {
		t.Errorf("the mail is %q", s)
	}
}
