// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"bytes"
	"testing"

	"fount/internal/chacha"
)

// keystream is what a refill of a state with the given key and seed must make.
func keystream(key, seed [keySize]byte) (out [Refill]byte) {
	for i := range seed {
		key[i] ^= seed[i]
	}
	chacha.Keystream(out[:], &key, 0)
	return out
}

func count(from byte) (b [keySize]byte) {
	for i := range b {
		b[i] = from + byte(i)
	}
	return b
}

// The next key is the first thing a refill makes, and what is served begins
// after it.
func TestRefillMakesTheKeyFirst(t *testing.T) {
	s := New()
	defer Free(s)
	var key [keySize]byte // of an unseeded state
	for round := range 3 {
		seed := count(byte(1 + 40*round))
		want := keystream(key, seed)
		s.refill(&seed, generation())

		copy(key[:], want[:keySize])
		if !bytes.Equal(s.block[:keySize], key[:]) {
			t.Fatalf("round %d: key is not the keystream's first %d bytes", round, keySize)
		}
		var got []byte
		for _, n := range []int{1, 16, 8, 4, 100, Window} {
			b := make([]byte, n)
			got = append(got, b[:s.take(b, generation())]...)
		}
		if !bytes.Equal(got, want[keySize:]) {
			t.Fatalf("round %d: served bytes are not the keystream's other %d", round, Window)
		}
	}
}

// A fixed-size draw serves the same bytes as a draw of that length.
func TestTakesServeInOrder(t *testing.T) {
	s := New()
	defer Free(s)
	seed := count(7)
	want := keystream([keySize]byte{}, seed)
	s.refill(&seed, generation())
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
	if !bytes.Equal(s.block[keySize:60], make([]byte, 60-keySize)) {
		t.Error("served bytes are still there")
	}
	if !bytes.Equal(s.block[60:], want[60:]) {
		t.Error("bytes not served yet were changed")
	}
}

// Too few bytes left: a fixed-size draw takes none of them.
func TestTakesAreAllOrNothing(t *testing.T) {
	s := New()
	defer Free(s)
	seed := count(7)
	s.refill(&seed, generation())
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
	s.left, s.epoch, s.block = 0, 0, [Refill]byte{}

	var a [16]byte
	_, ok8 := s.take8(generation())
	_, ok4 := s.take4(generation())
	if s.take16(&a, generation()) || ok8 || ok4 || s.take(a[:], generation()) != 0 {
		t.Fatal("zero memory was served")
	}
	s.Read16(&a)
	if a == [16]byte{} || s.reseeds.Load() != n+1 || s.epoch != generation() {
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
	if !bytes.Equal(s.block[keySize:], make([]byte, Window)) {
		t.Error("bytes not served were kept")
	}
	if [keySize]byte(s.block[:]) != key {
		t.Error("the key was lost: the next refill can't mix it in")
	}
	n := s.reseeds.Load()
	s.Uint64()
	if s.reseeds.Load() != n+1 {
		t.Error("drew without a new seed")
	}
}
