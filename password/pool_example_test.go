// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

import (
	"context"
	"fmt"
	"log"
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

// Replace stores a new hash in the place of old, and reports whether it did: not if the password
// was changed meanwhile. In SQL:
//
//	UPDATE users SET hash = $1 WHERE name = $2 AND hash = $3
func (u *users) Replace(ctx context.Context, name, old, hash string) (bool, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.hashes[name] != old {
		return false, nil
	}
	u.hashes[name] = hash
	return true, nil
}

// A pool answers each call by its deadline, whether or not the user is there, or says at once that
// it can't. Cost 6 is for this test: services want at least 10. Package passwordhttp has an example
// with handlers.
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
	// Output:
	// <nil>
	// password: mismatch
	// password: mismatch
	// password: mismatch
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
	fmt.Println("waiting:", s.SignIns.Queued, "refused:", s.SignIns.Of(password.OutcomeRefused), "unknown users:", s.SignIns.Of(password.OutcomeUnknown))
	for _, h := range s.Hashes {
		fmt.Println(h.Algorithm, h.Cost, "served:", h.Service.Count())
		fmt.Println("p99 below a second:", h.Service.Quantile(0.99) < time.Second)
	}
	// Output:
	// waiting: 0 refused: 0 unknown users: 1
	// bcrypt 5 served: 1
	// p99 below a second: true
}
