// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package shard holds the generator states that serve every random byte: one
// for each P, with no lock, system call or allocation between a caller and its
// bytes. It is not a source of randomness: package pools makes the seeds.
//
// A draw is of one generation: if the machine is cloned or Reseed is called before
// the draw's last look, none of its bytes was made before that. To ensure this, the
// draw is wiped and made again as a whole. A read of more than 64 KiB is one draw for
// each 64 KiB, and keeps those that were finished.
//
// Read the files in this order:
//
//	state.go      one state: the next key first, then bytes served and zeroed
//	generation.go what moves when states go stale
//	fixed.go      draws of a fixed size: pin a state, look, copy, look again
//	bounded.go    integers below a bound
//	draw.go       draws of any length, and those that a buffer's end cuts in two
//	bulk.go       reads larger than a buffer, straight into the caller's memory
//	reseed.go     refills, and the seeds that they need now and then
//	own.go        states that belong to a Generator
//	perp_pin.go   which state is this P's, by pinning the P (tested toolchains)
//	perp_pool.go  the same by sync.Pool (all others)
//	slots.go      where states live, and how a dropped one is wiped and reused
//	epoch.go      Reseed
//	_gen          writes fixed.go; a module of its own
package shard

//go:generate env GOWORK=off go run -C _gen . -out ..
