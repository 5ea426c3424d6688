// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package shard

import (
	"bytes"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"fount/internal/clone"
	"fount/internal/entropy"
	"fount/internal/kernel"
)

// withWord runs the test with a word that the test moves.
func withWord(t *testing.T) {
	clone.SetWord(new(uint64))
	Reseed() // what was made under another word is stale
	t.Cleanup(func() {
		clone.Forget()
		Reseed()
	})
}

// withoutWord runs the test in mode window.
func withoutWord(t *testing.T) {
	clone.SetOff()
	Reseed()
	t.Cleanup(func() {
		clone.Forget()
		Reseed()
	})
}

// With a word a refill is large, and most refills take no seed.
func TestHeldWordMakesLargeRefills(t *testing.T) {
	withWord(t)
	s := onOneP(t)
	s.expire()
	var b [16]byte
	before := s.reseeds.Load()
	Read16(&b)
	if s.left != Full-16 {
		t.Errorf("%d bytes are left after the first draw, want %d", s.left, Full-16)
	}
	for range 1000 {
		Read16(&b)
	}
	if n := s.reseeds.Load() - before; n != 1 {
		t.Errorf("%d seeds for 16,016 bytes, want 1", n)
	}
	for range (maxBytes + spread) / 16 {
		Read16(&b)
	}
	if n := s.reseeds.Load() - before; n != 2 {
		t.Errorf("%d seeds after a MiB and 64 KiB more, want 2", n)
	}
}

// Without one each refill is small and takes a seed.
func TestNoWordMakesSmallRefills(t *testing.T) {
	withoutWord(t)
	s := onOneP(t)
	s.expire()
	var b [16]byte
	before := s.reseeds.Load()
	for range 10 * Window / 16 {
		Read16(&b)
		if s.left > Window {
			t.Fatalf("%d bytes are buffered, want at most %d", s.left, Window)
		}
	}
	if n := s.reseeds.Load() - before; n != 10 {
		t.Errorf("%d seeds for %d bytes, want 10", n, 10*Window)
	}
}

// A checkpoint restored under another kernel may find a lesser word. After
// Reseed no old sum of epoch and word comes again.
func TestReseedOutweighsAWordThatFalls(t *testing.T) {
	w := new(uint64)
	clone.SetWord(w)
	t.Cleanup(func() {
		clone.Forget()
		Reseed()
	})
	s := onOneP(t)
	s.expire()
	Uint64()
	for _, fall := range []uint64{1, 2, 1000, 1 << 20} {
		n := s.reseeds.Load()
		atomic.AddUint64(w, -fall)
		Reseed()
		Uint64()
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
	clone.Advance()
	want(true, "the word moved")
	Reseed()
	want(false, "one more Reseed")
	Reseed()
	clone.Advance()
	want(true, "both")
}

// zeroKernel has the kernel say nothing but zeros, so that what else a seed holds shows. The pools
// have had real bytes before.
func zeroKernel(t *testing.T) {
	entropy.Mix(new([keySize]byte), generation())
	kernel.SetRoute(kernel.RouteZero)
	t.Cleanup(func() {
		kernel.SetRoute(kernel.RouteKernel)
		Reseed() // no state keeps a key that was made meanwhile
	})
}

// seedOf is a seed's bytes.
func seedOf(large bool) []byte {
	d := seed{gen: generation()}
	d.fill(d.bytes[:], large)
	return d.bytes[:keySize]
}

func draws() (n uint64) {
	for _, node := range entropy.Status().Nodes {
		n += node.Draws
	}
	return n
}

// A large seed has 32 bytes of a node's, and one draw of it counts once. A small one has nothing of
// the pools, only the time: a clone has the same pools, and a refill of fourteen nonces can't pay
// for one more lock.
func TestWhatSeedsHold(t *testing.T) {
	withWord(t)
	zeroKernel(t)
	seedOf(true) // whatever is due to be fed
	before := draws()
	a, b := seedOf(true), seedOf(true)
	if got := draws() - before; got != 2 {
		t.Errorf("two large seeds drew %d times on a node", got)
	}
	for i := 8; i < keySize; i += 8 {
		if [8]byte(a[i:]) == [8]byte{} || [8]byte(a[i:]) == [8]byte(b[i:]) {
			t.Errorf("with a kernel that says zeros alone two large seeds are %x and %x", a, b)
		}
	}
	before = draws()
	small := seedOf(false)
	if got := draws() - before; got != 0 || [keySize - 8]byte(small[8:]) != [keySize - 8]byte{} || [8]byte(small) == [8]byte{} {
		t.Errorf("a small seed drew %d times on a node, and is %x with a kernel that says zeros alone", got, small)
	}
}

// A bulk read without a word mixes the time in, as a seed does: clones of which nobody was told,
// and whose kernel answers alike, part there. With a word it is the key's alone (the control: equal
// states read alike).
func TestBulkMixesTheTime(t *testing.T) {
	equal := func() bool {
		s := onOneP(t)
		Uint64() // seeded
		was := s.block
		left := s.left
		kernel.SetRoute(kernel.RouteZero)
		defer kernel.SetRoute(kernel.RouteKernel)
		one, other := make([]byte, fullRefill+1), make([]byte, fullRefill+1)
		Read(one)
		s.block, s.left = was, left
		Read(other)
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

// withEarlyWord runs the test with a word, as vmclock's is, that nobody has looked for yet.
func withEarlyWord(t *testing.T, check func() error) *uint64 {
	w := new(uint64)
	clone.SetEarly(w, check)
	Reseed()
	t.Cleanup(func() {
		clone.Forget()
		Reseed()
	})
	return w
}

// A seed looks for the word, which nothing else does: before a draw none is known. And it looks
// after it: what is no longer the word is not trusted any longer.
func TestSeedsLookForTheWord(t *testing.T) {
	var gone error
	withEarlyWord(t, func() error { return gone })
	if mode := clone.Status().Mode; mode != "window" {
		t.Fatalf("control: mode %q before a draw", mode)
	}
	Uint64()
	if r := clone.Status(); r.Mode != "vmclock" || !r.Held {
		t.Fatalf("mode %q after a draw, want vmclock", r.Mode)
	}
	gone = errors.New("it is another")
	Reseed()
	Uint64()
	if r := clone.Status(); r.Held {
		t.Errorf("%+v after a draw, want a word that was dropped", r)
	}
}

// For 100 ms after a word has moved that the kernel has not reseeded for yet, refills are small and
// each takes a seed, which has the processor's numbers in it besides the kernel's bytes; and then
// all is as before.
func TestWhileTheKernelSettles(t *testing.T) {
	word := withEarlyWord(t, func() error { return nil })
	s := onOneP(t)
	calm := func() {
		for clone.Settling() {
			time.Sleep(time.Millisecond)
		}
		s.expire()
		Uint64()
		if s.left != Full-8 {
			t.Fatalf("%d bytes are left when all has settled, want %d", s.left, Full-8)
		}
	}
	Uint64() // finds the word
	calm()
	for range 20 { // a machine that stops for 100 ms sees nothing
		atomic.AddUint64(word, 1)
		before := s.reseeds.Load()
		var b [Window]byte
		Read(b[:8])
		first := s.left
		Read(b[:])
		kernel.SetRoute(kernel.RouteZero)
		settling := seedOf(false)
		kernel.SetRoute(kernel.RouteKernel)
		still := clone.Settling()
		small := first == Window-8 && s.reseeds.Load()-before >= 2 && s.left <= Window
		calm()
		if !still {
			continue
		}
		if !small {
			t.Error("a refill was large after the word had moved")
		}
		for i := 8; i < keySize && kernel.MixCPU(make([]byte, 8)); i += 8 {
			if [8]byte(settling[i:]) == [8]byte{} {
				t.Errorf("after the word has moved bytes %d to %d of a seed are the kernel's alone", i, i+7)
			}
		}
		return
	}
	t.Error("the 100 ms were over before a seed was made, 20 times")
}
