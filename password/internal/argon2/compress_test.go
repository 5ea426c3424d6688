// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package argon2

import (
	"math/rand/v2"
	"testing"
)

// setLevel has the test run with ladder[level].
func setLevel(t testing.TB, level int) {
	old := inUse
	inUse = level
	t.Cleanup(func() { inUse = old })
}

// eachLevel runs f as a test for each implementation that this processor has.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	for level, name := range ladder {
		t.Run(name, func(t *testing.T) {
			if level > fastest() {
				t.Skipf("this processor lacks %s", name)
			}
			setLevel(t, level)
			f(t)
		})
	}
}

// Every implementation computes what the portable one does, wherever out lies, changes nothing
// else, and picks the reference that window.pick does.
func TestCompress(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	eachLevel(t, func(t *testing.T) {
		for i := range 1000 {
			var in [3]Block
			for j := range in {
				for w := range in[j] {
					in[j][w] = r.Uint64() >> (r.Uint32() % 64)
					if i%3 == 0 {
						in[j][w] = -(r.Uint64() & 1) // all bits or none: every carry
					}
				}
			}
			want, got := in, in
			var z Block
			o, xor := i%3, i%2 == 1
			compressGeneric(&want[o], &want[0], &want[1], xor, &z)
			size := 1 + r.Uint64N(1<<r.Uint64N(32)) // of a lane without memory, which prefetching doesn't need
			n := 1 + r.Uint64N(size)
			next := &window{lane: &got[0], n: n, last: n - 1 + r.Uint64N(size), size: size}
			if i%4 == 0 {
				next = nil
			}
			compress(&got[o], &got[0], &got[1], xor, &z, next)
			if got != want {
				t.Fatalf("input %d, out is block %d, xor %t: other blocks than the portable code's", i, o, xor)
			}
			if next != nil {
				if ref := next.pick(want[o][0]); next.ref != ref || ref >= size {
					t.Fatalf("input %d: out's first word %#x picks %d of %+v, want %d", i, want[o][0], next.ref, *next, ref)
				}
			}
		}
	})
}

func BenchmarkCompress(b *testing.B) {
	for level, name := range ladder {
		b.Run(name, func(b *testing.B) {
			if level > fastest() {
				b.Skipf("this processor lacks %s", name)
			}
			setLevel(b, level)
			var in [3]Block
			var z Block
			b.SetBytes(blockBytes)
			for b.Loop() {
				compress(&in[2], &in[0], &in[1], true, &z, nil)
			}
		})
	}
}
