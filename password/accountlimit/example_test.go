// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package accountlimit_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"fount/password"
	"fount/password/accountlimit"
	"fount/password/passwordhttp"
)

// A sign-in whose guessers are slowed: For stands where the pool stood.
func Example() {
	hashes := map[string]string{"ada": "$2y$05$bMZUeWkSIdSbzSmtr2mNqeid3h0VYNjrcDW3.xmCXDEJJ/uSOcmcy"}
	pool, err := password.NewPool(password.Options{}) // once
	if err != nil {
		log.Fatal(err)
	}
	limits, err := accountlimit.New(accountlimit.Options{}) // once
	if err != nil {
		log.Fatal(err)
	}
	gate := &passwordhttp.Gate{Pool: pool}
	signIn := gate.Handle(func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		name := strings.ToLower(r.PostFormValue("user")) // as the store finds it
		_, err := password.SignIn(r.Context(), limits.For(pool, name), from, r.PostFormValue("password"), hashes[name], nil)
		return err // a LimitedError: 429, and when to come back
	})

	try := func(from, given string) int {
		form := url.Values{"user": {"Ada"}, "password": {given}}
		request := httptest.NewRequest("POST", "/", strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.RemoteAddr = from
		answer := httptest.NewRecorder()
		signIn.ServeHTTP(answer, request)
		return answer.Code
	}
	fmt.Println(try("192.0.2.1:1000", "correct horse battery staple"), "the owner")
	for range 10 {
		try("203.0.113.9:1000", "guess")
	}
	fmt.Println(try("203.0.113.9:1000", "guess"), "a guesser")
	fmt.Println(try("192.0.2.1:2000", "correct horse battery staple"), "the owner")
	// Output:
	// 200 the owner
	// 429 a guesser
	// 200 the owner
}
