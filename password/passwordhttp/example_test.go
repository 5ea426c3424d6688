// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"time"

	"fount/password"
	"fount/password/passwordhttp"
)

// A service behind a proxy in its own network, with a database that is asked only if the pool has room, and
// an orderly end.
func ExampleGate() {
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}}) // 10, in a service
	if err != nil {
		log.Fatal(err)
	}
	gate := &passwordhttp.Gate{
		Pool:    pool,
		Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Timeout: time.Minute, // what clients wait
	}
	mux := http.NewServeMux()
	mux.Handle("POST /login", gate.Handle(func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		fmt.Println("from", from.Principal)
		_, err := pool.Verify(r.Context(), from, []byte(r.PostFormValue("password")), "" /* unknown */)
		return err
	}))
	server := &http.Server{Handler: mux, WriteTimeout: 10 * time.Second}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()

	request, err := http.NewRequest("POST", "http://"+listener.Addr().String()+"/login?password=guess", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Forwarded-For", "198.51.100.9, 203.0.113.7") // the proxy appended the last
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	response.Body.Close()
	fmt.Println(response.Status)

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	fmt.Println(passwordhttp.Shutdown(ctx, server, pool), errors.Is(<-ended, http.ErrServerClosed))
	// Output:
	// from 203.0.113.7
	// 401 Unauthorized
	// <nil> true
}

// An overload is answered with when to come back.
func ExampleServeError() {
	w := httptest.NewRecorder()
	passwordhttp.ServeError(w, password.OverloadedError{After: 2 * time.Second})
	fmt.Println(w.Code, w.Header().Get("Retry-After"))
	fmt.Print(w.Body)
	// Output:
	// 503 3
	// {"type":"about:blank","title":"Service Unavailable","status":503,"retry_after_ms":2000}
}
