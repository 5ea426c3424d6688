// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

// A form that can't be read is its sender's mistake: the answer says so, and the log has nothing of the password in it.
func TestBadForms(t *testing.T) {
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	s := start(t)
	for _, path := range []string{"/login", "/register", "/password", "/forgot", "/reset"} {
		for body, want := range map[string]int{
			"email=ada@example.org&password=100%sure": http.StatusBadRequest,
			"email=ada@example.org;password=correct":  http.StatusBadRequest,
			"password=" + strings.Repeat("x", 17<<10): http.StatusRequestEntityTooLarge,
		} {
			answer, err := http.Post(s.URL+path, "application/x-www-form-urlencoded", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != want {
				t.Errorf("%s %.40s: %d; want %d", path, body, answer.StatusCode, want)
			}
		}
	}
	v := s.visitor()
	for _, email := range []string{"a\x00da@example.org", "a\xffda@example.org"} {
		v.want(wrong, "POST", "/login", "email", email, "password", right)
		v.want(400, "POST", "/register", "email", email, "password", right)
		v.want(400, "POST", "/forgot", "email", email)
	}
	v.want(403, "POST", "/reset", "token", "\x00\xff", "new", right)
	v.want(400, "POST", "/register", "email", ada, "password", "correct\x00horse")
	if !strings.Contains(v.body, "NUL") {
		t.Errorf("of a password with NUL: %s", v.body)
	}
	v.want(400, "POST", "/register", "email", ada, "password", strings.Repeat("x", 73))
	if !strings.Contains(v.body, "too long") {
		t.Errorf("of 73 bytes: %s", v.body)
	}
	if log.Len() > 0 {
		t.Errorf("the log has %s", &log)
	}
}
