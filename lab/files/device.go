// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The emulated device: it is as slow as Plan 9's, and its bytes are used for nothing.

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

const (
	ringSize    = 1024 // of the buffer; it holds one byte less, as equal read and write places mean empty
	ringHolds   = ringSize - 1
	ticksAByte  = 4       // 2 bits a tick
	countedOnce = 100_000 // then the loop yields
	plan9Tick   = 13 * time.Millisecond
)

// A device is test equipment: the classic /dev/random of Plan 9 (port/random.c) with its timing. A loop counts, a
// clock folds the count into a byte at 2 bits a tick, and the bytes wait in a ring. A read has the device to itself
// until it has all its bytes: there are no short reads, and readers are served in order. Only the time matters; the bytes
// are used for nothing.
//
// In the kernel a tick makes nothing if the loop has not run since the last. Here every tick makes its bits, and late
// ticks are made up for. Without that, on a machine with a load of 9, the device gave 7.9 B/s in place of 19.2, which
// would flatter what it is compared with.
//
// Any goroutine may call its methods.
type device struct {
	count atomic.Uint32 // since the last tick
	turn  chan struct{} // held by the reader being served; a channel serves waiters in order
	more  chan struct{} // a byte has come
	done  chan struct{} // closed by close
	end   sync.Once
	loops sync.WaitGroup

	mu   sync.Mutex // guards what follows
	ring [ringSize]byte
	r, w int
	bits uint16
	next int    // ticks of the byte at w
	lcg  uint32 // state of the congruential generator that hides the ring's cycles
}

var errDeviceClosed = errors.New("the emulated device is closed")

// newDevice is a device that does not run, with an empty ring.
func newDevice() *device {
	return &device{turn: make(chan struct{}, 1), more: make(chan struct{}, 1), done: make(chan struct{})}
}

// start starts the loop and the clock.
func (d *device) start(tick time.Duration) {
	d.loops.Go(func() { d.loop(tick) })
	d.loops.Go(func() { d.clock(tick) })
}

// close ends the reads, which fail, and stops the loop and the clock.
func (d *device) close() {
	d.end.Do(func() { close(d.done) })
	d.loops.Wait()
}

// loop counts while the ring is not full. It yields for a quarter of a tick, so that it takes an eighth of a core; in
// the kernel it takes all idle time.
func (d *device) loop(tick time.Duration) {
	rest := time.NewTicker(tick / 4)
	defer rest.Stop()
	for {
		for range countedOnce {
			d.count.Add(1)
		}
		for yielded := false; !yielded || d.full(); yielded = true {
			select {
			case <-rest.C:
			case <-d.done:
				return
			}
		}
	}
}

func (d *device) clock(tick time.Duration) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	begin := time.Now()
	for ticks := time.Duration(0); ; {
		select {
		case <-ticker.C:
		case <-d.done:
			return
		}
		for ; ticks < time.Since(begin)/tick; ticks++ {
			d.tick()
		}
	}
}

// tick folds the count into the byte that is being made.
func (d *device) tick() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held() == ringHolds {
		return
	}
	d.bits = d.bits<<2 ^ uint16(d.count.Swap(0))
	if d.next++; d.next < ticksAByte {
		return
	}
	d.next = 0
	d.ring[d.w] ^= byte(d.bits)
	d.w = (d.w + 1) % ringSize
	select {
	case d.more <- struct{}{}:
	default:
	}
}

// held is the number of bytes in the ring. d.mu is held.
func (d *device) held() int { return (d.w - d.r + ringSize) % ringSize }

func (d *device) full() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held() == ringHolds
}

// Read waits for its turn and fills b. It fails only when the device is closed.
func (d *device) Read(b []byte) (n int, err error) {
	select {
	case d.turn <- struct{}{}:
	case <-d.done:
		return 0, errDeviceClosed
	}
	defer func() { <-d.turn }()
	for n < len(b) {
		var ok bool
		if b[n], ok = d.take(); ok {
			n++
			continue
		}
		select {
		case <-d.more:
		case <-d.done:
			return n, errDeviceClosed
		}
	}
	return n, nil
}

// take is the next byte, if there is one.
func (d *device) take() (byte, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.r == d.w {
		return 0, false
	}
	d.lcg = d.lcg*1103515245 ^ uint32(d.ring[d.r])
	d.r = (d.r + 1) % ringSize
	return byte(d.lcg), true
}
