// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package chacha

import (
	"bytes"
	"testing"
)

// TestRefill compares refill after refill with x/crypto, at each offset in a cache line, and looks for
// writes outside of the block.
func TestRefill(t *testing.T) {
	const margin = 64
	for _, size := range []int{1024, 256} {
		check := func(t *testing.T) {
			want := make([]byte, size)
			for offset := range 64 {
				buf := bytes.Repeat([]byte{0xa5}, margin+offset+size+margin)
				block := buf[margin+offset:][:size]
				key := randomKey(byte(offset))
				copy(block, key[:])
				for range 4 {
					reference(want, &key, 0)
					if size == 1024 {
						Refill((*[1024]byte)(block))
					} else {
						RefillWindow((*[256]byte)(block))
					}
					if !bytes.Equal(block, want) {
						t.Fatalf("%d bytes at offset %d differ from x/crypto", size, offset)
					}
					key = [32]byte(block)
				}
				if firstOther(buf[:margin+offset], 0xa5) >= 0 || firstOther(buf[margin+offset+size:], 0xa5) >= 0 {
					t.Fatalf("%d bytes at offset %d: wrote outside of them", size, offset)
				}
			}
		}
		t.Run("default", check)
		forEachCap(t, check)
	}
}

func TestRefillAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	forEachCap(t, func(t *testing.T) {
		if n := testing.AllocsPerRun(100, func() {
			var block [1024]byte
			Refill(&block)
			RefillWindow((*[256]byte)(block[:]))
		}); n != 0 {
			t.Errorf("%v allocations with the block on the stack, want 0", n)
		}
	})
}

// BenchmarkRefill is what a shard pays for 992 bytes, or for 224.
func BenchmarkRefill(b *testing.B) {
	var block [1024]byte
	bench := func(size int, refill func()) {
		for level := fastest(); level >= 0; level-- {
			b.Run(benchName(size, ladder[level]), func(b *testing.B) {
				capTo(b, ladder[level])
				b.SetBytes(int64(size))
				for b.Loop() {
					refill()
				}
			})
		}
	}
	bench(1024, func() { Refill(&block) })
	bench(256, func() { RefillWindow((*[256]byte)(block[:])) })
}
