// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !(gc && !race && !purego && go1.26 && !go1.28)

// This file replaces perp_pin.go in builds that are not admitted there. A sync.Pool holds tokens,
// one for each state. The goroutine that takes a token owns its state. Get and Put take 9.0 ns;
// pinning takes 1.2.

package shard

import (
	"runtime"
	"sync"
)

// PerP names how a draw finds its state, for Status.
const PerP = "sync.Pool"

// A token stands for a state in the pool. The pool may drop it at any collection (and at random
// under the race detector). Its state is then wiped and freed. The collector does not see the
// state, so the token is as large: dropped tokens then bring the next collection near.
type token = *struct {
	s *State
	_ [stateSize - 8]byte
}

var tokens = sync.Pool{New: func() any {
	t := token(new(struct {
		s *State
		_ [stateSize - 8]byte
	}))
	t.s = newSlot()
	runtime.AddCleanup(t, freeSlot, t.s)
	return t
}}

func acquire() (*State, token) {
	t := tokens.Get().(token)
	return t.s, t
}

func release(t token) { tokens.Put(t) }

// adopt is acquire: the pool makes a state if it has none.
func adopt() (*State, token) { return acquire() }
