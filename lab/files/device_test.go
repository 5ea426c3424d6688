// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the emulated device. Where its clock would be, they tick.

package files

import (
	"bytes"
	"errors"
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

// holding is a device with bytes in its ring.
func holding(ring []byte) *device {
	d := newDevice()
	d.w = copy(d.ring[:ringHolds], ring)
	return d
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
	d := newDevice()
	ticks(d, 3, 1)
	if n := d.held(); n != 0 {
		t.Fatalf("%d bytes after 3 ticks, want none", n)
	}
	ticks(d, 1, 1)
	if n := d.held(); n != 1 {
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
	// A tick takes the count, and makes its bits even if the loop has not counted.
	for range 4 {
		d.tick()
	}
	if n := d.held(); n != 3 || d.count.Load() != 0 {
		t.Errorf("%d bytes after 4 ticks without a count, want 3; the count is %d", n, d.count.Load())
	}
}

func TestRing(t *testing.T) {
	d := newDevice()
	ticks(d, ticksAByte*(ringHolds-1), 3)
	if d.full() {
		t.Fatalf("full with %d bytes", ringHolds-1)
	}
	ticks(d, ticksAByte*10, 3)
	if !d.full() || d.held() != ringHolds {
		t.Fatalf("%d bytes held, full %v; want %d and no more", d.held(), d.full(), ringHolds)
	}
	if n, err := d.Read(make([]byte, 500)); n != 500 || err != nil {
		t.Fatalf("read %d, %v", n, err)
	}
	if ticks(d, ticksAByte*499, 3); d.full() {
		t.Error("full one byte before it can be")
	}
	if ticks(d, ticksAByte, 3); !d.full() {
		t.Error("not full after as many bytes as were read")
	}
}

func TestReadIsTheDriver(t *testing.T) {
	ring := numbered(ringHolds)
	got := make([]byte, len(ring))
	d := holding(ring)
	for b := got; len(b) > 0; b = b[min(len(b), 100):] {
		if n, err := d.Read(b[:min(len(b), 100)]); err != nil || n != min(len(b), 100) {
			t.Fatalf("read %d, %v", n, err)
		}
	}
	if !bytes.Equal(got, reference(ring)) {
		t.Error("not what the driver gives of the same ring")
	}
}

// Readers get the bytes one after the other, in the order in which they came, each a piece of its own: no byte goes to two, none
// is lost, and a read waits for its last byte.
func TestReadersQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const readers, size = 7, 128 // all that they read is in the ring at most once
		ring := numbered(readers * size)
		d := holding(ring[:size/2])
		pieces := make([]chan []byte, readers)
		for i := range pieces {
			pieces[i] = make(chan []byte, 1)
			go func() {
				b := make([]byte, size)
				if n, err := d.Read(b); n != size || err != nil {
					t.Errorf("read %d, %v", n, err)
				}
				pieces[i] <- b
			}()
			synctest.Wait()
		}
		all := reference(ring)
		for k := range readers {
			select {
			case <-pieces[k]:
				t.Errorf("reader %d has its bytes before the device had", k)
			default:
			}
			for i := d.w; i < (k+1)*size; i++ {
				d.bits = uint16(ring[i]) >> 8 // nothing is left of earlier ticks
				d.next = ticksAByte - 1
				ticks(d, 1, uint32(ring[i]))
			}
			synctest.Wait()
			select {
			case got := <-pieces[k]:
				if !bytes.Equal(got, all[k*size:(k+1)*size]) {
					t.Errorf("reader %d did not get bytes %d to %d of the device's", k, k*size, (k+1)*size-1)
				}
			default:
				t.Fatalf("reader %d was not served", k)
			}
		}
	})
}

func TestClose(t *testing.T) {
	d := newDevice()
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
	d := holding(numbered(ringHolds - 10))
	d.start(testTick)
	defer d.close()
	const size = ringHolds + 10
	for range 2 {
		if n, err := d.Read(make([]byte, size)); n != size || err != nil {
			t.Fatalf("read %d, %v", n, err)
		}
	}
}

// With Plan 9's clock 128 bytes of an empty ring take 6.656 s, and the last of 16 processes waits 16 times as long, 106.5 s. The
// time is that of a bubble, in which nothing else takes any; the loop, on which it does not depend, is left out.
func TestDeviceIsAsSlowAsPlan9(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const procs, size = 16, 128
		d := newDevice()
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
