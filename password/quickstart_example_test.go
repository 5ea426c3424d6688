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
	"os"
	"strings"
	"testing"

	"fount/password"
)

// accounts is a store that says when a hash was replaced.
type accounts struct {
	users
	replaced chan struct{}
}

func (a *accounts) Replace(name, old, hash string) {
	a.users.Replace(name, old, hash)
	close(a.replaced)
}

// A sign-in that keeps its promise without any setting: also for clients that leave
// after a second and have not said so.
func Example_quickStart() {
	store := &accounts{replaced: make(chan struct{})}
	store.hashes = map[string]string{
		"ada": "$2y$05$bMZUeWkSIdSbzSmtr2mNqeid3h0VYNjrcDW3.xmCXDEJJ/uSOcmcy",
	}

	// The quick start begins.
	pool, err := password.NewPool(password.Options{Policy: password.Default()}) // once
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		name, given := r.PostFormValue("user"), []byte(r.PostFormValue("password"))
		from := password.Login{Principal: password.PrincipalOf(r.RemoteAddr)}
		stored := store.Hash(name) // "" if there is no such user: that takes the same time
		result, err := pool.Verify(r.Context(), from, given, stored)
		if err != nil { // 403 for a mismatch, 503 with Retry-After if overloaded, 500 if the stored hash is damaged
			password.ServeError(w, err)
			return
		}
		fmt.Fprintln(w, "welcome")
		if result.NeedsRehash { // after the answer: nobody waits for it
			from.Class = password.ClassRehash
			go func() {
				if hash, err := pool.Hash(context.Background(), from, given); err == nil { // else at the next login
					store.Replace(name, stored, hash) // UPDATE users SET hash = $1 WHERE name = $2 AND hash = $3
				}
			}()
		}
	})
	// The quick start ends.

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
	// 403 Forbidden
	// 403 Forbidden
	// $argon2id$v=19$m=19456,t=2,p=1$
}

// What is compiled and run above is what README.md shows.
func TestQuickStartOfREADME(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("quickstart_example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(readme), "\n```go\n")
	shown, _, _ = strings.Cut(shown, "```\n")
	_, run, _ := strings.Cut(string(source), "\t// The quick start begins.\n")
	run, _, _ = strings.Cut(run, "\t// The quick start ends.\n")
	run = strings.ReplaceAll("\n"+run, "\n\t", "\n")[1:]
	if shown == "" || shown != run {
		t.Errorf("README.md shows\n%s\nand the example runs\n%s", shown, run)
	}
}
