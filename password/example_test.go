// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"fount/password"
)

// A pool answers each call by its deadline, whether or not the user is there, or says at once that
// it can't. Cost 6 is for this test: services want at least 10. The quick start has a handler.
func ExamplePool() {
	pool, err := password.NewPool(password.Options{
		Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 6},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close(context.Background())

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // what the client waits
	defer cancel()
	from := password.Login{Principal: "192.0.2.1"}
	stored, err := pool.Hash(ctx, from, []byte("correct horse battery staple"))
	if err != nil {
		log.Fatal(err)
	}
	for _, hash := range []string{stored, ""} { // "" is an unknown user: Verify takes as long
		for _, given := range []string{"correct horse battery staple", "guess"} {
			_, err := pool.Verify(ctx, from, []byte(given), hash)
			fmt.Println(err)
		}
	}
	s := pool.Stats() // as telemetry shows it
	fmt.Println("refused:", s.SignIns.Of(password.OutcomeRefused), "unknown users:", s.SignIns.Of(password.OutcomeUnknown))
	for _, h := range s.Hashes {
		fmt.Println(h.Algorithm, h.Cost, "hashed:", h.Service.Count())
	}
	// Output:
	// <nil>
	// password: mismatch
	// password: mismatch
	// password: mismatch
	// refused: 0 unknown users: 2
	// bcrypt 6 hashed: 5
}

// A pepper is rotated: the key that was in use is kept for the hashes that name it, until sign-ins
// have replaced them.
func ExampleNewKeyRing() {
	from2025 := password.Key{ID: "2025", Secret: []byte("32 random bytes, from a vault...")}
	from2026 := password.Key{ID: "2026", Secret: []byte("32 other bytes, from a vault too")}
	before, err1 := password.NewKeyRing(from2025)
	now, err2 := password.NewKeyRing(from2026, from2025)
	if err := errors.Join(err1, err2); err != nil {
		log.Fatal(err)
	}
	policy := password.Policy{Algorithm: password.Bcrypt, Cost: 10, Keys: before}
	stored, err := password.Hash(policy, []byte("correct horse battery staple"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stored[:36]) // with the ID in base64
	policy.Keys = now
	result, err := password.Verify(policy, []byte("correct horse battery staple"), stored)
	fmt.Println(result.NeedsRehash, err)
	// Output:
	// $fount-bcrypt$v=1$r=10,keyid=MjAyNQ$
	// true <nil>
}

// The store's weak bcrypts are wrapped at once. Passwords stay the same.
func ExampleWrap() {
	wrapped, err := password.Wrap(password.Default(), "$2y$05$bMZUeWkSIdSbzSmtr2mNqeid3h0VYNjrcDW3.xmCXDEJJ/uSOcmcy")
	if err != nil {
		log.Fatal(err)
	}
	result, err := password.Verify(password.Default(), []byte("correct horse battery staple"), wrapped)
	fmt.Println(wrapped[:46], result.NeedsRehash, err)
	// Output: $fount-wrap$v=1$argon2id$v=19$m=19456,t=2,p=1$ true <nil>
}
