// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package model is a discrete-event simulation of threads on several sockets that draw random bytes behind locks. It
// measures nothing: every figure in it is computed from the costs that a Config names, and is to be called modelled.
//
// One concept a file: model.go has what is modelled, sim.go the event loop, events.go what happens next,
// handover.go what a lock costs, figures.go what a run gives, closed.go the closed forms it is tested against. Run, in
// study.go, repeats the table of Andi Kleen's patch of 2015, "Make /dev/urandom scalable"; published.go has it.
package model

import (
	"fmt"
	"math"
)

// A Lock says what guards the pool that is drawn from.
type Lock string

// The locks.
const (
	Ticket Lock = "ticket" // one pool; FIFO, all waiters spin on one line
	MCS    Lock = "mcs"    // one pool; FIFO, each waiter spins on a line of its own
	Node   Lock = "node"   // a pool for each socket, each behind a ticket lock of its own
	None   Lock = "none"   // nothing: a state for each thread
)

// Locks are all locks.
var Locks = []Lock{Ticket, MCS, Node, None}

// A Config is what is modelled. Times are in nanoseconds; a time that varies is exponential with that mean.
//
// A thread works for Work, takes the lock of its pool, holds it for Section, which is one draw, and works again. With
// FeedEvery above 0, one draw in so many, by chance, has the holder take the one input pool's lock, which is an MCS
// lock, and hold it for Section before it releases its pool.
type Config struct {
	Sockets int `json:"sockets"` // 1 to 64
	Cores   int `json:"cores"`   // of a socket, 1 to 1024
	Threads int `json:"threads"` // hardware threads of a core, 1 to 8; each counts as much as a core

	Lock    Lock    `json:"lock"`
	Near    float64 `json:"near_ns"`    // to move a cache line between cores of one socket
	Far     float64 `json:"far_ns"`     // between sockets
	Lines   int     `json:"lines"`      // cache lines of the pool that follow its lock
	Section float64 `json:"section_ns"` // critical section: one draw; above 0
	Work    float64 `json:"work_ns"`    // outside of the lock, between two critical sections of a thread
	Batch   int64   `json:"batch"`      // draws that one critical section pays for; 0 is 1
	Random  bool    `json:"random"`     // the waiters of a ticket lock fetch its line in random order, not those near first

	FeedEvery float64 `json:"feed_every"` // draws for each that takes from the input pool too; 0: none does
	Fixed     bool    `json:"fixed"`      // Section and Work are constant

	Draws int64 `json:"draws"` // critical sections that count, after a tenth more that do not; 100 to 1e10
	Seed  int64 `json:"seed"`
}

// N is the number of hardware threads.
func (c Config) N() int { return c.Sockets * c.Cores * c.Threads }

// clockEnd is the end of the model's clock: it counts picoseconds, and 2^62 of them are 53 days.
const clockEnd = float64(1 << 62)

// Check finds what can't be modelled.
func (c Config) Check() error {
	err := inRange(
		quantity{"number of sockets", float64(c.Sockets), 1, 64}, quantity{"number of cores", float64(c.Cores), 1, 1024},
		quantity{"number of threads", float64(c.Threads), 1, 8}, quantity{"number of lines", float64(c.Lines), 0, 1024},
		quantity{"number of draws", float64(c.Draws), 100, 1e10}, quantity{"number of draws a batch", float64(c.Batch), 0, 1e9},
		quantity{"time in ns of a near line", c.Near, 0, 1e9}, quantity{"time in ns of a far line", c.Far, 0, 1e9},
		quantity{"time in ns of a critical section", c.Section, 0.001, 1e9}, quantity{"time in ns of work", c.Work, 0, 1e9},
	)
	if err != nil {
		return err
	}
	if c.FeedEvery != 0 && !(c.FeedEvery >= 1 && c.FeedEvery <= 1e9) {
		return fmt.Errorf("%v is not a number of draws for each feed, 0 or from 1 to 1e9", c.FeedEvery)
	}
	switch c.Lock {
	case Ticket, MCS, Node, None:
	default:
		return fmt.Errorf("%q is not a lock; use one of %q", c.Lock, Locks)
	}
	return c.checkClock()
}

// A quantity is a value with its limits.
type quantity struct {
	what            string
	is, least, most float64
}

// inRange finds the first value outside of its limits, which NaN is too.
func inRange(list ...quantity) error {
	for _, q := range list {
		if !(q.is >= q.least && q.is <= q.most) {
			return fmt.Errorf("%v is not a %s from %v to %v", q.is, q.what, q.least, q.most)
		}
	}
	return nil
}

// checkClock finds what could run past the end of the clock, were all waiters to fetch a far line at each draw.
func (c Config) checkClock() error {
	n := float64(c.N())
	draw := 2*c.Section + (n+2*float64(c.Lines)+2)*math.Max(c.Near, c.Far)
	ps := 2000 * (float64(c.Draws)*(draw+c.Work/n) + 20*n*draw + 40*c.Work)
	if ps > clockEnd {
		return fmt.Errorf("%d draws could take %.0f days of model time, and its clock ends at 53; use fewer draws",
			c.Draws, ps/1e12/86400)
	}
	return nil
}
