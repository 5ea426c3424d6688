// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package counter is the generator of Plan 9's /dev/random, as golang/go#10028 describes it: a loop counts while a clock
// ticks, and each tick folds 2 bits of the count into the byte that is being made. It is there to be tested and is no source: it is
// weak: what it makes depends on the ratio of two clocks.
package counter

import (
	"sync"
	"sync/atomic"
	"time"
)

// TicksAByte is how many ticks make a byte.
const TicksAByte = 4

// A Counter counts until Stop is called.
type Counter struct {
	tick  time.Duration
	next  time.Time
	count atomic.Uint64
	ended atomic.Bool
	loop  sync.WaitGroup
}

// Start starts the loop. Its clock has so long a tick; Plan 9's has 13 ms.
func Start(tick time.Duration) *Counter {
	c := &Counter{tick: tick, next: time.Now()}
	c.loop.Go(func() {
		for !c.ended.Load() {
			c.count.Add(1)
		}
	})
	return c
}

// Stick stops the counting, and not the clock: from now on each count is 0.
func (c *Counter) Stick() {
	c.Stop() // it returns when no addition is under way
	c.count.Store(0)
}

// Stop ends the loop. It may be called again.
func (c *Counter) Stop() {
	c.ended.Store(true)
	c.loop.Wait()
}

// Tick waits for the clock and returns the count since the tick before. One goroutine calls it.
func (c *Counter) Tick() uint64 {
	c.next = c.next.Add(c.tick)
	if c.tick >= time.Millisecond {
		time.Sleep(time.Until(c.next))
	}
	for time.Now().Before(c.next) { // a sleep wakes up to a millisecond late, and never early
	}
	return c.count.Swap(0)
}

// Fill makes bytes.
func (c *Counter) Fill(b []byte) { fold(b, c.Tick) }

// fold is Plan 9's randomclock (port/random.c), but for the generator behind it.
func fold(b []byte, tick func() uint64) {
	var bits uint16
	for i := range b {
		for range TicksAByte {
			bits = bits<<2 ^ uint16(tick())
		}
		b[i] ^= byte(bits)
	}
}
