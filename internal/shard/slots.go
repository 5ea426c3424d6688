// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"sync"

	"fount/internal/erase"
)

// slots holds the memory of all states: off the heap if the system allows, in chunks that are never
// given back. Only the first draw of a P takes the lock.
var slots struct {
	sync.Mutex
	chunks [][]State
	free   []*State
}

// slotsPerChunk makes a chunk 18 KiB, so that some can be locked in memory even under a limit of 64
// KiB (RLIMIT_MEMLOCK).
const slotsPerChunk = 16

// newSlot returns a wiped state that no one else uses.
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

// freeSlot wipes s, which its caller must own, and lets newSlot return it again.
func freeSlot(s *State) {
	slots.Lock()
	defer slots.Unlock()
	s.wipe()
	slots.free = append(slots.free, s)
}
