// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"fount/password"
	"fount/password/passwordhttp"
)

// Basic authentication sends the password with each request: the first is hashed, the others are answered in about a
// microsecond.
func ExampleRemember() {
	store := users{hashes: map[string]string{
		"ada": "$2y$05$bMZUeWkSIdSbzSmtr2mNqeid3h0VYNjrcDW3.xmCXDEJJ/uSOcmcy",
	}}
	pool, err := password.NewPool(password.Options{}) // once
	if err != nil {
		log.Fatal(err)
	}
	remembered, err := password.Remember(pool, password.RememberOptions{})
	if err != nil {
		log.Fatal(err)
	}
	api := func(w http.ResponseWriter, r *http.Request) {
		name, given, _ := r.BasicAuth()
		from := password.Login{Principal: password.PrincipalOf(r.RemoteAddr)}
		if _, err := remembered.Verify(r.Context(), from, []byte(given), store.Hash(name)); err != nil {
			w.Header().Set("WWW-Authenticate", `Basic realm="api"`)
			passwordhttp.ServeError(w, err)
			return
		}
		fmt.Fprintln(w, "hello,", name)
	}

	for _, given := range []string{"correct horse battery staple", "correct horse battery staple", "guess", "guess"} {
		request := httptest.NewRequest("GET", "/", nil)
		request.SetBasicAuth("ada", given)
		answer := httptest.NewRecorder()
		api(answer, request)
		fmt.Println(answer.Code, "hits:", remembered.Hits())
	}
	// Output:
	// 200 hits: 0
	// 200 hits: 1
	// 401 hits: 1
	// 401 hits: 1
}
