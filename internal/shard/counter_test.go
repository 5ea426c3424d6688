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

// With a counter a refill is large, and most refills take no seed.
func TestTrustedCounterMakesLargeRefills(t *testing.T) {
	withCounter(t)
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
	for range (maxBytes + reseedJitter) / 16 {
		Read16(&b)
	}
	if n := s.reseeds.Load() - before; n != 2 {
		t.Errorf("%d seeds after a MiB and 64 KiB more, want 2", n)
	}
}

// Without one each refill is small and takes a seed.
func TestNoCounterMakesSmallRefills(t *testing.T) {
	withoutCounter(t)
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

// A checkpoint restored under another kernel may find a smaller counter. After Reseed no old sum of
// epoch and counter comes again.
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

// A value of several draws is made again for each change of the counter, and for some calls of
// Reseed.
func TestWatch(t *testing.T) {
	withCounter(t)
	w := NewWatch()
	want := func(moved bool, after string) {
		t.Helper()
		if got := w.Moved(); got != moved {
			t.Errorf("after %s: moved %v, want %v", after, got, moved)
		}
	}
	want(false, "nothing")
	for range maxRedraws {
		Reseed()
		want(true, "a Reseed")
		want(false, "nothing more")
	}
	Reseed()
	want(false, "more than maxRedraws of them")
	clone.Advance()
	want(true, "the counter changed")
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
	withCounter(t)
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

// Without a counter a bulk read mixes the time in, as a seed does, so that unnoticed clones get
// different bytes although their kernels give the same. With a counter it does not (the control:
// equal states read equal bytes).
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
	t.Run("counter", func(t *testing.T) {
		if withCounter(t); !equal() {
			t.Error("control: equal states read differently")
		}
	})
	t.Run("window", func(t *testing.T) {
		if withoutCounter(t); equal() {
			t.Error("two bulk reads at two times are equal where the kernel says the same")
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
	if r := clone.Status(); r.Mode != "vmclock" || !r.Trusted {
		t.Fatalf("mode %q after a draw, want vmclock", r.Mode)
	}
	gone = errors.New("it is another")
	Reseed()
	Uint64()
	if r := clone.Status(); r.Trusted {
		t.Errorf("%+v after a draw, want a counter that was dropped", r)
	}
}

// For 100 ms after a change for which the kernel may not have reseeded yet, refills are small and
// each takes a seed, which has the processor's numbers in it besides the kernel's bytes; and then
// all is as before.
func TestWhileTheKernelSettles(t *testing.T) {
	counter := withEarlyCounter(t, func() error { return nil })
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
	Uint64() // finds the counter
	calm()
	for range 20 { // a machine that stops for 100 ms sees nothing
		atomic.AddUint64(counter, 1)
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
			t.Error("a refill was large after the counter had changed")
		}
		for i := 8; i < keySize && kernel.MixCPU(make([]byte, 8)); i += 8 {
			if [8]byte(settling[i:]) == [8]byte{} {
				t.Errorf("after the counter has changed bytes %d to %d of a seed are the kernel's alone", i, i+7)
			}
		}
		return
	}
	t.Error("the 100 ms were over before a seed was made, 20 times")
}
