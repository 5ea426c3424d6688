// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package shard

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fount/entropy"
	"fount/internal/chacha"
	"fount/internal/seam"
	"fount/uniqueness"
)

// A standIn is a file in the place of /dev/vmclock0, whose word moves before the kernel
// has reseeded. The layout is that of Linux include/uapi/linux/vmclock-abi.h.
type standIn struct{ *os.File }

const (
	clockFlagsAt   = 24
	clockCounterAt = 104
	clockCounter   = 1 << 8 // the flag of vm_generation_counter
)

// withVMClock runs the test with a stand-in that nobody has looked for yet.
func withVMClock(t *testing.T) standIn {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "vmclock"))
	if err != nil {
		t.Fatal(err)
	}
	page := make([]byte, os.Getpagesize())
	binary.LittleEndian.PutUint32(page[0:], 0x4b4c4356) // magic
	binary.LittleEndian.PutUint32(page[4:], uint32(len(page)))
	binary.LittleEndian.PutUint16(page[8:], 1) // version
	c := standIn{f}
	c.put(t, page, 0)
	c.put64(t, clockFlagsAt, clockCounter)
	c.put64(t, clockCounterAt, 22)
	seam.SetDevice(f.Name())
	Reseed()
	t.Cleanup(func() {
		seam.Forget()
		Reseed()
		f.Close()
	})
	return c
}

func (c standIn) put(t *testing.T, b []byte, at int64) {
	t.Helper()
	if _, err := c.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
}

func (c standIn) put64(t *testing.T, at int64, v uint64) {
	t.Helper()
	c.put(t, binary.LittleEndian.AppendUint64(nil, v), at)
}

// A seed looks for the word, which nothing else does: before a draw none is known. And
// it looks after it: what is no longer the word is not trusted any longer.
func TestSeedsLookForTheWord(t *testing.T) {
	c := withVMClock(t)
	if mode := uniqueness.Status().Mode; mode != "window" {
		t.Fatalf("control: mode %q before a draw", mode)
	}
	s := New()
	defer Free(s)
	s.Uint64()
	if r := uniqueness.Status(); r.Mode != "vmclock" || !r.Held {
		t.Fatalf("mode %q after a draw, want vmclock", r.Mode)
	}
	c.put64(t, clockFlagsAt, 0) // the counter is taken back
	Reseed()
	s.Uint64()
	if r := uniqueness.Status(); r.Held {
		t.Errorf("%+v after a draw, want a word that was dropped", r)
	}
}

// For 100 ms after a word has moved that the kernel has not reseeded for yet, refills are
// small and each takes a seed; and then they are large again.
func TestSmallRefillsWhileTheKernelSettles(t *testing.T) {
	c := withVMClock(t)
	s := New()
	defer Free(s)
	calm := func() {
		for uniqueness.Settling() {
			time.Sleep(time.Millisecond)
		}
		s.Expire()
		s.Uint64()
		if s.left != Full-8 {
			t.Fatalf("%d bytes are left when all has settled, want %d", s.left, Full-8)
		}
	}
	s.Uint64() // finds the word
	calm()
	for move := range uint64(20) { // a machine that stops for 100 ms sees nothing
		c.put64(t, clockCounterAt, 23+move)
		before := s.reseeds.Load()
		var b [Window]byte
		s.Read(b[:8])
		first := s.left
		s.Read(b[:])
		if seeds := s.reseeds.Load() - before; first == Window-8 && seeds == 2 && s.left <= Window {
			calm()
			return
		}
		calm()
	}
	t.Error("no refill was small after the word had moved, 20 times")
}

// In these 100 ms a seed has the processor's numbers in it besides the kernel's bytes. A small one has
// them at no other time (the control).
func TestSeedsHaveTheProcessorWhileTheKernelSettles(t *testing.T) {
	if !entropy.MixCPU(make([]byte, 8)) {
		t.Skip("this processor or build has no random numbers of its own")
	}
	c := withVMClock(t)
	zeroKernel(t)
	uniqueness.Check()
	for move := range uint64(20) { // a machine that stops for 100 ms sees nothing
		for uniqueness.Settling() {
			time.Sleep(time.Millisecond)
		}
		var calm, settling [keySize]byte
		fillSeed(calm[:], false)
		if [keySize - 8]byte(calm[8:]) != [keySize - 8]byte{} {
			t.Fatalf("with a kernel that says zeros alone a small seed is %x, want zeros after the time", calm)
		}
		c.put64(t, clockCounterAt, 23+move)
		fillSeed(settling[:], false)
		if !uniqueness.Settling() {
			continue
		}
		for i := 8; i < keySize; i += 8 {
			if [8]byte(settling[i:]) == [8]byte{} {
				t.Errorf("after the word has moved bytes %d to %d of a seed are the kernel's alone", i, i+7)
			}
		}
		return
	}
	t.Error("the 100 ms were over before a seed was made, 20 times")
}

// hasTimeAlone reports whether the seed that a bulk read mixes into its key has the time in its first 8 bytes and nothing else,
// with a kernel that says zeros: it tries all times of the read. ok is false if it was interrupted, so that these are too many.
func hasTimeAlone(t *testing.T) (found, ok bool) {
	a, twin := New(), New()
	defer Free(a)
	defer Free(twin)
	a.Uint64() // seeded
	twin.Uint64()
	copy(twin.block[:], a.block[:])
	var key [keySize]byte
	twin.read(key[:]) // as the bulk read takes it from a

	zeroKernel(t)
	defer seam.SetRoute(seam.RouteKernel)
	out := make([]byte, fullRefill+1)
	ticks := func() uint64 {
		var b [8]byte
		entropy.MixTime(b[:])
		return binary.NativeEndian.Uint64(b[:])
	}
	first := ticks()
	a.Read(out)
	n := ticks() - first
	if n > 1<<18 {
		return false, false
	}
	for i := range n + 1 {
		tried, got := key, [keySize]byte{}
		binary.NativeEndian.PutUint64(tried[:], binary.NativeEndian.Uint64(tried[:])^(first+i))
		if chacha.Keystream(got[:], &tried, 0); got == [keySize]byte(out) {
			return true, true
		}
	}
	return false, true
}

// A bulk read's seed too has the processor's numbers while the kernel settles. In mode window, the control, it has the time alone.
func TestBulkHasTheProcessorWhileTheKernelSettles(t *testing.T) {
	if !entropy.MixCPU(make([]byte, 8)) {
		t.Skip("this processor or build has no random numbers of its own")
	}
	t.Run("window", func(t *testing.T) {
		withoutWord(t)
		for range 20 {
			if found, ok := hasTimeAlone(t); ok {
				if !found {
					t.Error("control: the time was not found in a seed that has nothing else")
				}
				return
			}
		}
		t.Skip("interrupted 20 times")
	})
	t.Run("settling", func(t *testing.T) {
		c := withVMClock(t)
		uniqueness.Check()
		for move := range uint64(20) { // a machine that stops for 100 ms sees nothing
			c.put64(t, clockCounterAt, 23+move)
			if found, ok := hasTimeAlone(t); ok && uniqueness.Settling() {
				if found {
					t.Error("after the word has moved a bulk read's seed has the time alone")
				}
				return
			}
		}
		t.Error("no bulk read was made while the kernel settled, 20 times")
	})
}
