// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package argon2

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	stdslices "slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	xargon2 "golang.org/x/crypto/argon2"

	"fount/internal/erase"
	"fount/internal/turn"
)

// RFC 9106, section 5: all three with password 32 times 1, salt 16 times 2,
// secret 8 times 3, data 12 times 4, m = 32 KiB, t = 3, p = 4, tag of 32 bytes.
//
// And the same of version 0x10, from kats/argon2*_v16 of P-H-C/phc-winner-argon2, commit
// f57e61e19229.
var rfc9106 = []struct {
	mode Mode
	old  bool
	tag  string
}{
	{mode: D, tag: "51 2b 39 1b 6f 11 62 97 53 71 d3 09 19 73 42 94 f8 68 e3 be 39 84 f3 c1 a1 3a 4d b9 fa be 4a cb"},
	{mode: I, tag: "c8 14 d9 d1 dc 7f 37 aa 13 f0 d7 7f 24 94 bd a1 c8 de 6b 01 6d d3 88 d2 99 52 a4 c4 67 2b 6c e8"},
	{mode: ID, tag: "0d 64 0d f5 8d 78 76 6c 08 c0 37 a3 4a 8b 53 c9 d0 1e f0 45 2d 75 b6 5e b5 25 20 e9 6b 01 e6 59"},
	{mode: D, old: true, tag: "96 a9 d4 e5 a1 73 40 92 c8 5e 29 f4 10 a4 59 14 a5 dd 1f 5c bf 08 b2 67 0d a6 8a 02 85 ab f3 2b"},
	{mode: I, old: true, tag: "87 ae ed d6 51 7a b8 30 cd 97 65 cd 82 31 ab b2 e6 47 a5 de e0 8f 7c 05 e0 2f cb 76 33 35 d0 fd"},
	{mode: ID, old: true, tag: "b6 46 15 f0 77 89 b6 6b 64 5b 67 ee 9e d3 b3 77 ae 35 0b 6b fc bb 0f c9 51 41 ea 8f 32 26 13 c0"},
}

func TestRFC9106(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, v := range rfc9106 {
			p := Params{
				Mode: v.mode, Old: v.old, Memory: 32, Passes: 3, Lanes: 4,
				Secret: bytes.Repeat([]byte{3}, 8), Data: bytes.Repeat([]byte{4}, 12),
			}
			for threads := range 5 {
				tag := make([]byte, 32)
				p.Sum(tag, bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 16), make([]Block, p.Blocks()), threads+1, nil)
				if got := fmt.Sprintf("% x", tag); got != v.tag {
					t.Errorf("mode %d, old %v, %d threads: %s, want %s", v.mode, v.old, threads+1, got, v.tag)
				}
			}
		}
	})
}

// x/crypto is an oracle where it has the variant.
func TestAgainstXCrypto(t *testing.T) {
	password := []byte("correct horse")
	salt := []byte("battery staple..")
	for _, memory := range []uint32{8, 37, 64, 1000, 4096} {
		for _, passes := range []uint32{1, 2, 3} {
			for _, lanes := range []uint32{1, 2, 3, 4} {
				if memory < 8*lanes {
					continue
				}
				for _, size := range []int{16, 32, 64, 65, 100} {
					if memory > 64 && size != 32 {
						continue // the size matters to the last step alone
					}
					check := func(mode Mode, want []byte) {
						p := Params{Mode: mode, Memory: memory, Passes: passes, Lanes: lanes}
						got := make([]byte, size)
						for level := range fastest() + 1 {
							setLevel(t, level)
							p.Sum(got, password, salt, make([]Block, p.Blocks()+3), 2, nil)
							if !bytes.Equal(got, want) {
								t.Errorf("level %d: %+v, %d bytes: %x, want %x", level, p, size, got, want)
							}
						}
					}
					check(I, xargon2.Key(password, salt, passes, memory, uint8(lanes), uint32(size)))
					check(ID, xargon2.IDKey(password, salt, passes, memory, uint8(lanes), uint32(size)))
				}
			}
		}
	}
}

// What was in the memory does not matter, nothing of it is left, and what lies beyond is not
// touched.
func TestMemoryIsOverwritten(t *testing.T) {
	p := Params{Mode: ID, Memory: 64, Passes: 2, Lanes: 2}
	memory := make([]Block, p.Blocks()+1)
	fill := func(with uint64) {
		for i := range memory {
			for w := range memory[i] {
				memory[i][w] = with
			}
		}
	}

	fill(1)
	password := []byte("correct horse")
	tag := make([]byte, 32)
	p.Sum(tag, password, []byte("battery staple.."), memory, 2, nil)
	if want := xargon2.IDKey(password, []byte("battery staple.."), 2, 64, 2, 32); !bytes.Equal(tag, want) {
		t.Errorf("in used memory: %x, want %x", tag, want)
	}

	after := stdslices.Clone(memory[:p.Blocks()])
	fill(2)
	p.Sum(tag, password, []byte("battery staple.."), memory, 2, nil)
	if !stdslices.Equal(after, memory[:p.Blocks()]) {
		t.Error("what is left depends on what the memory held before")
	}
	if beyond := memory[p.Blocks()]; beyond[0] != 2 || beyond[words-1] != 2 {
		t.Error("a block beyond the hash's was written")
	}

	if string(password) != "correct horse" {
		t.Errorf("the password is %q", password)
	}
}

// A turn ends after so many blocks, whatever the segments: with 16 lanes of 4 MiB
// together none has as many as a turn. And when nobody waits any more Sum ends,
// without a tag.
func TestTurns(t *testing.T) {
	for _, of := range []struct {
		memory, passes, lanes uint32
		threads               int
	}{{4096, 2, 1, 1}, {4096, 2, 16, 1}, {4096, 4, 16, 2}, {16384, 1, 16, 4}, {2040, 2, 255, 1}} {
		p := Params{Mode: ID, Memory: of.memory, Passes: of.passes, Lanes: of.lanes}
		memory := make([]Block, p.Blocks())
		all := int(of.memory*of.passes) / (lookEvery * turn.Looks)
		sum := func(patience int64) (bool, int64) {
			var asked atomic.Int64
			tag := make([]byte, 32)
			done := false
			synctest.Test(t, func(*testing.T) {
				done = p.Sum(tag, []byte("password"), []byte("battery staple.."), memory, of.threads,
					func() bool { return asked.Add(1) > patience })
			})
			if done == bytes.Equal(tag, make([]byte, 32)) {
				t.Errorf("%+v: done %v, tag %x", of, done, tag)
			}
			return done, asked.Load()
		}

		done, asked := sum(1 << 60)
		if !done || asked < int64(all-of.threads) || asked > int64(all)+8 { // start counts, too
			t.Errorf("%+v: done %v after %d yields; want about %d", of, done, asked, all)
		}
		if done, asked := sum(0); done || asked > int64(of.threads) {
			t.Errorf("%+v: done %v after %d yields, though nobody waits; want one of each thread at most", of, done, asked)
		}
	}
}

// setLevel has the test run with an implementation.
func setLevel(t testing.TB, level int) {
	old := inUse
	inUse = level
	t.Cleanup(func() { inUse = old })
}

// eachLevel runs f as a test for each implementation that this processor has.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	for level := range fastest() + 1 {
		t.Run(fmt.Sprint("level ", level), func(t *testing.T) {
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
			want := in
			got := in
			var z Block
			o := i % 3
			xor := i%2 == 1
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

func BenchmarkSum(b *testing.B) {
	password := []byte("correct horse")
	salt := []byte("battery staple..")
	for _, p := range []Params{
		{Mode: ID, Memory: 19456, Passes: 2, Lanes: 1},
		{Mode: ID, Memory: 47104, Passes: 1, Lanes: 1},
		{Mode: ID, Memory: 65536, Passes: 3, Lanes: 4},
	} {
		name := fmt.Sprintf("m=%d,t=%d,p=%d", p.Memory, p.Passes, p.Lanes)
		for level := range fastest() + 1 {
			b.Run(fmt.Sprint(name, "/level ", level), func(b *testing.B) {
				setLevel(b, level)
				memory, unmap := erase.Map[Block](p.Blocks())
				defer unmap()
				tag := make([]byte, 32)
				for b.Loop() {
					p.Sum(tag, password, salt, memory, 1, nil)
				}
			})
		}
		b.Run(name+"/xcrypto", func(b *testing.B) {
			for b.Loop() {
				xargon2.IDKey(password, salt, p.Passes, p.Memory, uint8(p.Lanes), 32)
			}
		})
	}
}
