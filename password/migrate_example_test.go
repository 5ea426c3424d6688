// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"golang.org/x/crypto/bcrypt"

	"fount/password"
)

// Hashes of x/crypto's bcrypt, and of PHP's password_hash, verify as they are. At its next sign-in
// one below cost 12 is replaced by argon2id; Policy{Algorithm: Bcrypt, Cost: 10} keeps bcrypt.
func Example_fromBcrypt() {
	made, err := bcrypt.GenerateFromPassword([]byte("correct horse battery staple"), 10)
	if err != nil {
		log.Fatal(err)
	}
	store := &accounts{replaced: make(chan struct{})}
	store.hashes = map[string]string{"ada": string(made)}

	pool, err := password.NewPool(password.Options{Policy: password.Default()}) // once
	if err != nil {
		log.Fatal(err)
	}
	login := func(ctx context.Context, address, name, given string) (status int) {
		save := func(ctx context.Context, old, hash string) (bool, error) {
			return store.Replace(ctx, name, old, hash)
		}
		// Before: err := bcrypt.CompareHashAndPassword([]byte(store.Hash(name)), []byte(given))
		from := password.Login{Principal: password.PrincipalOf(address)}
		_, err := password.SignIn(ctx, pool, from, given, store.Hash(name), save)
		_, overloaded := errors.AsType[password.OverloadedError](err) // new
		switch {
		case err == nil:
			return 200
		case errors.Is(err, password.ErrMismatch): // was bcrypt.ErrMismatchedHashAndPassword
			return 401
		case overloaded || errors.Is(err, context.DeadlineExceeded):
			return 503 // the password is neither right nor wrong
		}
		return 500
	}
	ctx := context.Background()
	late, cancel := context.WithTimeout(ctx, 0) // as in an overload: no hash could be done in time
	defer cancel()
	fmt.Println(login(late, "192.0.2.1:1234", "ada", "correct horse battery staple"))
	fmt.Println(login(ctx, "192.0.2.1:1234", "ada", "guess"))
	fmt.Println(login(ctx, "192.0.2.1:1234", "ada", "correct horse battery staple"))
	<-store.replaced // meanwhile
	fmt.Println(store.Hash("ada")[:31])
	// Output:
	// 503
	// 401
	// 200
	// $argon2id$v=19$m=19456,t=2,p=1$
}

// Hashes of alexedwards/argon2id verify as they are, and stay if they take more memory than the
// policy's: its default, 64 MiB in one pass, does.
func Example_fromArgon2id() {
	const stored = "$argon2id$v=19$m=65536,t=1,p=2$KeGZqwFEt6R0cdx7vKDmCA$IOB4YHMjQ4M4OXoQNmF2wcTZ5qT+RYSRuJDfbf+iVDQ"
	// Before: match, err := argon2id.ComparePasswordAndHash("correct horse battery staple", stored)
	result, err := password.Verify(password.Default(), []byte("correct horse battery staple"), stored)
	fmt.Println(result.NeedsRehash, err)
	// Output: false <nil>
}
