// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package shard holds the generators' states, one for each P. They serve every random byte, without
// a lock, system call or allocation. The package is not a source of randomness: a state's key comes
// from package kernel, and package entropy adds to it.
//
// All bytes of a draw are of one generation. A draw ends by comparing generations. If the machine
// was cloned or Reseed was called before that, the draw is wiped and made again. A read of more
// than 64 KiB is one draw for each 64 KiB, and keeps those that were finished.
//
//	state.go      one state: its key and buffer
//	draw.go       draws of fixed and of any size
//	bounded.go    integers below a bound
//	refill.go     refills and seeds
//	generation.go what makes states stale; Reseed; Watch
//	perp_pin.go   a P's state, found by pinning the P (tested toolchains)
//	perp_pool.go  the same by sync.Pool (all others)
//	slots.go      the memory of all states
//	stats.go      the figures for Status
package shard
