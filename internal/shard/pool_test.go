// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package shard

import (
	"testing"

	"fount/internal/pools"
	"fount/internal/processor"
	"fount/internal/seam"
	"fount/uniqueness"
)

// drawsOfPools is how many times a state has drawn on a node. The pools have their keys
// before it is asked, because making them draws too.
func drawsOfPools() (n uint64) {
	pools.Mix(new([32]byte))
	for _, node := range pools.Status().Nodes {
		n += node.Draws
	}
	return n
}

// zeroKernel has the kernel say nothing but zeros, so that what else a seed holds shows.
// The pools have had real bytes before.
func zeroKernel(t *testing.T) {
	pools.Mix(new([32]byte))
	seam.SetRoute(seam.RouteZero)
	t.Cleanup(func() {
		seam.SetRoute(seam.RouteKernel)
		pools.Expire()
		Reseed() // no state keeps a key that was made meanwhile
	})
}

// drawn is a seed of a refill of n bytes: the size is the mode's, but for the 100 ms in
// which the word has just moved.
func drawn(t *testing.T, n int) (d seed) {
	for d.size != n {
		if d.draw(); n == fullRefill && d.size != n && !uniqueness.Settling() {
			t.Fatalf("a seed of a refill of %d bytes, want %d", d.size, n)
		}
	}
	return d
}

// The seed of a full refill holds 32 bytes of a node's, and one draw of it counts once.
func TestFullSeedTakesFromThePools(t *testing.T) {
	withWord(t)
	zeroKernel(t)
	drawn(t, fullRefill) // whatever is due to be fed
	before := drawsOfPools()
	a := drawn(t, fullRefill)
	if got := drawsOfPools() - before; got != 2 { // the second is drawsOfPools' own
		t.Errorf("a full seed drew %d times on a node, want 1", got-1)
	}
	b := drawn(t, fullRefill)
	if key := [32]byte(a.bytes[:]); key == [32]byte{} || key == [32]byte(b.bytes[:]) {
		t.Errorf("with a kernel that says zeros alone two seeds are %x and %x", a.bytes, b.bytes)
	}
	t.Cleanup(processor.Pretend(processor.View{})) // no RDRAND: after the time there are the pools alone
	c := drawn(t, fullRefill)
	for i := 8; i < keySize; i += 8 {
		if [8]byte(c.bytes[i:]) == [8]byte{} {
			t.Errorf("bytes %d to %d of a seed have nothing of the pools", i, i+7)
		}
	}
	if [seedBytes - keySize]byte(c.bytes[keySize:]) != [seedBytes - keySize]byte{} {
		t.Errorf("control: without kernel and processor a seed is %x", c.bytes)
	}
}

// In mode window nothing of the pools reaches a seed, only the time: a clone has the same
// pools, and a refill of fourteen nonces can't pay for one more lock.
func TestWindowSeedTakesNothingFromThePools(t *testing.T) {
	withoutWord(t)
	zeroKernel(t)
	before := drawsOfPools()
	d := drawn(t, windowRefill)
	if got := drawsOfPools() - before; got != 1 {
		t.Errorf("a seed in mode window drew %d times on a node, want 0", got-1)
	}
	if [seedBytes - 8]byte(d.bytes[8:]) != [seedBytes - 8]byte{} {
		t.Errorf("with a kernel that says zeros alone a seed in mode window is %x", d.bytes)
	}
}
