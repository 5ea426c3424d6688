// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package shard holds the generator states that serve every random byte: one
// for each P, with no lock, system call or allocation between a caller and its
// bytes. It is not a source of randomness: states are keyed by package entropy.
//
// Read the files in this order; bytes flow from the last to the first:
//
//	state.go      one state: the next key first, then bytes served and zeroed
//	fixed.go      draws of a fixed size: pin a state, check, copy, check again
//	draw.go       draws of any length, the same by a loop
//	bulk.go       reads larger than a buffer, straight into the caller's memory
//	perp_pin.go   which state is this P's, by pinning the P (tested toolchains)
//	perp_pool.go  the same by sync.Pool (all others)
//	slots.go      where states live, and how a dropped one is wiped and reused
//	epoch.go      which states are too old to serve
package shard
