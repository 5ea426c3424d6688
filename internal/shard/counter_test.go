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

// withCounter runs the test with a counter that it can advance.
func withCounter(t *testing.T) {
	clone.SetCounter(new(uint64))
	Reseed() // what was made under another counter is stale
	t.Cleanup(func() {
		clone.Forget()
		Reseed()
	})
}

// withoutCounter runs the test in mode window.
func withoutCounter(t *testing.T) {
	clone.SetOff()
	Reseed()
	t.Cleanup(func() {
		clone.Forget()
		Reseed()
	})
}

// Where clones are noticed a refill is large, and most refills take no seed. Where they are not,
// each is small and takes one.
func TestRefills(t *testing.T) {
	t.Run("counter", func(t *testing.T) {
		withCounter(t)
		s := onOneP(t)
		s.expire()
		seeds := s.reseeds.Load()
		drawTimes := func(n int) {
			var b [16]byte
			for range n {
				Read16(&b)
			}
		}

		drawTimes(1)
		if s.left != Full-16 {
			t.Errorf("%d bytes are left after the first draw, want %d", s.left, Full-16)
		}
		drawTimes(1000)
		if n := s.reseeds.Load() - seeds; n != 1 {
			t.Errorf("%d seeds for 16,016 bytes, want 1", n)
		}
		drawTimes((maxBytes + reseedJitter) / 16)
		if n := s.reseeds.Load() - seeds; n != 2 {
			t.Errorf("%d seeds after a MiB and 64 KiB more, want 2", n)
		}
	})

	t.Run("window", func(t *testing.T) {
		withoutCounter(t)
		s := onOneP(t)
		s.expire()
		seeds := s.reseeds.Load()
		for range 10 * Window / 16 {
			var b [16]byte
			Read16(&b)
			if s.left > Window {
				t.Fatalf("%d bytes are buffered, want at most %d", s.left, Window)
			}
		}
		if n := s.reseeds.Load() - seeds; n != 10 {
			t.Errorf("%d seeds for %d bytes, want 10", n, 10*Window)
		}
	})
}

// A checkpoint restored under another kernel may find a smaller counter. After Reseed no old
// generation comes again.
func TestReseedOutweighsACounterThatFalls(t *testing.T) {
	w := new(uint64)
	clone.SetCounter(w)
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
			t.Errorf("the counter fell by %d: a draw after Reseed took no seed", fall)
		}
	}
}

// A value of several draws is made again for each change of the counter, and for maxRedraws calls of
// Reseed.
func TestWatch(t *testing.T) {
	withCounter(t)
	w := NewWatch()
	want := func(after string, moved bool) {
		t.Helper()
		if got := w.Moved(); got != moved {
			t.Errorf("after %s: moved %v, want %v", after, got, moved)
		}
	}

	want("nothing", false)
	for range maxRedraws {
		Reseed()
		want("a Reseed", true)
		want("nothing more", false)
	}
	Reseed()
	want("one Reseed too many", false)
	clone.Advance()
	want("a change of the counter", true)
	Reseed()
	want("one more Reseed", false)
	Reseed()
	clone.Advance()
	want("both", true)
}

// zeroKernel has the kernel give zeros, so that what else a seed holds shows. The pools have had
// real bytes before.
func zeroKernel(t *testing.T) {
	entropy.Mix(new([keySize]byte), generation())
	kernel.SetRoute(kernel.RouteZero)
	t.Cleanup(func() {
		kernel.SetRoute(kernel.RouteKernel)
		Reseed() // no state keeps a key that was made meanwhile
	})
}

func seedOf(large bool) []byte {
	d := seed{gen: generation(), small: !large}
	d.fill()
	return d.bytes[:keySize]
}

// poolDraws returns how often the nodes' pools were drawn from.
func poolDraws() (n uint64) {
	for _, node := range entropy.Status().Nodes {
		n += node.Draws
	}
	return n
}

func TestLargeSeedsHoldBytesOfAPool(t *testing.T) {
	withCounter(t)
	zeroKernel(t)
	seedOf(true) // whatever is due to be fed
	before := poolDraws()
	a, b := seedOf(true), seedOf(true)
	if got := poolDraws() - before; got != 2 {
		t.Errorf("two seeds drew %d times", got)
	}
	for i := 8; i < keySize; i += 8 { // behind the time
		if [8]byte(a[i:]) == [8]byte{} || [8]byte(a[i:]) == [8]byte(b[i:]) {
			t.Errorf("with a kernel that gives zeros two seeds are %x and %x", a, b)
		}
	}
}

// A small seed has nothing of the pools, only the time: clones have the same pools, and a refill of
// fourteen nonces can't pay for one more lock.
func TestSmallSeedsHoldTheTime(t *testing.T) {
	withCounter(t)
	zeroKernel(t)
	before := poolDraws()
	small := seedOf(false)
	if got := poolDraws() - before; got != 0 {
		t.Errorf("a seed drew %d times", got)
	}
	if [8]byte(small) == [8]byte{} || [keySize - 8]byte(small[8:]) != [keySize - 8]byte{} {
		t.Errorf("with a kernel that gives zeros a seed is %x", small)
	}
}

// Without a counter a bulk read mixes the time in, as a seed does, so that unnoticed clones get
// different bytes although their kernels give the same.
func TestBulkMixesTheTime(t *testing.T) {
	twice := func(t *testing.T) (equal bool) {
		s := onOneP(t)
		Uint64() // seeded
		block, left := s.block, s.left
		kernel.SetRoute(kernel.RouteZero)
		defer kernel.SetRoute(kernel.RouteKernel)

		first, second := make([]byte, fullRefill+1), make([]byte, fullRefill+1)
		Read(first)
		s.block = block
		s.left = left
		Read(second)
		return bytes.Equal(first, second)
	}
	t.Run("window", func(t *testing.T) {
		withoutCounter(t)
		if twice(t) {
			t.Error("two reads of one state are equal")
		}
	})
	t.Run("control: counter", func(t *testing.T) {
		withCounter(t)
		if !twice(t) {
			t.Error("two reads of one state differ")
		}
	})
}

// withEarlyCounter runs the test with a counter like vmclock's, which was not searched for yet.
func withEarlyCounter(t *testing.T, check func() error) *uint64 {
	w := new(uint64)
	clone.SetEarly(w, check)
	Reseed()
	t.Cleanup(func() {
		clone.Forget()
		Reseed()
	})
	return w
}

// A seed searches for the counter; before a draw none is known. It also verifies it: a counter that
// is wrong is no longer trusted.
func TestSeedsLookForTheCounter(t *testing.T) {
	var gone error
	withEarlyCounter(t, func() error { return gone })
	if mode := clone.Status().Mode; mode != "window" {
		t.Fatalf("control: mode %q before a draw", mode)
	}
	Uint64()
	if mode := clone.Status().Mode; mode != "vmclock" || !clone.Trusted() {
		t.Fatalf("mode %q after a draw, want vmclock", mode)
	}
	gone = errors.New("it is another")
	Reseed()
	Uint64()
	if clone.Trusted() {
		t.Errorf("%+v after a draw, want a counter that was dropped", clone.Status())
	}
}

// For 100 ms after a change for which the kernel may not have reseeded yet, refills are small and
// each takes a seed, which has the processor's numbers besides the kernel's bytes. Then refills are
// large again.
func TestWhileTheKernelSettles(t *testing.T) {
	counter := withEarlyCounter(t, func() error { return nil })
	s := onOneP(t)
	Uint64() // finds the counter
	largeRefill := func() {
		for clone.Settling() {
			time.Sleep(time.Millisecond)
		}
		s.expire()
		Uint64()
		if s.left != Full-8 {
			t.Fatalf("%d bytes are left when the kernel has settled, want %d", s.left, Full-8)
		}
	}

	for range 20 { // a machine that stops for 100 ms sees nothing
		largeRefill()
		atomic.AddUint64(counter, 1)
		seeds := s.reseeds.Load()
		var b [Window]byte
		Read(b[:8])
		left := s.left
		Read(b[:])
		seeds = s.reseeds.Load() - seeds
		kernel.SetRoute(kernel.RouteZero)
		seed := seedOf(false)
		kernel.SetRoute(kernel.RouteKernel)
		if !clone.Settling() {
			continue
		}

		if left != Window-8 || s.left > Window || seeds < 2 {
			t.Errorf("%d and %d bytes are left after two draws, with %d seeds", left, s.left, seeds)
		}
		for i := 8; i < keySize && kernel.MixCPU(make([]byte, 8)); i += 8 {
			if [8]byte(seed[i:]) == [8]byte{} {
				t.Errorf("bytes %d to %d of a seed are the kernel's alone", i, i+7)
			}
		}
		largeRefill()
		return
	}
	t.Error("the 100 ms were over before a seed was made, 20 times")
}
