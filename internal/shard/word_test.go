// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package shard

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fount/internal/kernel"
	"fount/pool"
	"fount/uniqueness"
)

// withWord runs the test with a word that the test moves.
func withWord(t *testing.T) {
	uniqueness.SetWord(new(uint64))
	Reseed() // what was made under another word is stale
	t.Cleanup(func() {
		uniqueness.Forget()
		Reseed()
	})
}

// withoutWord runs the test in mode window.
func withoutWord(t *testing.T) {
	uniqueness.SetOff()
	Reseed()
	t.Cleanup(func() {
		uniqueness.Forget()
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

// What lies in a buffer when the word moves is never served.
func TestMovedWordDropsWhatIsBuffered(t *testing.T) {
	withWord(t)
	s := onOneP(t)
	for name, draw := range map[string]func(){
		"Read12":  func() { Read12(new([12]byte)) },
		"Read16":  func() { Read16(new([16]byte)) },
		"Read20":  func() { Read20(new([20]byte)) },
		"Read24":  func() { Read24(new([24]byte)) },
		"Read32":  func() { Read32(new([32]byte)) },
		"Uint64":  func() { Uint64() },
		"Uint32":  func() { Uint32() },
		"Uint64n": func() { Uint64n(7919) },
		"Read":    func() { Read(make([]byte, 100)) },
	} {
		draw()
		buffered := secrets{}
		buffered.add(name, s.block[keySize:][:s.left])
		before := s.reseeds.Load()
		draw()
		if n := s.reseeds.Load(); n != before {
			t.Fatalf("%s, control: a draw while the word stands still took a seed", name)
		}
		uniqueness.Advance()
		draw()
		after := s.block[keySize:][:s.left]
		if n := s.reseeds.Load(); n != before+1 {
			t.Errorf("%s: no new seed after the word moved", name)
		}
		for i := range len(after) - 7 {
			if _, ok := buffered[binary.LittleEndian.Uint64(after[i:])]; ok {
				t.Fatalf("%s: the buffer still holds what it held when the word moved", name)
			}
		}
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
			uniqueness.Advance()
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

// A checkpoint restored under another kernel may find a lesser word. After
// Reseed no old sum of epoch and word comes again.
func TestReseedOutweighsAWordThatFalls(t *testing.T) {
	w := new(uint64)
	uniqueness.SetWord(w)
	t.Cleanup(func() {
		uniqueness.Forget()
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
	uniqueness.Advance()
	want(true, "the word moved")
	Reseed()
	want(false, "one more Reseed")
	Reseed()
	uniqueness.Advance()
	want(true, "both")
}

// zeroKernel has the kernel say nothing but zeros, so that what else a seed holds shows. The pools have had real bytes
// before.
func zeroKernel(t *testing.T) {
	pool.Feed()
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
	for _, node := range pool.Status().Nodes {
		n += node.Draws
	}
	return n
}

// A large seed has 32 bytes of a node's, and one draw of it counts once. A small one has nothing of the pools, only the
// time: a clone has the same pools, and a refill of fourteen nonces can't pay for one more lock.
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

// A bulk read without a word mixes the time in, as a seed does: clones of which nobody was told, and whose kernel answers
// alike, part there. With a word it is the key's alone (the control: equal states read alike).
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

// A standIn is a file in the place of /dev/vmclock0, whose word moves before the kernel has reseeded. The layout is that
// of Linux include/uapi/linux/vmclock-abi.h.
type standIn struct{ *os.File }

const (
	clockFlagsAt   = 24
	clockCounterAt = 104
	clockCounter   = 1 << 8 // the flag of vm_generation_counter
)

// withVMClock runs the test with a stand-in that nobody has looked for yet.
func withVMClock(t *testing.T) standIn {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has the device")
	}
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
	uniqueness.SetDevice(f.Name())
	Reseed()
	t.Cleanup(func() {
		uniqueness.Forget()
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

// A seed looks for the word, which nothing else does: before a draw none is known. And it looks after it: what is no
// longer the word is not trusted any longer.
func TestSeedsLookForTheWord(t *testing.T) {
	c := withVMClock(t)
	if mode := uniqueness.Status().Mode; mode != "window" {
		t.Fatalf("control: mode %q before a draw", mode)
	}
	Uint64()
	if r := uniqueness.Status(); r.Mode != "vmclock" || !r.Held {
		t.Fatalf("mode %q after a draw, want vmclock", r.Mode)
	}
	c.put64(t, clockFlagsAt, 0) // the counter is taken back
	Reseed()
	Uint64()
	if r := uniqueness.Status(); r.Held {
		t.Errorf("%+v after a draw, want a word that was dropped", r)
	}
}

// For 100 ms after a word has moved that the kernel has not reseeded for yet, refills are small and each takes a seed,
// which has the processor's numbers in it besides the kernel's bytes; and then all is as before.
func TestWhileTheKernelSettles(t *testing.T) {
	c := withVMClock(t)
	s := onOneP(t)
	calm := func() {
		for uniqueness.Settling() {
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
	for move := range uint64(20) { // a machine that stops for 100 ms sees nothing
		c.put64(t, clockCounterAt, 23+move)
		before := s.reseeds.Load()
		var b [Window]byte
		Read(b[:8])
		first := s.left
		Read(b[:])
		kernel.SetRoute(kernel.RouteZero)
		settling := seedOf(false)
		kernel.SetRoute(kernel.RouteKernel)
		still := uniqueness.Settling()
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
