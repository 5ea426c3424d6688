// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package model simulates threads on several sockets that draw random bytes behind locks. All is
// computed from the costs in a Config, and to be called modelled. That it meets published figures
// says that they are consistent with it.
package model

// A Lock says what guards the pool that is drawn from.
type Lock string

// The locks.
const (
	Ticket Lock = "ticket" // one pool; FIFO, all waiters spin on one line
	MCS    Lock = "mcs"    // one pool; FIFO, each waiter spins on a line of its own
	Node   Lock = "node"   // a pool for each socket, each behind a ticket lock of its own
)

// A Config is what is modelled. Times are in ns; one that varies is exponential with that mean.
//
// A thread works for Work, takes the lock of its pool, holds it for Section, a draw, and works
// again. One draw in FeedEvery, by chance, has the holder take the input pool's lock, an MCS lock,
// and hold it for Section before it releases its pool.
//
// The model's clock counts picoseconds, up to 106 days.
type Config struct {
	Sockets int
	Cores   int // of a socket
	Threads int // hardware threads of a core; each counts as much as a core

	Lock    Lock
	Near    float64 // to move a cache line between cores of one socket
	Far     float64 // between sockets
	Lines   int     // cache lines of the pool that follow its lock
	Section float64 // critical section: one draw; above 0
	Work    float64 // outside of the lock, between two critical sections of a thread
	Batch   int64   // draws that one critical section pays for; 0 is 1

	FeedEvery float64 // draws for each that takes from the input pool too, 1 or more; 0: none does

	Draws int64 // critical sections that count, after a tenth more that do not
	Seed  int64
}

// N is the number of hardware threads.
func (c Config) N() int { return c.Sockets * c.Cores * c.Threads }

// Figures are what a run gave, all of it modelled.
type Figures struct {
	PerSecond float64 // draws of all threads
	Waiting   float64 // share of all threads' time from an arrival to its critical section
	Crossing  float64 // share of critical sections whose lock another socket had last
}
