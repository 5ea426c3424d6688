// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fount/examples/login/internal/web"
	"fount/password"
	"fount/password/passwordtest"
)

// A refusal asks the store nothing, which is not there, and tells a person when to come back; what was typed is kept, but for
// the password.
func TestRefusal(t *testing.T) {
	pool := passwordtest.NewPool(t, password.Options{})
	pool.Fail(password.OverloadedError{After: 3 * time.Second})
	handler, err := web.New(web.Config{Hasher: pool})
	if err != nil {
		t.Fatal(err)
	}
	defer handler.Close(t.Context())
	server := httptest.NewServer(handler.Handler())
	defer server.Close()
	for _, path := range []string{"/login", "/register", "/password", "/reset"} {
		v := (&service{Server: server, t: t}).visitor()
		v.want(503, "POST", path, "email", ada, "password", right, "new", better)
		if v.answer.Header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", path)
		}
		v.header.Set("Accept", "text/html")
		v.want(503, "POST", path, "email", ada, "password", right, "new", better)
		if !strings.Contains(v.body, "Please try again in "+v.answer.Header.Get("Retry-After")+" seconds.") {
			t.Errorf("%s: no wait in words: %s", path, v.body)
		}
		if strings.Contains(v.body, right) {
			t.Errorf("%s: the password comes back", path)
		}
		if path != "/reset" && !strings.Contains(v.body, `value="`+ada+`"`) {
			t.Errorf("%s: the address is lost: %s", path, v.body)
		}
	}
}
