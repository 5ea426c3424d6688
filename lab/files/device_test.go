// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the emulated device. Where its clock would be, they tick.

package files

import (
	"bytes"
	"errors"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// testTick is a thousandth of the real one.
const testTick = 13 * time.Microsecond

// ticks ticks n times, with a count of c each time.
func ticks(d *device, n int, c uint32) {
	for range n {
		d.count.Store(c)
		d.tick()
	}
}

// reference is what a reader gets who reads all of ring from the start: the driver's arithmetic, on its own.
func reference(ring []byte) (out []byte) {
	var x uint64 // only the low 32 bits count
	for _, b := range ring {
		x = x*1103515245 ^ uint64(b)
		out = append(out, byte(x))
	}
	return out
}

func numbered(n int) (b []byte) {
	for i := range n {
		b = append(b, byte(i*7+i>>8))
	}
	return b
}

func TestTicks(t *testing.T) {
	d := newDevice(nil)
	ticks(d, 3, 1)
	if n := d.bytesMade(); n != 0 {
		t.Fatalf("%d bytes after 3 ticks, want none", n)
	}
	ticks(d, 1, 1)
	if n := d.bytesMade(); n != 1 {
		t.Fatalf("%d bytes after 4 ticks, want 1", n)
	}
	// A count of 1 at each tick sets the low bit, which the next one moves by 2: 01010101.
	if d.ring[0] != 0b01010101 {
		t.Errorf("4 ticks with a count of 1 made %08b, want 01010101", d.ring[0])
	}
	// All bits of a count go in, not 2 of them; and 16 bits are kept of earlier ticks, of which a byte shows 8.
	ticks(d, 4, 0xff)
	want := byte(0xff ^ 0xff<<2&0xff ^ 0xff<<4&0xff ^ 0xff<<6&0xff)
	if d.ring[1] != want {
		t.Errorf("4 ticks with a count of 255 made %08b, want %08b", d.ring[1], want)
	}
}

// A tick takes the count, and makes its bits even if the loop has not counted.
func TestTickWithoutCount(t *testing.T) {
	d := newDevice(nil)
	ticks(d, 3, 5)
	if d.count.Load() != 0 {
		t.Error("a tick did not take the count")
	}
	d.tick()
	if n := d.bytesMade(); n != 1 {
		t.Errorf("%d bytes after a tick without a count, want 1", n)
	}
}

func TestRing(t *testing.T) {
	d := newDevice(nil)
	ticks(d, ticksAByte*(ringHolds-1), 3)
	if d.full() {
		t.Fatalf("full with %d bytes", ringHolds-1)
	}
	ticks(d, ticksAByte*10, 3)
	if !d.full() || d.bytesMade() != ringHolds {
		t.Fatalf("%d bytes made, full %v; want %d and no more", d.bytesMade(), d.full(), ringHolds)
	}
	if n, err := d.Read(make([]byte, 500)); n != 500 || err != nil {
		t.Fatalf("read %d, %v", n, err)
	}
	ticks(d, ticksAByte*1000, 3)
	if got := d.bytesMade(); got != ringHolds+500 || !d.full() {
		t.Errorf("%d bytes made after 500 were read, want %d", got, ringHolds+500)
	}
	for _, full := range []int{0, 1, ringHolds} {
		d := newDevice(numbered(full))
		if d.held() != full {
			t.Errorf("a ring with %d bytes holds %d", full, d.held())
		}
	}
}

func TestReadIsTheDriver(t *testing.T) {
	ring := numbered(ringHolds)
	got := make([]byte, len(ring))
	d := newDevice(ring)
	for b := got; len(b) > 0; b = b[min(len(b), 100):] {
		if n, err := d.Read(b[:min(len(b), 100)]); err != nil || n != min(len(b), 100) {
			t.Fatalf("read %d, %v", n, err)
		}
	}
	if !bytes.Equal(got, reference(ring)) {
		t.Error("not what the driver gives of the same ring")
	}
}

// A read waits for its last byte: there are no short reads.
func TestReadBlocks(t *testing.T) {
	d := newDevice(nil)
	var got [5]byte
	read := make(chan int)
	go func() {
		n, _ := d.Read(got[:])
		read <- n
	}()
	ticks(d, ticksAByte*4, 1)
	for !drained(d) { // until the reader has taken the four
		runtime.Gosched()
	}
	select {
	case n := <-read:
		t.Fatalf("a read of 5 returned %d of 4", n)
	default:
	}
	ticks(d, ticksAByte, 1)
	if n := <-read; n != 5 {
		t.Errorf("read %d of 5", n)
	}
}

func drained(d *device) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held() == 0
}

// Readers get the bytes one after the other, each a piece of its own: no byte goes to two, and none is lost.
func TestReadersShareNoByte(t *testing.T) {
	const readers, size = 16, 128
	ring := numbered(ringHolds)
	d := newDevice(ring)
	pieces := make(chan []byte, readers)
	for range readers {
		go func() {
			b := make([]byte, size)
			if n, err := d.Read(b); n != size || err != nil {
				t.Errorf("read %d, %v", n, err)
			}
			pieces <- b
		}()
	}
	for made := ringHolds; made < readers*size; {
		if d.full() {
			runtime.Gosched()
			continue
		}
		ticks(d, ticksAByte, uint32(made))
		made++
	}
	var got [][]byte
	for range readers {
		got = append(got, <-pieces)
	}
	// All that the ring has held: the first lap as it was, the second folded into what stood there.
	second := newDevice(ring)
	_, _ = second.Read(make([]byte, ringHolds))
	for made := ringHolds; made < readers*size; made++ {
		ticks(second, ticksAByte, uint32(made))
		if second.full() || made == readers*size-1 {
			ring = append(ring, held(second)...)
		}
	}
	all := reference(ring)
	for k := range readers {
		want := all[k*size : (k+1)*size]
		i := slices.IndexFunc(got, func(b []byte) bool { return bytes.Equal(b, want) })
		if i < 0 {
			t.Fatalf("nobody got bytes %d to %d of the device's", k*size, (k+1)*size-1)
		}
		got = slices.Delete(got, i, i+1)
	}
}

// held takes the raw bytes out of the ring.
func held(d *device) (b []byte) {
	for d.held() > 0 {
		b = append(b, d.ring[d.r])
		_, _ = d.take()
	}
	return b
}

// Those who wait are served in the order in which they came.
func TestReadersQueue(t *testing.T) {
	d := newDevice(nil)
	d.turn <- struct{}{} // one is served
	const readers = 8
	order := make(chan int, readers)
	var waiting sync.WaitGroup
	for i := range readers {
		waiting.Go(func() {
			if _, err := d.Read(make([]byte, 1)); err == nil {
				order <- i
			}
		})
		waitBlocked(t, i+1)
	}
	<-d.turn
	for i := range readers {
		ticks(d, ticksAByte, 1)
		if got := <-order; got != i {
			t.Fatalf("reader %d was served, want %d", got, i)
		}
	}
	waiting.Wait()
}

// waitBlocked returns when so many goroutines wait for their turn in Read.
func waitBlocked(t *testing.T, n int) {
	stacks := make([]byte, 1<<20)
	for range 1_000_000 {
		text := stacks[:runtime.Stack(stacks, true)]
		if blocked.FindAllIndex(text, -1) != nil && len(blocked.FindAllIndex(text, -1)) >= n {
			return
		}
		runtime.Gosched()
	}
	t.Fatalf("%d readers do not wait", n)
}

var blocked = regexp.MustCompile(`\[select(, \d+ minutes)?\]:\n.*\(\*device\)\.Read\(`)

func TestClose(t *testing.T) {
	d := newDevice(nil)
	d.start(time.Hour) // no tick will come
	failed := make(chan error, 3)
	for range 3 {
		go func() {
			_, err := d.Read(make([]byte, 1))
			failed <- err
		}()
	}
	d.close()
	for range 3 {
		if err := <-failed; !errors.Is(err, errDeviceClosed) {
			t.Errorf("%v, want %v", err, errDeviceClosed)
		}
	}
	d.close() // again
}

// With its loop and its clock it makes bytes for who waits, fills its ring, rests, and goes on after a read.
func TestDeviceRuns(t *testing.T) {
	d := newDevice(numbered(ringHolds - 10))
	d.start(testTick)
	defer d.close()
	const size = ringHolds + 10
	for range 2 {
		if n, err := d.Read(make([]byte, size)); n != size || err != nil {
			t.Fatalf("read %d, %v", n, err)
		}
		for !d.full() {
			runtime.Gosched()
		}
	}
	if made := d.bytesMade(); made != 2*size+10 {
		t.Errorf("%d bytes made, want %d: those read and a full ring, less those it began with", made, 2*size+10)
	}
}

// With Plan 9's clock 128 bytes of an empty ring take 6.656 s, and the last of 16 processes waits 16 times as long,
// 106.5 s. The time is that of a bubble, in which nothing else takes any; the loop, on which it does not
// depend, is left out.
func TestDeviceIsAsSlowAsPlan9(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const procs, size = 16, 128
		d := newDevice(nil)
		begin := time.Now()
		d.loops.Go(func() { d.clock(plan9Tick) })
		took := make(chan time.Duration, procs)
		for range procs {
			go func() {
				if n, err := d.Read(make([]byte, size)); n != size || err != nil {
					t.Errorf("read %d, %v", n, err)
				}
				took <- time.Since(begin)
			}()
		}
		for k := range procs {
			if got, want := <-took, time.Duration(k+1)*6656*time.Millisecond; got != want {
				t.Errorf("process %d had its bytes after %v, want %v", k+1, got, want)
			}
		}
		d.close()
	})
}
