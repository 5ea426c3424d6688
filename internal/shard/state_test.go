// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"bytes"
	"encoding/binary"
	"testing"

	"fount/internal/chacha"
	"fount/internal/kernel"
)

// keystream is what a refill of size bytes must make from key.
func keystream(size int, key [keySize]byte) []byte {
	out := make([]byte, size)
	chacha.Keystream(out, &key, 0)
	return out
}

func count(from byte) (b [keySize]byte) {
	for i := range b {
		b[i] = from + byte(i)
	}
	return b
}

// The next key is the first thing a refill makes, and what is served lies
// behind it, last byte first; refills of both sizes may follow each other.
func TestRefillMakesTheKeyFirst(t *testing.T) {
	s := New()
	defer Free(s)
	key := count(7)
	s.mix(&key)
	for round, size := range []int{windowRefill, fullRefill, fullRefill, windowRefill, windowRefill} {
		want := keystream(size, key)
		s.refill(size, generation())

		copy(key[:], want)
		if *s.key() != key {
			t.Fatalf("round %d: the key is not the keystream's first %d bytes", round, keySize)
		}
		if s.left != uint64(size-keySize) {
			t.Fatalf("round %d: %d bytes are left to serve, want %d", round, s.left, size-keySize)
		}
		if behind := s.block[size:]; !bytes.Equal(behind, make([]byte, len(behind))) {
			t.Fatalf("round %d: bytes lie behind what is served", round)
		}
		var got []byte
		for _, n := range []int{1, 16, 8, 4, 100, Full} {
			b := make([]byte, n)
			got = append(b[:s.take(b, generation())], got...)
		}
		if !bytes.Equal(got, want[keySize:]) {
			t.Fatalf("round %d: served bytes are not the keystream's others", round)
		}
	}
}

// Each draw that a buffer holds whole serves the bytes that a claim is of, and clears them.
func TestDrawsClearWhatTheyServe(t *testing.T) {
	s := onOneP(t)
	type draw struct {
		size int
		draw func() []byte
	}
	draws := []draw{
		{4, func() []byte { return binary.NativeEndian.AppendUint32(nil, Uint32()) }},
		{8, func() []byte { return binary.NativeEndian.AppendUint64(nil, Uint64()) }},
		{12, func() []byte { var b [12]byte; Read12(&b); return b[:] }},
		{16, func() []byte { var b [16]byte; Read16(&b); return b[:] }},
		{24, func() []byte { var b [24]byte; Read24(&b); return b[:] }},
		{32, func() []byte { var b [32]byte; Read32(&b); return b[:] }},
		{4, func() []byte { Uint64n(7919); return nil }},
	}
	for n := range 100 {
		draws = append(draws, draw{n + 1, func() []byte { b := make([]byte, n+1); Read(b); return b }})
	}
	for _, d := range draws {
		end := fullRefill - d.size
		var before [fullRefill]byte
		var got []byte
		s.left = 0
		for tries := 10; int(s.left) != end-keySize; tries-- { // the kernel may reseed between
			if tries == 0 {
				t.Fatalf("%d bytes are left after a draw of %d, want %d", s.left, d.size, end-keySize)
			}
			Uint64()
			s.refill(fullRefill, generation())
			before = s.block
			got = d.draw()
		}
		if got != nil && !bytes.Equal(got, before[end:]) {
			t.Errorf("%d bytes: drew %x, want %x", d.size, got, before[end:])
		}
		if !bytes.Equal(s.block[end:], make([]byte, d.size)) {
			t.Errorf("%d bytes: served bytes are still there", d.size)
		}
		if !bytes.Equal(s.block[:end], before[:end]) {
			t.Errorf("%d bytes: bytes not served yet were changed", d.size)
		}
	}
}

// Zero memory, as a fork or a wipe leaves it, serves nothing under any
// generation, and one draw later it is a seeded state again.
func TestAllZeroMeansUnseededAndEmpty(t *testing.T) {
	if generation() == 0 {
		t.Fatal("generation is 0, which zero memory matches")
	}
	s := onOneP(t)
	Uint64()
	n := s.reseeds.Load()
	s.left, s.generation, s.expires, s.budget, s.block = 0, 0, 0, 0, [fullRefill]byte{}

	var a [16]byte
	if s.take(a[:], generation()) != 0 {
		t.Fatal("zero memory was served")
	}
	if Read16(&a); a == [16]byte{} || s.reseeds.Load() == n || s.left == 0 {
		t.Errorf("a draw after the wipe: %x, %d seeds, %d bytes left", a, s.reseeds.Load()-n, s.left)
	}
}

// When the next seed is due.
func TestDue(t *testing.T) {
	gen := generation()
	for name, test := range map[string]struct {
		s    *State
		want bool
	}{
		"fresh":     {&State{generation: gen, budget: fullRefill, expires: 100}, false},
		"no state":  {nil, true},
		"wiped":     {&State{}, true},
		"a minute":  {&State{generation: gen, budget: fullRefill, expires: 99}, true},
		"a MiB":     {&State{generation: gen, budget: fullRefill - 1, expires: 100}, true},
		"other one": {&State{generation: gen - 1, budget: fullRefill, expires: 100}, true},
	} {
		if got := test.s.needsSeed(gen, 99); got != test.want {
			t.Errorf("%s: due is %v, want %v", name, got, test.want)
		}
	}
}

// A seed sets the schedule: a minute, and between 1 MiB and 64 KiB more; none
// where buffers are small.
func TestSeedSetsTheSchedule(t *testing.T) {
	budgets := map[int64]bool{}
	for range 100 {
		var s State
		var d seed
		d.draw()
		d.size = fullRefill // also where the machine has no counter, or the counter has just moved
		kernel.Read(d.bytes[:])
		d.refill(&s)
		if s.expires != d.now+60e9 {
			t.Fatalf("the next seed is due %d ns after this one, want 60e9", s.expires-d.now)
		}
		made := s.budget + fullRefill
		if made < 1<<20 || made >= 1<<20+1<<16 {
			t.Fatalf("%d bytes may be made before the next seed, want 1 MiB to 64 KiB more", made)
		}
		budgets[made] = true

		d.size = windowRefill
		d.refill(&s)
		if !s.needsSeed(d.gen, d.now) {
			t.Fatal("after a small refill no seed is due")
		}
	}
	if len(budgets) < 50 {
		t.Errorf("100 budgets have %d values: states reseed in step", len(budgets))
	}
}
