// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"time"

	"fount/password"
)

// users is the service's store: what Hash returned, by name.
type users struct {
	mu     sync.Mutex
	hashes map[string]string
}

// Hash returns "" if there is no such user.
func (u *users) Hash(name string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.hashes[name]
}

// Replace stores a new hash in the place of old, and nothing if the password was
// changed meanwhile. In SQL:
//
//	UPDATE users SET hash = $1 WHERE name = $2 AND hash = $3
func (u *users) Replace(name, old, hash string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.hashes[name] == old {
		u.hashes[name] = hash
	}
}

// A handler verifies through the pool, whether or not the user is there, and
// leaves the answer to an overload to ServeError. A rehash comes after the answer,
// in the class that is given up first. Cost 6 is for this test: services want at
// least 10.
func ExamplePool() {
	pool, err := password.NewPool(password.Options{
		Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 6},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close(context.Background())

	store := &users{hashes: map[string]string{
		"ada": "$2y$05$bMZUeWkSIdSbzSmtr2mNqeid3h0VYNjrcDW3.xmCXDEJJ/uSOcmcy",
	}}
	var rehashes sync.WaitGroup
	login := func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		name, given := r.PostFormValue("user"), []byte(r.PostFormValue("password"))
		from := password.Login{Principal: password.PrincipalOf(r.RemoteAddr)}

		stored := store.Hash(name) // "" if there is none: Verify takes as long
		result, err := pool.Verify(ctx, from, given, stored)
		if err != nil {
			password.ServeError(w, err)
			return
		}
		fmt.Fprint(w, "welcome")
		if result.NeedsRehash {
			from.Class = password.ClassRehash
			rehashes.Go(func() { // nobody waits for it
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				defer cancel()
				if hash, err := pool.Hash(ctx, from, given); err == nil { // else at the next login
					store.Replace(name, stored, hash)
				}
			})
		}
	}

	for _, form := range []url.Values{
		{"user": {"ada"}, "password": {"correct horse battery staple"}},
		{"user": {"ada"}, "password": {"guess"}},
		{"user": {"bob"}, "password": {"guess"}},
	} {
		r := httptest.NewRequest("POST", "/login", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		login(w, r)
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	rehashes.Wait()
	fmt.Println(store.Hash("ada")[:7])
	// Output:
	// 200 welcome
	// 403 Forbidden
	// 403 Forbidden
	// $2b$06$
}

// An overload is answered with 503 and when to come back.
func ExampleServeError() {
	w := httptest.NewRecorder()
	password.ServeError(w, password.OverloadedError{After: 1300 * time.Millisecond})
	fmt.Println(w.Code, w.Header().Get("Retry-After"))
	// Output: 503 2
}

// Stats tells at 3 a.m. how the pool is doing.
func ExamplePool_Stats() {
	pool, err := password.NewPool(password.Options{
		Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 5},
	})
	if err != nil {
		log.Fatal(err)
	}
	pool.Verify(context.Background(), password.Login{Principal: "192.0.2.1"}, []byte("guess"), "")

	s := pool.Stats()
	fmt.Println("waiting:", s.SignIn.Queued, "refused:", s.SignIn.Refused, "unknown users:", s.SignIn.Unknown)
	for _, h := range s.Hashes {
		fmt.Println(h.Algorithm, h.Cost, "served:", h.Service.Count)
		fmt.Println("p99 below a second:", h.Service.Quantile(0.99) < time.Second)
	}
	fmt.Println(s.Top[0].ID == pool.PrincipalID("192.0.2.1"))
	// Output:
	// waiting: 0 refused: 0 unknown users: 1
	// bcrypt 5 served: 1
	// p99 below a second: true
	// true
}
