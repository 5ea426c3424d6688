// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package pools makes seeds: of the kernel's bytes, what tells clones apart, and 32 bytes of a pool. There is
// one input pool, into which everything is hashed, and one pool for each NUMA node, from which the generators
// on that node take their share. It is not a generator: package shard is, and mixes each seed into a key.
// Package pool is its face for users.
//
// Read the files in this order; bytes flow from the first to the last:
//
//	source.go      where the bytes come from, and what a seed is made of
//	input.go       the input pool: hashed in, and re-keyed by each extraction
//	feed.go        when there is something new, and for which node it is
//	node.go        one node's pool
//	pools.go       the process's pools, and Mix
//	seedfile.go    a file that carries every node's state over a restart
//	seedformat.go  what is in the file
//	seeddisk.go    each step on the file, in the only safe order
//	status.go      what is in force
//	hash.go        the key derivation of all of them
//
// Mixing and crediting are different: anything may be mixed in at any time and can
// do no harm, and only what is credited counts. A credit is a number of bits and
// grows only. Draws take nothing from it, because ChaCha20's output tells nothing of
// its key; a clone of the machine sets all of them to 0.
//
// docs/design.md has the reasons.
package pools
