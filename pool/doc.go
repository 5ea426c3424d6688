// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package pool stands between the sources of randomness and the generators that
// serve it: one input pool, into which everything is hashed, and one pool for each
// NUMA node, from which the generators on that node take keys. It is not a
// generator for programs: those draw from package fount, which mixes what comes
// from here with 32 bytes of the kernel's own at each reseed and is never weaker
// than these.
//
// Read the files in this order; bytes flow from the first to the last:
//
//	source.go      where the bytes come from
//	input.go       the input pool: hashed in, and re-keyed by each extraction
//	feed.go        when there is something new, and for which node it is
//	node.go        one node's pool
//	pool.go        Mix, which is all that a generator calls
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
// docs/design/0009-node-pools.md has the reasons.
package pool
