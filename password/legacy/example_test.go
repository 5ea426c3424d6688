// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"fount/password"
	"fount/password/legacy"
)

// A table that Django filled: its hashes verify, and are to be replaced. While Django reads the
// table too, store "argon2" before the new hash: both read that, and it is replaced at each
// sign-in.
func ExampleForm() {
	django, err := legacy.Form("django")
	if err != nil {
		log.Fatal(err)
	}
	policy := password.Default()
	policy.Formats, err = password.NewFormats(django)
	if err != nil {
		log.Fatal(err)
	}
	policy.Markers = true // Django writes "!" and a random text for a user without a password
	secret := []byte("correct horse battery staple")
	result, err := password.Verify(policy, secret, "pbkdf2_sha256$1000000$Yjt4zYjOFUrb2q9Z3fqApR$lgyveR6a+2JUXGIajISRnOXzSOjtApq5i8jK3STLhzU=")
	fmt.Println(result.NeedsRehash, err)
	result, err = password.Verify(policy, secret, "argon2$argon2id$v=19$m=19456,t=2,p=1$3NaNWeziueOiuG7no6fKTA$MOyT+/wki5q+2F8INvVW/LA/6U87SYeWYk1xlQd7dwg")
	fmt.Println(result.NeedsRehash, err)
	// Output:
	// true <nil>
	// true <nil>
}

// A store that Django, PHP and crypt(3) filled, and in 2009 a program of one's own: a pool for all
// of it, whose wrong passwords take as long for each frequent kind of hash.
func ExampleDigest() {
	policy := password.Default()
	policy.Markers = true // "!" and "*" in a hash's place are users without a password
	bare, err := legacy.Digest("bare-md5", "{md5({password}):hex}")
	if err != nil {
		log.Fatal(err)
	}
	policy.Formats, err = password.NewFormats(append(legacy.List(), bare)...)
	if err != nil {
		log.Fatal(err)
	}
	hashes := []string{ // SELECT hash FROM users
		"5f4dcc3b5aa765d61d8327deb882cf99",
		"$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0",
		"$2y$10$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a",
		"!",
	}
	pool, err := password.NewPool(password.Options{Policy: policy, Stored: password.Sample(policy, slices.Values(hashes))})
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close(context.Background())
	for _, stored := range hashes {
		result, err := pool.Verify(context.Background(), password.Login{}, []byte("password"), stored)
		fmt.Println(result.NeedsRehash, err)
	}
	// Output:
	// true <nil>
	// false password: mismatch
	// false password: mismatch
	// false password: mismatch
}
