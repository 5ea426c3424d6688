// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The quick start of README.md, as it stands there.

package password_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"fount/password"
	"fount/password/passwordhttp"
)

// accounts is a store that says when a hash was replaced.
type accounts struct {
	users
	replaced chan struct{}
}

func (a *accounts) Replace(ctx context.Context, name, old, hash string) (bool, error) {
	defer close(a.replaced)
	return a.users.Replace(ctx, name, old, hash)
}

// A sign-in that keeps its promise without any setting: also for clients that leave
// after a second and have not said so.
func Example_quickStart() {
	store := &accounts{replaced: make(chan struct{})}
	store.hashes = map[string]string{
		"ada": "$2y$05$bMZUeWkSIdSbzSmtr2mNqeid3h0VYNjrcDW3.xmCXDEJJ/uSOcmcy",
	}

	pool, err := password.NewPool(password.Options{Policy: password.Default()}) // once
	if err != nil {
		log.Fatal(err)
	}
	gate := &passwordhttp.Gate{Pool: pool}
	http.Handle("POST /login", gate.Handle(func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		name, given := r.PostFormValue("user"), r.PostFormValue("password")
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

	server := httptest.NewServer(http.DefaultServeMux)
	defer server.Close()
	for _, form := range []url.Values{
		{"user": {"ada"}, "password": {"correct horse battery staple"}},
		{"user": {"ada"}, "password": {"guess"}},
		{"user": {"bob"}, "password": {"guess"}},
	} {
		response, err := http.PostForm(server.URL+"/login", form)
		if err != nil {
			log.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		fmt.Println(response.StatusCode, strings.TrimSpace(string(body)))
	}
	<-store.replaced
	fmt.Println(store.Hash("ada")[:31])
	// Output:
	// 200 welcome
	// 401 {"type":"about:blank","title":"Unauthorized","status":401}
	// 401 {"type":"about:blank","title":"Unauthorized","status":401}
	// $argon2id$v=19$m=19456,t=2,p=1$
}
