// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package hashing runs password hashes in three ways: in fount's pool, as a service should, and in two ways that many services
// have instead, so that they can be compared. It is not a choice for production: that is the pool.
package hashing

import (
	"context"
	"fmt"
	"runtime"

	"fount/password"
)

// The ways.
const (
	Pool      = "pool"      // password.Pool
	Naive     = "naive"     // golang.org/x/crypto, on the handler's goroutine
	Semaphore = "semaphore" // the same, as many at once as there are processors; the others wait
)

// A Hasher hashes and verifies.
type Hasher interface {
	password.Verifier

	// Ready reports whether a Verify would be refused: only a pool refuses.
	Ready(context.Context, password.Login) error
	Close(context.Context) error
}

// Check returns an error for what is no way.
func Check(way string) error {
	switch way {
	case Pool, Naive, Semaphore:
		return nil
	}
	return fmt.Errorf("want %s, %s or %s", Pool, Naive, Semaphore)
}

// Open returns the Hasher of a way. If limit is not 0, Naive and Semaphore refuse more hashes at once than that, those that wait
// included: a flood would take all of the machine's memory.
func Open(way string, limit int, o password.Options) (Hasher, error) {
	if err := Check(way); err != nil {
		return nil, fmt.Errorf("hashing: the way is %q; %w", way, err)
	}
	if way == Pool {
		return password.NewPool(o)
	}
	p := &plain{policy: o.Policy}
	if o.Policy.Algorithm == 0 {
		p.policy = password.Default()
	}
	var err error
	if p.unknown, err = p.Hash(context.Background(), password.Login{}, []byte("nobody's")); err != nil {
		return nil, err
	}
	if limit > 0 {
		p.places = make(chan struct{}, limit)
	}
	if way == Semaphore {
		p.turns = make(chan struct{}, runtime.GOMAXPROCS(0))
	}
	return p, nil
}
