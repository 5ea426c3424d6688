// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"fount/password"
	"fount/password/passwordhttp"
)

// accounts is the service's store: what Hash returned, by name.
type accounts struct {
	mu       sync.Mutex
	hashes   map[string]string
	replaced chan struct{} // closed when an upgrade is saved
}

// Hash returns "" if there is no such user.
func (a *accounts) Hash(name string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.hashes[name]
}

// Replace stores a new hash in the place of old, and reports whether it did: not if the password
// was changed meanwhile. In SQL:
//
//	UPDATE users SET hash = $1 WHERE name = $2 AND hash = $3
func (a *accounts) Replace(ctx context.Context, name, old, hash string) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hashes[name] != old {
		return false, nil
	}
	a.hashes[name] = hash
	close(a.replaced)
	return true, nil
}

// A login handler without any setting, also for clients that leave after a second.
func ExampleSignIn() {
	store := &accounts{
		hashes:   map[string]string{"ada": "$2y$05$bMZUeWkSIdSbzSmtr2mNqeid3h0VYNjrcDW3.xmCXDEJJ/uSOcmcy"},
		replaced: make(chan struct{}),
	}
	pool, err := password.NewPool(password.Options{Policy: password.Default()}) // once
	if err != nil {
		log.Fatal(err)
	}
	gate := &passwordhttp.Gate{Pool: pool}
	http.Handle("POST /login", gate.Handle(func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		name := r.PostFormValue("user")
		given := r.PostFormValue("password")
		stored := store.Hash(name) // "" if there is no such user: that takes the same time
		save := func(ctx context.Context, old, hash string) (bool, error) {
			return store.Replace(ctx, name, old, hash) // where old still stands
		}
		if _, err := password.SignIn(r.Context(), pool, from, given, stored, save); err != nil {
			return err // answered with 401, 503 and Retry-After, or 500
		}
		fmt.Fprintln(w, "welcome")
		return nil
	}))

	for _, form := range []string{"user=ada&password=correct+horse+battery+staple", "user=ada&password=guess", "user=bob&password=guess"} {
		r := httptest.NewRequest("POST", "/login", strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer := httptest.NewRecorder()
		http.DefaultServeMux.ServeHTTP(answer, r)
		fmt.Println(answer.Code, strings.TrimSpace(answer.Body.String()))
	}
	<-store.replaced
	fmt.Println(store.Hash("ada")[:31])
	// Output:
	// 200 welcome
	// 401 {"type":"about:blank","title":"Unauthorized","status":401}
	// 401 {"type":"about:blank","title":"Unauthorized","status":401}
	// $argon2id$v=19$m=19456,t=2,p=1$
}
