// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build gc && !race && !purego && go1.26 && !go1.28

// This file is the package's only use of linkname. It pins the goroutine to its P, so that no other
// goroutine can use the P's state until it unpins. Both calls take 1.2 ns; Get and Put of a
// sync.Pool take 9.0 ns.
//
// The runtime keeps procPin and procUnpin for such users, with these signatures:
// https://go.dev/issue/67401. The build tags admit the Go releases that were tested; every other
// build uses perp_pool.go. CONTRIBUTING.md says how to admit a release. The same tests run on both.
//
// Between acquire and release nothing may block, allocate, panic, make a system call or call a
// caller's code.

package shard

import (
	"sync/atomic"
	_ "unsafe" // for linkname
)

// PerP names how a draw finds its state, for Status.
const PerP = "procPin"

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()

// maxP is how many Ps can have a state. GOMAXPROCS may change at any time; a P that comes back
// finds its state again. The table takes 8 bytes a P, and its fixed address saves the hot path two
// loads.
const maxP = 1024

// perP holds each P's state, nil until its first draw. Only adopt writes it. All Ps beyond maxP
// share the last element, which stays nil. (With min instead of a branch acquire is small enough to
// be inlined.)
var perP [maxP + 1]atomic.Pointer[State]

// token is the argument of release, which needs none here.
type token struct{}

// acquire pins the P and returns its state, nil if it has none yet. The caller calls release in
// either case.
func acquire() (*State, token) {
	return perP[min(uint(procPin()), maxP)].Load(), token{}
}

func release(token) { procUnpin() }

// adopt is like acquire, but gives the P a state if it has none. On a P beyond maxP it returns nil,
// and the caller must not call release.
func adopt() (*State, token) {
	for {
		p := procPin()
		procUnpin() // newSlot takes a lock, and the goroutine may move to another P
		if p >= maxP {
			return nil, token{}
		}

		if perP[p].Load() == nil {
			s := newSlot()
			if !perP[p].CompareAndSwap(nil, s) {
				freeSlot(s)
			}
		}

		s, t := acquire()
		if s != nil {
			return s, t
		}
		release(t)
	}
}
