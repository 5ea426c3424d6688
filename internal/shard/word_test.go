// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package shard

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"fount/internal/seam"
)

// withWord runs the test with a word that the test moves.
func withWord(t *testing.T) {
	seam.SetWord(new(uint64))
	Reseed() // what was made under another word is stale
	t.Cleanup(func() {
		seam.Forget()
		Reseed()
	})
}

// withoutWord runs the test in mode window.
func withoutWord(t *testing.T) {
	seam.SetOff(true)
	Reseed()
	t.Cleanup(func() {
		seam.Forget()
		Reseed()
	})
}

// With a word a refill is large, and most refills take no seed.
func TestHeldWordMakesLargeRefills(t *testing.T) {
	withWord(t)
	s := New()
	defer Free(s)
	var b [16]byte
	s.Read16(&b)
	if s.left != Full-16 {
		t.Errorf("%d bytes are left after the first draw, want %d", s.left, Full-16)
	}
	for range 1000 {
		s.Read16(&b)
	}
	if n := s.reseeds.Load(); n != 1 {
		t.Errorf("%d seeds for 16,016 bytes, want 1", n)
	}
	for range (maxBytes + spread) / 16 {
		s.Read16(&b)
	}
	if n := s.reseeds.Load(); n != 2 {
		t.Errorf("%d seeds after a MiB and 64 KiB more, want 2", n)
	}
}

// Without one each refill is small and takes a seed.
func TestNoWordMakesSmallRefills(t *testing.T) {
	withoutWord(t)
	s := New()
	defer Free(s)
	var b [16]byte
	for range 10 * Window / 16 {
		s.Read16(&b)
		if s.left > Window {
			t.Fatalf("%d bytes are buffered, want at most %d", s.left, Window)
		}
	}
	if n := s.reseeds.Load(); n != 10 {
		t.Errorf("%d seeds for %d bytes, want 10", n, 10*Window)
	}
}

// What lies in a buffer when the word moves is never served.
func TestMovedWordDropsWhatIsBuffered(t *testing.T) {
	withWord(t)
	for name, draw := range map[string]func(*State){
		"Read12":  func(s *State) { var b [12]byte; s.Read12(&b) },
		"Read16":  func(s *State) { var b [16]byte; s.Read16(&b) },
		"Read20":  func(s *State) { var b [20]byte; s.Read20(&b) },
		"Read24":  func(s *State) { var b [24]byte; s.Read24(&b) },
		"Read32":  func(s *State) { var b [32]byte; s.Read32(&b) },
		"Uint64":  func(s *State) { s.Uint64() },
		"Uint32":  func(s *State) { s.Uint32() },
		"Uint64n": func(s *State) { s.Uint64n(7919) },
		"Read":    func(s *State) { s.Read(make([]byte, 100)) },
	} {
		s := New()
		draw(s)
		buffered := secrets{}
		buffered.add(name, s.block[keySize:][:s.left])
		draw(s)
		if n := s.reseeds.Load(); n != 1 {
			t.Fatalf("%s, control: a draw while the word stands still took a seed", name)
		}
		seam.Advance()
		draw(s)
		after := s.block[keySize:][:s.left]
		if n := s.reseeds.Load(); n != 2 {
			t.Errorf("%s: no new seed after the word moved", name)
		}
		for i := range len(after) - 7 {
			if _, ok := buffered[binary.LittleEndian.Uint64(after[i:])]; ok {
				t.Fatalf("%s: the buffer still holds what it held when the word moved", name)
			}
		}
		Free(s)
	}
}

// The same for the states of the Ps.
func TestMovedWordReachesThePs(t *testing.T) {
	withWord(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	Uint64()
	before := ReadStats().Reseeds
	seam.Advance()
	Uint64()
	if now := ReadStats().Reseeds; now <= before {
		t.Error("a draw after the word moved took no seed")
	}
}

// Draws race with a word that keeps moving: some are redone, none is left
// wiped. With the word at rest none is (the control).
func TestDrawsRaceWithTheWord(t *testing.T) {
	withWord(t)
	b := make([]byte, chunk)
	start := redone.Load()
	for range 20 {
		Read(b)
	}
	if now := redone.Load(); now != start {
		t.Fatalf("control: %d draws were redone while the word stood still", now-start)
	}
	var stop atomic.Bool
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop.Store(true)
	wg.Go(func() {
		for !stop.Load() {
			seam.Advance()
			runtime.Gosched()
		}
	})
	for range 100000 {
		Read(b)
		if bytes.Equal(b[:8], make([]byte, 8)) || bytes.Equal(b[chunk-8:], make([]byte, 8)) {
			t.Fatal("a redone read was left wiped")
		}
		if redone.Load() > start+3 {
			return
		}
	}
	t.Error("no read was redone while the word kept moving")
}

// A word that is taken away leaves no state that trusts it.
func TestLostWordShrinksTheBuffers(t *testing.T) {
	withWord(t)
	s := New()
	defer Free(s)
	s.Uint64()
	seam.SetOff(true)
	Reseed()
	s.Uint64()
	if s.left > Window {
		t.Errorf("%d bytes are buffered without a word, want at most %d", s.left, Window)
	}
}

// A checkpoint restored under another kernel may find a lesser word. After
// Reseed no old sum of epoch and word comes again.
func TestReseedOutweighsAWordThatFalls(t *testing.T) {
	w := new(uint64)
	seam.SetWord(w)
	t.Cleanup(func() {
		seam.Forget()
		Reseed()
	})
	s := New()
	defer Free(s)
	s.Uint64()
	for _, fall := range []uint64{1, 2, 1000, 1 << 20} {
		n := s.reseeds.Load()
		atomic.AddUint64(w, -fall)
		Reseed()
		s.Uint64()
		if s.reseeds.Load() == n {
			t.Errorf("the word fell by %d: a draw after Reseed took no seed", fall)
		}
	}
}

// A value of several draws is made again for each move of the word, and for some calls of
// Reseed.
func TestWatch(t *testing.T) {
	withWord(t)
	w := NewWatch()
	want := func(moved bool, after string) {
		t.Helper()
		if got := w.Moved(); got != moved {
			t.Errorf("after %s: moved %v, want %v", after, got, moved)
		}
	}
	want(false, "nothing")
	for range patience {
		Reseed()
		want(true, "a Reseed")
		want(false, "nothing more")
	}
	Reseed()
	want(false, "more of them than patience")
	seam.Advance()
	want(true, "the word moved")
	Reseed()
	want(false, "one more Reseed")
	Reseed()
	seam.Advance()
	want(true, "both")
}

// A bulk read without a word mixes the time in, as a seed does: clones of which nobody
// was told, and whose kernel answers alike, part there. With a word it is the key's
// alone (the control: equal states read alike).
func TestBulkMixesTheTime(t *testing.T) {
	equal := func() bool {
		a, b := New(), New()
		defer Free(a)
		defer Free(b)
		a.Uint64() // seeded
		b.Uint64()
		copy(b.block[:], a.block[:])
		seam.SetRoute(seam.RouteZero)
		defer seam.SetRoute(seam.RouteKernel)
		one, other := make([]byte, fullRefill+1), make([]byte, fullRefill+1)
		a.Read(one)
		b.Read(other)
		return bytes.Equal(one, other)
	}
	t.Run("word", func(t *testing.T) {
		if withWord(t); !equal() {
			t.Error("control: equal states read differently")
		}
	})
	t.Run("window", func(t *testing.T) {
		if withoutWord(t); equal() {
			t.Error("two bulk reads at two times are equal where the kernel says the same")
		}
	})
}
