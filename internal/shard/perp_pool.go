// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !(gc && !race && !purego && go1.26 && !go1.28)

// This file is the twin of perp_pin.go for every build that file does not
// admit. A sync.Pool holds tokens, one for each state; the goroutine that has taken
// the token out owns the state. It costs 9.0 ns; pinning costs 1.2.

package shard

import (
	"runtime"
	"sync"
)

// PerP names how a draw finds its state, for Status.
const PerP = "sync.Pool"

// A token stands for a state in the pool. The pool may drop it at any
// collection (and does so at random under the race detector): its state then
// goes back, wiped. It is as large as the state, which the collector does not see,
// so that dropped tokens bring the next collection near.
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

// adopt is acquire: the pool makes a state where there is none.
func adopt() (*State, token) { return acquire() }
