// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package probe

// A cache line's way from one core to another.

import (
	"sync/atomic"
	"time"
)

// lineSize is two cache lines: processors of Intel fetch lines in pairs.
const lineSize = 128

// hops is how often a line goes to and fro in a window.
const hops = 500

// A parcel is a word and the lines that follow it.
type parcel struct {
	_     [lineSize]byte
	turn  atomic.Uint32
	_     [lineSize]byte
	lines [stateLines]struct {
		n uint32
		_ [lineSize]byte
	}
}

// line is the time in ns for one way of a cache line: two threads write a word in turns, each when it has seen the
// other's value, as a lock's word goes from one holder to the next. With carried lines each also writes those, one after
// the other, as a holder writes what the lock guards.
func (c *crew) line(carried int) (ns float64, undisturbed bool) {
	var took time.Duration
	p := new(parcel)
	undisturbed = c.both(func(thread int) {
		start := time.Now()
		for i := range uint32(hops) {
			turn := 2*i + uint32(thread)
			for p.turn.Load() != turn {
			}
			n := uint32(0)
			for k := range carried {
				l := &p.lines[k+int(n>>31)] // which is not known before the last line is here
				l.n++
				n = l.n
			}
			p.turn.Store(turn + 1)
		}
		if thread == 0 {
			took = time.Since(start)
		}
	})
	return float64(took) / (2 * hops), undisturbed
}
