// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"bytes"
	"testing"

	"fount/internal/chacha"
)

// sizes are those of a refill.
var sizes = []int{windowRefill, fullRefill}

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

func xor(a, b [keySize]byte) [keySize]byte {
	for i := range a {
		a[i] ^= b[i]
	}
	return a
}

// A seed is added to the key that is there.
func TestMix(t *testing.T) {
	s := New()
	defer Free(s)
	a, b := count(1), count(99)
	s.mix(&a)
	if *s.key() != a {
		t.Errorf("the first seed is not the key")
	}
	s.mix(&b)
	if *s.key() != xor(a, b) {
		t.Errorf("the second seed is not added to the key")
	}
}

// The next key is the first thing a refill makes, and what is served begins
// after it; refills of both sizes may follow each other.
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
		if between := s.block[keySize : fullRefill-s.left]; !bytes.Equal(between, make([]byte, len(between))) {
			t.Fatalf("round %d: bytes lie between the key and what is served", round)
		}
		var got []byte
		for _, n := range []int{1, 16, 8, 4, 100, Full} {
			b := make([]byte, n)
			got = append(got, b[:s.take(b, generation())]...)
		}
		if !bytes.Equal(got, want[keySize:]) {
			t.Fatalf("round %d: served bytes are not the keystream's others", round)
		}
	}
}

// A fixed-size draw serves the same bytes as a draw of that length.
func TestTakesServeInOrder(t *testing.T) {
	for _, size := range sizes {
		s := New()
		key := count(7)
		want := keystream(size, key)
		s.mix(&key)
		s.refill(size, generation())
		var a [16]byte
		if !s.take16(&a, generation()) || !bytes.Equal(a[:], want[32:48]) {
			t.Errorf("take16 = %x, want %x", a, want[32:48])
		}
		if v, ok := s.take8(generation()); !ok || byte(v) != want[48] || byte(v>>56) != want[55] {
			t.Errorf("take8 = %x, want %x", v, want[48:56])
		}
		if v, ok := s.take4(generation()); !ok || byte(v) != want[56] || byte(v>>24) != want[59] {
			t.Errorf("take4 = %x, want %x", v, want[56:60])
		}
		rest := s.block[fullRefill-s.left:]
		if before := s.block[keySize : fullRefill-s.left]; !bytes.Equal(before, make([]byte, len(before))) {
			t.Error("served bytes are still there")
		}
		if !bytes.Equal(rest, want[60:]) {
			t.Error("bytes not served yet were changed")
		}
		Free(s)
	}
}

// Too few bytes left: a fixed-size draw takes none of them.
func TestTakesAreAllOrNothing(t *testing.T) {
	s := New()
	defer Free(s)
	s.refill(windowRefill, generation())
	s.take(make([]byte, Window-3), generation())
	var a [16]byte
	_, ok8 := s.take8(generation())
	_, ok4 := s.take4(generation())
	if s.take16(&a, generation()) || ok8 || ok4 || s.left != 3 {
		t.Errorf("a draw was served from 3 bytes; %d are left", s.left)
	}
}

// Zero memory, as a fork or a wipe leaves it, serves nothing under any
// generation, and one draw later it is a seeded state again.
func TestAllZeroMeansUnseededAndEmpty(t *testing.T) {
	if generation() == 0 {
		t.Fatal("generation is 0, which zero memory matches")
	}
	s := New()
	defer Free(s)
	s.Uint64()
	n := s.reseeds.Load()
	s.left, s.epoch, s.expires, s.budget, s.block = 0, 0, 0, 0, [fullRefill]byte{}

	var a [16]byte
	_, ok8 := s.take8(generation())
	_, ok4 := s.take4(generation())
	if s.take16(&a, generation()) || ok8 || ok4 || s.take(a[:], generation()) != 0 {
		t.Fatal("zero memory was served")
	}
	s.Read16(&a)
	if a == [16]byte{} || s.reseeds.Load() <= n || s.epoch == 0 {
		t.Errorf("after a wipe: drew %x with %d reseeds at epoch %d", a, s.reseeds.Load()-n, s.epoch)
	}
}

// Negative control of the test above: were the generation compared without
// the count of bytes left, a page wiped to zero would have served zeros.
func TestZeroGenerationWouldServeZeros(t *testing.T) {
	s := New()
	defer Free(s)
	s.left = 16 // and epoch 0, compared with 0
	a := [16]byte{1}
	if !s.take16(&a, 0) || a != [16]byte{} {
		t.Fatalf("control: drew %x, want zeros", a)
	}
}

func TestExpire(t *testing.T) {
	s := New()
	defer Free(s)
	s.Uint64()
	key := [keySize]byte(s.block[:])
	s.Expire()
	if !bytes.Equal(s.block[keySize:], make([]byte, Full)) {
		t.Error("bytes not served were kept")
	}
	if [keySize]byte(s.block[:]) != key {
		t.Error("the key was lost: the next refill can't mix it in")
	}
	n := s.reseeds.Load()
	s.Uint64()
	if s.reseeds.Load() <= n {
		t.Error("drew without a new seed")
	}
}

// When the next seed is due.
func TestDue(t *testing.T) {
	gen := generation()
	for name, test := range map[string]struct {
		s    *State
		want bool
	}{
		"fresh":       {&State{epoch: gen, budget: fullRefill, expires: 100}, false},
		"no state":    {nil, true},
		"wiped":       {&State{}, true},
		"a minute":    {&State{epoch: gen, budget: fullRefill, expires: 99}, true},
		"a MiB":       {&State{epoch: gen, budget: fullRefill - 1, expires: 100}, true},
		"other epoch": {&State{epoch: gen - 1, budget: fullRefill, expires: 100}, true},
	} {
		if got := test.s.due(gen, 99); got != test.want {
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
		d.size = fullRefill
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
		if !s.due(d.gen, d.now) {
			t.Fatal("after a small refill no seed is due")
		}
	}
	if len(budgets) < 50 {
		t.Errorf("100 budgets have %d values: states reseed in step", len(budgets))
	}
}
