// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The sign-in that README.md begins with, compiled, run and compared with the text.

package fount_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"fount"
	"fount/password"
	"fount/password/passwordhttp"
)

// accounts is a store in memory.
type accounts struct {
	mu     sync.Mutex
	hashes map[string]string
}

func (a *accounts) Hash(name string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.hashes[name]
}

func (a *accounts) Replace(_ context.Context, name, old, hash string) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hashes[name] != old {
		return false, nil
	}
	a.hashes[name] = hash
	return true, nil
}

var (
	passwords *password.Pool
	store     = &accounts{hashes: map[string]string{"ada": "$2y$05$bMZUeWkSIdSbzSmtr2mNqeid3h0VYNjrcDW3.xmCXDEJJ/uSOcmcy"}}
)

// The README's code begins.

// Once: passwords, err := password.NewPool(password.Options{Policy: password.Default()})
// and http.Handle("POST /login", (&passwordhttp.Gate{Pool: passwords}).Handle(login))
func login(w http.ResponseWriter, r *http.Request, from password.Login) error {
	name, given := r.PostFormValue("user"), r.PostFormValue("password")
	stored := store.Hash(name) // "" for an unknown user, who costs the same time
	save := func(ctx context.Context, old, hash string) (bool, error) { return store.Replace(ctx, name, old, hash) }
	if _, err := password.SignIn(r.Context(), passwords, from, given, stored, save); err != nil {
		return err // answered with 401; or at once, before this is called, 503 with Retry-After when the pool is full
	}
	http.SetCookie(w, &http.Cookie{Name: "session", Value: fount.Token(32), Secure: true, HttpOnly: true})
	return nil
}

// The README's code ends.

// A sign-in that sets a session's cookie.
func Example_signIn() {
	var err error
	passwords, err = password.NewPool(password.Options{Policy: password.Default()})
	if err != nil {
		log.Fatal(err)
	}
	handler := (&passwordhttp.Gate{Pool: passwords}).Handle(login)
	for _, form := range []url.Values{
		{"user": {"ada"}, "password": {"correct horse battery staple"}},
		{"user": {"ada"}, "password": {"guess"}},
		{"user": {"bob"}, "password": {"guess"}},
	} {
		r := httptest.NewRequest("POST", "/login", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		cookies := w.Result().Cookies()
		fmt.Print(w.Code, ", ", len(cookies), " cookies")
		for _, c := range cookies {
			fmt.Printf(", %s of %d characters", c.Name, len(c.Value))
		}
		fmt.Println()
	}
	// Output:
	// 200, 1 cookies, session of 43 characters
	// 401, 0 cookies
	// 401, 0 cookies
}

// What is compiled and run above is what the README shows.
func TestReadmeSignIn(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(readme), "\n```go\n")
	shown, _, _ = strings.Cut(shown, "```\n")
	_, run, _ := strings.Cut(string(source), "// The README's code begins.\n\n")
	run, _, _ = strings.Cut(run, "\n// The README's code ends.\n")
	if shown == "" || shown != run {
		t.Errorf("README.md shows\n%s\nand this test runs\n%s", shown, run)
	}
}
