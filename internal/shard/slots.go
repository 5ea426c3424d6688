// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"sync"
	"sync/atomic"

	"fount/internal/erase"
)

// slots is where states live: off the heap where the system allows, in chunks
// that are never given back. The lock is taken when a P draws for the first
// time, never by a later draw.
var slots struct {
	sync.Mutex
	chunks [][]State
	free   []*State
}

// slotsPerChunk makes a chunk 18 KiB, so that some are locked where a limit admits 64 KiB
// (RLIMIT_MEMLOCK).
const slotsPerChunk = 16

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

// redone counts draws thrown away and made again because the generation moved
// between their first look and their last.
var redone atomic.Uint64

// freeSlot wipes s and lets newSlot hand it out again. Its caller must be its
// owner.
func freeSlot(s *State) {
	slots.Lock()
	defer slots.Unlock()
	s.wipe()
	slots.free = append(slots.free, s)
}

// Stats is what Status tells of the states.
type Stats struct {
	States  int    // in use: of Ps, or pooled tokens
	Reseeds uint64 // refills so far, each with 32 fresh bytes of the kernel
	Redone  uint64 // draws made again because the generation moved under them
	Epoch   uint64 // reseeds of everything so far, plus one
}

// ReadStats returns the present figures. Draws go on meanwhile.
func ReadStats() Stats {
	slots.Lock()
	defer slots.Unlock()
	st := Stats{Redone: redone.Load(), Epoch: epoch.Load()/epochStep + 1}
	for _, chunk := range slots.chunks {
		st.States += len(chunk)
		for i := range chunk {
			st.Reseeds += chunk[i].reseeds.Load()
		}
	}
	st.States -= len(slots.free)
	return st
}
