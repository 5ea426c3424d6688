// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"fount/internal/chacha"
	"fount/internal/kernel"
)

// keystream returns what a refill of size bytes must make from key.
func keystream(size int, key [keySize]byte) []byte {
	out := make([]byte, size)
	chacha.Keystream(out, &key, 0)
	return out
}

// The first bytes of a refill are the next key, the others are served from the last one on. Refills
// of both sizes may follow each other.
func TestRefillMakesTheKeyFirst(t *testing.T) {
	s := newSlot()
	defer freeSlot(s)
	key := [keySize]byte{7, 8, 9}
	s.mix(&key)
	for i, size := range []int{windowRefill, fullRefill, fullRefill, windowRefill, windowRefill} {
		t.Run(fmt.Sprintf("refill %d of %d bytes", i, size), func(t *testing.T) {
			made := keystream(size, key)
			key = [keySize]byte(made)

			s.refill(size, generation())
			if *s.key() != key {
				t.Errorf("the next key is not the keystream's first %d bytes", keySize)
			}
			if s.left != uint64(size-keySize) {
				t.Errorf("%d bytes are left to serve, want %d", s.left, size-keySize)
			}
			if behind := s.block[size:]; !bytes.Equal(behind, make([]byte, len(behind))) {
				t.Error("there are bytes behind those to serve")
			}

			var served []byte
			for _, n := range []int{1, 16, 8, 4, 100, Full} {
				b := make([]byte, n)
				n := s.take(b, generation())
				served = append(b[:n], served...)
			}
			if !bytes.Equal(served, made[keySize:]) {
				t.Error("served bytes are not the keystream's others")
			}
		})
	}
}

// A draw serves the last bytes of a buffer that holds enough, clears them there, and changes no
// others.
func TestDrawsClearWhatTheyServe(t *testing.T) {
	s := onOneP(t)
	check := func(name string, size int, draw func() []byte) {
		t.Run(name, func(t *testing.T) {
			end := fullRefill - size
			var before [fullRefill]byte
			var got []byte
			s.left = 0
			for tries := 10; int(s.left) != end-keySize; tries-- { // the kernel may reseed between
				if tries == 0 {
					t.Fatalf("%d bytes are left, want %d", s.left, end-keySize)
				}
				Uint64()
				s.refill(fullRefill, generation())
				before = s.block
				got = draw()
			}

			if got != nil && !bytes.Equal(got, before[end:]) {
				t.Errorf("drew %x, want %x", got, before[end:])
			}
			if !bytes.Equal(s.block[end:], make([]byte, size)) {
				t.Error("served bytes are still there")
			}
			if !bytes.Equal(s.block[:end], before[:end]) {
				t.Error("bytes not served yet were changed")
			}
		})
	}

	check("Uint32", 4, func() []byte { return binary.NativeEndian.AppendUint32(nil, Uint32()) })
	check("Uint64", 8, func() []byte { return binary.NativeEndian.AppendUint64(nil, Uint64()) })
	check("Uint64n", 4, func() []byte { Uint64n(7919); return nil })
	check("Read12", 12, func() []byte { var b [12]byte; Read12(&b); return b[:] })
	check("Read16", 16, func() []byte { var b [16]byte; Read16(&b); return b[:] })
	check("Read24", 24, func() []byte { var b [24]byte; Read24(&b); return b[:] })
	check("Read32", 32, func() []byte { var b [32]byte; Read32(&b); return b[:] })
	for n := 1; n <= 100; n++ {
		check(fmt.Sprintf("Read of %d", n), n, func() []byte { b := make([]byte, n); Read(b); return b })
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

func TestSeedDue(t *testing.T) {
	gen := generation()
	for name, test := range map[string]struct {
		s    *State
		want bool
	}{
		"fresh":            {s: &State{generation: gen, budget: fullRefill, expires: 100}, want: false},
		"no state":         {s: nil, want: true},
		"wiped":            {s: &State{}, want: true},
		"a minute old":     {s: &State{generation: gen, budget: fullRefill, expires: 99}, want: true},
		"1 MiB was made":   {s: &State{generation: gen, budget: fullRefill - 1, expires: 100}, want: true},
		"other generation": {s: &State{generation: gen - 1, budget: fullRefill, expires: 100}, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.s.needsSeed(gen, 99); got != test.want {
				t.Errorf("a seed is due: %v, want %v", got, test.want)
			}
		})
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
		d.small = false // also where the machine has no counter, or the counter has just moved
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

		d.small = true
		d.refill(&s)
		if !s.needsSeed(d.gen, d.now) {
			t.Fatal("after a small refill no seed is due")
		}
	}
	if len(budgets) < 50 {
		t.Errorf("100 budgets have %d values: states reseed in step", len(budgets))
	}
}
