// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"runtime"
	"sync"

	"fount/internal/erase"
)

// slots is where states live: off the heap where the system allows, in chunks
// that are never given back. The lock is taken when a P draws for the first
// time and when a Generator is made, closed or collected, never by a draw.
var slots struct {
	sync.Mutex
	chunks  [][]State
	free    []*State
	retired uint64 // reseeds of states that were given back
}

// slotsPerChunk makes a chunk 72 KiB: eighteen pages of 4 KiB.
const slotsPerChunk = 64

// newSlot returns a wiped state that is its caller's alone.
func newSlot() *State {
	slots.Lock()
	defer slots.Unlock()
	if len(slots.free) == 0 {
		chunk := erase.New[State](slotsPerChunk)
		slots.chunks = append(slots.chunks, chunk)
		for i := range chunk {
			slots.free = append(slots.free, &chunk[len(chunk)-1-i])
		}
	}
	last := len(slots.free) - 1
	s := slots.free[last]
	slots.free = slots.free[:last]
	return s
}

// freeSlot wipes s and lets newSlot hand it out again. Its caller must be its
// owner.
func freeSlot(s *State) {
	slots.Lock()
	defer slots.Unlock()
	s.wipe()
	s.busy, s.closed = false, false
	slots.retired += s.reseeds.Swap(0)
	slots.free = append(slots.free, s)
}

// A Lease is the right to one state. The state goes back, wiped, only when its Lease is
// unreachable. So a goroutine that keeps the Lease alive and still uses the state, even
// by misuse, shares it with no other Lease.
//
// A Lease is as large as the state, which the collector does not see, so that dropped
// leases bring the next collection near.
type Lease struct {
	s *State
	_ [stateSize - 8]byte
}

// NewLease returns a Lease of a state that is unseeded and empty: its first draw
// seeds it.
func NewLease() *Lease {
	l := &Lease{s: newSlot()}
	runtime.AddCleanup(l, freeSlot, l.s)
	return l
}

// State returns the state, which must not be used when l is not reachable.
func (l *Lease) State() *State { return l.s }

// Close wipes the state. A later draw from it panics. A second Close does nothing, even
// at the same time as the first or through a copy of the Lease's holder.
func (l *Lease) Close() {
	s := l.s
	slots.Lock()
	defer slots.Unlock()
	if s.closed {
		return
	}
	if s.busy {
		s.misused()
	}
	s.busy, s.closed = true, true
	s.wipe()
}

// Stats is what Status tells of the states.
type Stats struct {
	States  int    // in use: of Ps, pooled tokens and Generators that are not closed
	Reseeds uint64 // refills so far, each with 32 fresh bytes of the kernel
	Redone  uint64 // draws made again because the generation moved under them
	Epoch   uint64 // reseeds of everything so far, plus one
}

// ReadStats returns the present figures. Draws go on meanwhile.
func ReadStats() Stats {
	slots.Lock()
	defer slots.Unlock()
	st := Stats{Reseeds: slots.retired, Redone: redone.Load(), Epoch: epoch.Load()/epochStep + 1}
	for _, chunk := range slots.chunks {
		st.States += len(chunk)
		for i := range chunk {
			st.Reseeds += chunk[i].reseeds.Load()
			if chunk[i].closed {
				st.States--
			}
		}
	}
	st.States -= len(slots.free)
	return st
}
