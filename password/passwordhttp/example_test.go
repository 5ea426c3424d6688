// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"time"

	"fount/password"
	"fount/password/passwordhttp"
)

// A service behind a proxy in its own network, with a database that is asked only if the pool has
// room. At its end it calls Shutdown with the server and the pool.
func ExampleGate() {
	pool, err := password.NewPool(password.Options{})
	if err != nil {
		log.Fatal(err)
	}
	gate := &passwordhttp.Gate{
		Pool:    pool,
		Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		Timeout: time.Minute, // what clients wait
	}
	login := gate.Handle(func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		fmt.Println("from", from.Principal)
		_, err := pool.Verify(r.Context(), from, []byte(r.PostFormValue("password")), "" /* unknown */)
		return err
	})

	request := httptest.NewRequest("POST", "/login", strings.NewReader("password=guess"))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.RemoteAddr = "10.0.0.1:4711"
	request.Header.Set("X-Forwarded-For", "198.51.100.9, 203.0.113.7") // the proxy wrote the last
	answer := httptest.NewRecorder()
	login.ServeHTTP(answer, request)
	fmt.Print(answer.Body)
	// Output:
	// from 203.0.113.7
	// {"type":"about:blank","title":"Unauthorized","status":401}
}
