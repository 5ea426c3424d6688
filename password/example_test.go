// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

import (
	"errors"
	"fmt"
	"log"

	"fount/password"
)

func Example() {
	policy := password.Default()

	stored, err := password.Hash(policy, []byte("correct horse battery staple"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stored[:31])

	result, err := password.Verify(policy, []byte("correct horse battery staple"), stored)
	fmt.Println(result, err)

	_, err = password.Verify(policy, []byte("Tr0ub4dor&3"), stored)
	fmt.Println(errors.Is(err, password.ErrMismatch))
	// Output:
	// $argon2id$v=19$m=19456,t=2,p=1$
	// {false false} <nil>
	// true
}

// A key that was in use is kept for the hashes that name it.
func ExampleNewKeyRing() {
	from2025 := password.Key{ID: "2025", Secret: []byte("32 random bytes, from a vault...")}
	from2026 := password.Key{ID: "2026", Secret: []byte("32 other bytes, from a vault too")}

	old, err := password.NewKeyRing(from2025)
	if err != nil {
		log.Fatal(err)
	}
	policy := password.Policy{Algorithm: password.Bcrypt, Cost: 10}
	policy.Keys = old
	stored, err := password.Hash(policy, []byte("correct horse battery staple"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stored[:36])

	policy.Keys, err = password.NewKeyRing(from2026, from2025)
	if err != nil {
		log.Fatal(err)
	}
	result, err := password.Verify(policy, []byte("correct horse battery staple"), stored)
	fmt.Println(result.NeedsRehash, err)
	// Output:
	// $fount-bcrypt$v=1$r=10,keyid=MjAyNQ$
	// true <nil>
}
