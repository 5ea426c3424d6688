// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

import (
	"encoding/binary"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// A fakeKernel has its pieces in Go memory, and its generation where a test wants it.
type fakeKernel struct {
	pieces [][]byte
	locked []bool // pieces that can't be read
	shown  func(n int) (uint64, error)
	calls  int
}

func newFake(n int, shown func(int) (uint64, error)) *fakeKernel {
	k := &fakeKernel{locked: make([]bool, n), shown: shown}
	for range n {
		k.pieces = append(k.pieces, unsafe.Slice((*byte)(unsafe.Pointer(&make([]uint64, pieceSize/8)[0])), pieceSize))
	}
	return k
}

// put writes a generation with is_ready after it.
func (k *fakeKernel) put(piece, off int, generation, ready uint64) {
	p := page(k.pieces[piece])
	atomic.StoreUint64(p.uint64At(off), generation)
	atomic.StoreUint64(p.uint64At(off+8), ready)
}

func (k *fakeKernel) addr(piece, off int) uintptr {
	return addressOf(page(k.pieces[piece])) + uintptr(off)
}

func (k *fakeKernel) generation() (uint64, error) { k.calls++; return k.shown(k.calls) }

func (k *fakeKernel) vvar() (list []uintptr) {
	for i := range k.pieces {
		list = append(list, k.addr(i, 0))
	}
	return list
}

func (k *fakeKernel) peek(piece []byte, addr uintptr) (bool, error) {
	for i := range k.pieces {
		if k.addr(i, 0) == addr {
			copy(piece, k.pieces[i])
			return !k.locked[i], nil
		}
	}
	panic("a piece that does not exist")
}

func (k *fakeKernel) release() {}

func (k *fakeKernel) pointer(addr uintptr) *uint64 {
	for i := range k.pieces {
		if start := k.addr(i, 0); addr >= start && addr < start+pieceSize {
			if k.locked[i] {
				panic("a page that can't be read was touched")
			}
			return page(k.pieces[i]).uint64At(int(addr - start))
		}
	}
	panic("an address outside of all pieces")
}

func steady(g *uint64) func(int) (uint64, error) {
	return func(int) (uint64, error) { return atomic.LoadUint64(g), nil }
}

// fakeMethod is a method on a kernel that has a notifier.
func fakeMethod(k kernel) method {
	r := &generationMethod{search{kernel: k}}
	return method{mode: modeKernel, try: func() (source, error) {
		s, err := r.find()
		s.notifier = func() (string, error) { return "a test", nil }
		return s, err
	}}
}

// The layouts that were seen are those of Linux 6.18 and Debian's 6.12.
func TestOneCandidate(t *testing.T) {
	for _, place := range []struct{ piece, off int }{{2, 0}, {0, 640}, {3, pieceSize - 16}} {
		g := uint64(4)
		k := newFake(4, steady(&g))
		k.locked[1] = true
		k.put(1, 64, 4, 1) // unreadable, so it does not count and is not touched
		k.put(0, 16, 4, 2) // not followed by is_ready
		k.put(0, 32, 4, 0)
		k.put(0, 48, 5, 1)
		k.put(place.piece, place.off, 4, 1)
		useMethods(t, fakeMethod(k))
		Check()
		wantMode(t, "kernel generation, verified", true, "[vvar]")
		if Load() != 4 {
			t.Fatalf("Load is %d, want 4", Load())
		}
		k.put(place.piece, place.off, 5, 1)
		if Load() != 5 || Settling() {
			t.Fatalf("Load is %d, want 5, and no settling", Load())
		}
		atomic.StoreUint64(&g, 5)
		Check()
		wantMode(t, "kernel generation, verified", true, "")
	}
}

// While several words equal the generation none is used, and the search is repeated.
func TestSeveralCandidates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := uint64(4)
		k := newFake(2, steady(&g))
		k.put(0, 640, 4, 1)
		k.put(0, 128, 4, 1)
		k.put(1, 0, 4, 1)
		useMethods(t, fakeMethod(k))
		Check()
		wantMode(t, "window", false, "several words")
		before := k.calls
		for range 5 {
			Check()
		}
		wantMode(t, "window", false, "")
		if k.calls != before {
			t.Fatalf("%d calls in 5 Checks at once, want none", k.calls-before)
		}

		atomic.StoreUint64(&g, 5) // two of them change
		k.put(0, 640, 5, 1)
		k.put(1, 0, 5, 1)
		time.Sleep(searchPause)
		Check()
		wantMode(t, "window", false, "several words")

		atomic.StoreUint64(&g, 6) // one of those
		k.put(0, 640, 6, 1)
		time.Sleep(searchPause)
		Check()
		wantMode(t, "kernel generation, verified", true, "")
		if Load() != 6 {
			t.Fatalf("Load is %d, want 6", Load())
		}
	})
}

func TestNoCandidate(t *testing.T) {
	g := uint64(4)
	k := newFake(2, steady(&g))
	k.put(0, 640, 4, 0)
	useMethods(t, fakeMethod(k))
	Check()
	wantMode(t, "window", false, errNone.Error())
}

// If the kernel reseeds during a reading, another word could be the only candidate.
func TestReseedDuringReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, when := range []int{1, 2, 3} {
			var k *fakeKernel
			k = newFake(1, func(n int) (uint64, error) {
				if n == when { // the kernel reseeds just before this call
					k.put(0, 640, 5, 1)
				}
				return atomic.LoadUint64(page(k.pieces[0]).uint64At(640)), nil
			})
			k.put(0, 640, 4, 1)
			k.put(0, 64, 5, 1)
			useMethods(t, fakeMethod(k))
			Check()
			wantMode(t, "window", false, "") // both are candidates after the reseed
			k.put(0, 640, 6, 1)
			time.Sleep(searchPause)
			Check()
			wantMode(t, "kernel generation, verified", true, "")
			if Load() != 6 {
				t.Fatalf("when %d: Load is %d, want 6", when, Load())
			}
		}
	})
}

// A word that equals the generation in only one of the two scans is not it.
func TestWordThatComesAndGoes(t *testing.T) {
	for _, when := range []int{2, 3} { // the scan before or after the second call
		var k *fakeKernel
		k = newFake(1, func(n int) (uint64, error) {
			k.put(0, 64, 0, 1)
			if n == when-1 {
				k.put(0, 64, 4, 1)
			}
			return 4, nil
		})
		k.put(0, 640, 4, 1)
		useMethods(t, fakeMethod(k))
		Check()
		wantMode(t, "kernel generation, verified", true, "")
		k.put(0, 640, 5, 1)
		if Load() != 5 {
			t.Fatal("the other word was taken")
		}
	}
}

// A generation that changes during each reading is found by a later Check.
func TestNeverQuiet(t *testing.T) {
	for name, c := range map[string]struct {
		wild  func(n int) uint64
		why   error
		calls int
	}{
		"changing": {wild: func(n int) uint64 { return uint64(n) }, why: errUnsettled, calls: 2 * maxReadings},
		"wiped":    {wild: func(n int) uint64 { return 0 }, why: errUnseeded, calls: maxReadings}, // and no scan
	} {
		t.Run(name, func(t *testing.T) {
			quiet := false
			k := newFake(1, func(n int) (uint64, error) {
				if quiet {
					return 1000, nil
				}
				return c.wild(n), nil
			})
			k.put(0, 0, 1000, 1)
			useMethods(t, fakeMethod(k))

			Check()
			wantMode(t, "window", false, c.why.Error())
			if k.calls != c.calls {
				t.Fatalf("%d calls, want %d", k.calls, c.calls)
			}

			quiet = true
			Check()
			wantMode(t, "kernel generation, verified", true, "")
		})
	}
}

// The control: no other word of the page is ever verified.
func TestVerifyWrongPlace(t *testing.T) {
	k, err := openKernel()
	if err != nil {
		t.Skip("no kernel generation here:", err)
	}
	s := &search{kernel: k}
	defer s.release()
	right, err := s.find()
	if err != nil {
		t.Skip("no kernel generation here:", err)
	}
	start := right &^ (pieceSize - 1)
	for off := uintptr(0); off < pieceSize; off += 8 {
		place := k.pointer(start + off)
		before := atomic.LoadUint64(place)
		err := verify(k, place)
		if now := atomic.LoadUint64(place); err == nil && start+off != right {
			t.Errorf("offset %d, value %d then %d, was verified; the word is at %d", off, before, now, right-start)
		}
		if start+off == right && err != nil {
			t.Error("the right place was not verified:", err)
		}
	}
}

func TestMismatchDrops(t *testing.T) {
	g := uint64(4)
	k := newFake(1, steady(&g))
	k.put(0, 0, 4, 1)
	useMethods(t, fakeMethod(k))
	Check()
	wantMode(t, "kernel generation, verified", true, "")
	atomic.StoreUint64(&g, 5) // the kernel reseeded, the counter did not change
	Check()
	wantMode(t, "window", false, "the counter is 4, but the kernel's generation is 5")
	if Load() <= 4 {
		t.Fatal("Load went back")
	}
	k.put(0, 0, 5, 1)
	Check()
	wantMode(t, "window", false, "dropped for good")
}

// One comparison that differs does not drop the counter if another finds both equal.
func TestPassingMismatch(t *testing.T) {
	k := newFake(1, nil)
	k.put(0, 0, 4, 1)
	answers := []uint64{3, 0, 4}
	k.shown = func(n int) (uint64, error) { return answers[n-1], nil }
	if err := verify(k, k.pointer(k.addr(0, 0))); err != nil {
		t.Fatal(err)
	}
	// A word that changes during each call is never compared.
	k = newFake(1, func(n int) (uint64, error) { k.put(0, 0, uint64(100+n), 1); return 3, nil })
	if err := verify(k, k.pointer(k.addr(0, 0))); err != errUnsettled || k.calls != maxReadings {
		t.Fatalf("%v after %d calls", err, k.calls)
	}
}

func TestCallFails(t *testing.T) {
	fail := false
	k := newFake(1, func(int) (uint64, error) {
		if fail {
			return 0, callError(-38)
		}
		return 4, nil
	})
	k.put(0, 0, 4, 1)
	useMethods(t, fakeMethod(k))
	Check()
	wantMode(t, "kernel generation, verified", true, "")
	fail = true
	Check()
	wantMode(t, "window", false, "function not implemented")

	useMethods(t, fakeMethod(k))
	Check()
	wantMode(t, "window", false, "")
}

// Memory that can't be read raises no signal.
func TestPeekUnmapped(t *testing.T) {
	k := new(osKernel)
	defer k.release()
	piece := make([]byte, pieceSize)
	for _, addr := range []uintptr{0, pieceSize, ^uintptr(0) - pieceSize + 1} {
		if ok, err := k.peek(piece, addr); ok || err != nil {
			t.Errorf("%#x: %v, %v, want that it can't be read", addr, ok, err)
		}
	}
	mine := make([]byte, pieceSize)
	binary.LittleEndian.PutUint64(mine[100:], 12345)
	if ok, err := k.peek(piece, uintptr(unsafe.Pointer(&mine[0]))); !ok || err != nil || !slices.Equal(piece, mine) {
		t.Error("own memory can't be read:", err)
	}
}
