// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package shard holds the generator states that serve every random byte: one for each P, with no
// lock, system call or allocation between a caller and its bytes. It is not a source of randomness:
// a state's key comes from package kernel, and package entropy adds to it.
//
// A draw is of one generation: if the machine is cloned or Reseed is called before the draw's last
// look, none of its bytes was made before that. To ensure this, the draw is wiped and made again as
// a whole. A read of more than 64 KiB is one draw for each 64 KiB, and keeps those that were
// finished.
//
//	state.go      one state: the next key first, then bytes served and zeroed
//	draw.go       draws: pin a state, copy, look; and those that a buffer's end cuts in two
//	bounded.go    integers below a bound
//	refill.go     refills, and the seeds that they need now and then
//	generation.go what moves when states go stale; Reseed
//	perp_pin.go   which state is this P's, by pinning the P (tested toolchains)
//	perp_pool.go  the same by sync.Pool (all others)
//	slots.go      where states live
package shard
