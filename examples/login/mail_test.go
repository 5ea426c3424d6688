// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"fount/password"
	"fount/password/passwordhttp"
	"fount/password/passwordtest"
)

// A stuck outbox takes a mail when somebody lets it, or never.
type stuck struct{ holds, let chan struct{} }

func (s stuck) send(ctx context.Context, _ message) error {
	s.holds <- struct{}{}
	select {
	case <-s.let:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// An outbox that takes nothing does not hold the end up: what it had not taken by then is given up, and said. Who is refused because
// many mails are under way has as many as before.
func TestStuckOutbox(t *testing.T) {
	db, err := openStore(t.Context(), filepath.Join(t.TempDir(), "login.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	if err := db.add(t.Context(), user{Email: ada, hash: "a hash"}); err != nil {
		t.Fatal(err)
	}
	outbox := stuck{make(chan struct{}, 1000), make(chan struct{})}
	s := newService(db, passwordtest.NewPool(t, password.Options{}), outbox, passwordhttp.Gate{Proxies: local}, "")
	server := httptest.NewServer(s.handler())
	defer server.Close()
	v := (&running{Server: server, t: t}).visitor()
	ask := func(client int) int {
		v.header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", client))
		return v.do("POST", "/forgot", map[string][]string{"email": {ada}})
	}
	for client := range cap(s.mailer.slots) {
		if status := ask(client); status != http.StatusOK {
			t.Fatalf("mail %d: %d %s", client, status, v.body)
		}
		<-outbox.holds
	}
	for range 20 {
		if status := ask(200); status != http.StatusServiceUnavailable {
			t.Fatalf("with no room: %d %s", status, v.body)
		}
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.mailer.close(late); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), fmt.Sprint(cap(s.mailer.slots), " mails")) {
		t.Errorf("%v; want that all were given up", err)
	}
	close(outbox.let)
	for n := 0; n < 5; {
		switch status := ask(200); status {
		case http.StatusOK:
			n++
		case http.StatusServiceUnavailable: // until there is room
		default:
			t.Fatalf("mail %d, once there is room: %d %s", n, status, v.body)
		}
	}
	if status := ask(200); status != http.StatusTooManyRequests {
		t.Errorf("the sixth mail: %d", status)
	}
	if err := s.mailer.close(t.Context()); err != nil {
		t.Error(err)
	}
	if status := ask(201); status != http.StatusServiceUnavailable { // of a server that did not end in time
		t.Errorf("after the end: %d", status)
	}
}

// A mail server gets the mail by SMTP. One elsewhere that has no TLS gets nothing.
func TestSMTP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	got := make(chan string, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		var all strings.Builder
		fmt.Fprint(conn, "220 mail.example.org\r\n")
		for lines, data := bufio.NewScanner(conn), false; lines.Scan(); {
			line := lines.Text()
			fmt.Fprintln(&all, line)
			verb, _, _ := strings.Cut(line, " ")
			switch {
			case data && line != ".":
			case verb == "DATA":
				data = true
				fmt.Fprint(conn, "354 go on\r\n")
			case verb == "QUIT":
				fmt.Fprint(conn, "221 bye\r\n")
				got <- all.String()
				return
			default:
				data = false
				fmt.Fprint(conn, "250 ok\r\n")
			}
		}
	}()
	out, err := openOutbox(config{smtp: listener.Addr().String(), from: "login@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.send(t.Context(), message{ada, "A new password", "Choose one"}); err != nil {
		t.Fatal(err)
	}
	text := <-got
	for _, want := range []string{"MAIL FROM:<login@example.org>", "RCPT TO:<" + ada + ">", "Subject: A new password", "\nTo: <" + ada + ">", "\nChoose one\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
