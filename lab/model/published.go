// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// What others measured.

// Patch is the source of the published figures.
const Patch = `Andi Kleen's patch of 2015, "Make /dev/urandom scalable"`

// The machine of the patch, a Xeon v3, and its figures: the throughput of random bytes that all threads of 1 to 4
// sockets draw in parallel, to that of one socket.
const (
	patchCores   = 18 // of a socket
	patchThreads = 2  // of a core
	patchWaiting = 0.80
)

var (
	patchSockets = []int{1, 2, 3, 4}
	onePool      = []float64{1, 0.75, 0.55, 0.42} // one locked pool; over 80 % of the CPU time of 4 sockets waits for it
	poolPerNode  = []float64{1, 2, 2.4, 3}        // a pool for each node
)

// What fount costs on the machine of docs/performance.md, which the designs are modelled with.
const (
	fountNonce  = 16.6  // ns for a 16-byte nonce
	fountNode   = 128   // ns for a draw on a node's pool, with its lock
	fountReseed = 65472 // nonces that a state makes of one such draw, on average
	stateLines  = 2     // cache lines of a state that a nonce touches: its counters and the bytes
)

// PatchFigures are what the patch of 2015 published: the throughput of so many sockets to that of one.
func PatchFigures() (sockets []int, lockedPool, perNode []float64) {
	return patchSockets, onePool, poolPerNode
}
