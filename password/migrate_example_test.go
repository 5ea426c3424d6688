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
func ExampleSignIn_fromBcrypt() {
	stored, err := bcrypt.GenerateFromPassword([]byte("correct horse battery staple"), 10)
	if err != nil {
		log.Fatal(err)
	}
	pool, err := password.NewPool(password.Options{}) // once
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	from := password.Login{Principal: "192.0.2.1"}
	saved := make(chan string)
	save := func(_ context.Context, old, hash string) (bool, error) { // where old still stands
		saved <- hash
		return true, nil
	}
	for _, given := range []string{"guess", "correct horse battery staple"} {
		// Before: err := bcrypt.CompareHashAndPassword(stored, []byte(given))
		_, err := password.SignIn(ctx, pool, from, given, string(stored), save)
		fmt.Println(errors.Is(err, password.ErrMismatch)) // was bcrypt.ErrMismatchedHashAndPassword
	}
	fmt.Println((<-saved)[:31])
	// Output:
	// true
	// false
	// $argon2id$v=19$m=19456,t=2,p=1$
}

// Hashes of alexedwards/argon2id verify as they are, and stay if they take more memory than the
// policy's: its default, 64 MiB in one pass, does.
func ExampleVerify_fromArgon2id() {
	const stored = "$argon2id$v=19$m=65536,t=1,p=2$KeGZqwFEt6R0cdx7vKDmCA$IOB4YHMjQ4M4OXoQNmF2wcTZ5qT+RYSRuJDfbf+iVDQ"
	// Before: match, err := argon2id.ComparePasswordAndHash("correct horse battery staple", stored)
	result, err := password.Verify(password.Default(), []byte("correct horse battery staple"), stored)
	fmt.Println(result.NeedsRehash, err)
	// Output: false <nil>
}
