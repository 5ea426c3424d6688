// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package probe

// A draw under a lock, with work after it, of one thread and of two.

import (
	"sync"
	"sync/atomic"
	"time"

	"fount"
)

// draws is what a thread draws in a window.
const draws = 500

// A window is what its threads do.
type window struct {
	lock      sync.Locker
	generator *fount.Generator // behind the lock; nil: registers only
	steps     int              // of work between draws
}

// guarded is how many steps a thread spins under a lock that guards no generator.
const guarded = 15

// A ticket is a ticket lock that spins and never sleeps, as the model's does and Go's does not: a thread takes a number and
// waits until it is served. It is fair, and useless with more threads than CPUs. The zero value is unlocked.
type ticket struct {
	_       [lineSize]byte
	next    atomic.Uint32
	_       [lineSize]byte
	serving atomic.Uint32
	_       [lineSize]byte
}

// Lock takes a number and waits.
func (t *ticket) Lock() {
	number := t.next.Add(1) - 1
	for t.serving.Load() != number {
	}
}

// Unlock serves the next number. Only the holder calls it.
func (t *ticket) Unlock() { t.serving.Store(t.serving.Load() + 1) }

// sink takes what work came to.
var sink atomic.Uint32

// draw is one draw and the work after it.
func (w *window) draw() {
	var b [16]byte
	x := uint32(1)
	w.lock.Lock()
	if w.generator != nil {
		b = w.generator.Nonce()
	} else {
		x = spin(x, guarded)
	}
	w.lock.Unlock()
	if x = spin(x+uint32(b[0]), w.steps); x == 0 {
		sink.Store(x) // keeps the work from being left out, and is as rare as a nonce that is guessed
	}
}

// spin is work in registers: n steps of a xorshift generator, which never reaches 0 from another state.
func spin(x uint32, n int) uint32 {
	for range n {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
	}
	return x
}

// alone is the time in ns for a draw of one thread, work included, while the other rests.
func (c *crew) alone(w *window) (ns float64, undisturbed bool) {
	var took time.Duration
	undisturbed = c.both(func(thread int) {
		if thread != 0 {
			return
		}
		start := time.Now()
		for range draws {
			w.draw()
		}
		took = time.Since(start)
	})
	return float64(took) / draws, undisturbed
}

// two is the time in ns for a draw while two threads draw, counted over both, until the first has its number.
func (c *crew) two(w *window) (ns float64, undisturbed bool) {
	var stop atomic.Bool
	var took time.Duration
	var other int
	undisturbed = c.both(func(thread int) {
		if thread != 0 {
			for !stop.Load() {
				w.draw()
				other++
			}
			return
		}
		start := time.Now()
		for range draws {
			w.draw()
		}
		took = time.Since(start)
		stop.Store(true)
	})
	return float64(took) / float64(draws+other), undisturbed
}
