// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What bounds memory. Limits refuse a stored hash that needs more than 1 GiB or what is set
// (Limits.check), and scheduler.submit one that needs more than all of Options.Memory: by default the
// largest hash times the workers, and 256 MiB at least. The others begin only if they fit beside
// those that run (machine.fits). What they have used is kept for the next ones, in a scratchPool,
// which drops what would be above the same limit. Without a Pool nothing bounds the sum of what runs.

import (
	"slices"
	"sync"
	"time"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password/internal/argon2"
)

// minMemory is the lowest default limit of a scratchPool, in bytes.
const minMemory = 256 << 20

// idleMemory is how long unused memory is kept.
const idleMemory = time.Minute

// wipeAfter is how long argon2's memory waits to be wiped. Wiping takes a tenth of a hash's time; a
// busy pool saves it, as the next hash overwrites the memory.
const wipeAfter = time.Millisecond

// A scratchPool keeps unused memory for the next hash, up to a limit, because mapping new memory
// costs page faults. A hash gets only a scratch of its own size: in a larger one it would hold more
// than the queue counts.
//
// To wipe and unmap 1 GiB takes up to 100 ms. The pool is unlocked meanwhile, and such memory
// counts until it is gone.
type scratchPool struct {
	mu       sync.Mutex
	free     []*scratch // in the order in which they were given back
	kept     int64      // bytes of free
	used     int64      // bytes of those in use
	dropping int64      // bytes of those that go back to the system
	dropped  sync.Cond  // signals that dropping has become less
	limit    int64      // of all three together, as machine.fits bounds those in use
	timer    *time.Timer
	wiper    bool // a call of wipe is due
}

// unpooledScratch keeps memory for hashes without a Pool: to map and clear 19 MiB takes the system
// as long as argon2 takes to fill it.
var unpooledScratch = scratchPool{limit: minMemory}

// take returns a scratch of n bytes: the last used one of that size, or a new one. For a new one it
// may have to drop others.
func (s *scratchPool) take(n int64) *scratch {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.used += n
	for i, free := range slices.Backward(s.free) {
		if free.reserved == n {
			s.remove(i)
			return free
		}
	}

	s.trim()
	for s.dropping > 0 && s.kept+s.used+s.dropping > s.limit {
		s.wait()
	}
	return &scratch{reserved: n}
}

func (s *scratchPool) remove(i int) {
	s.kept -= s.free[i].reserved
	s.free = slices.Delete(s.free, i, i+1)
}

func (s *scratchPool) give(back *scratch) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.free = append(s.free, back)
	s.kept += back.reserved
	s.used -= back.reserved
	back.since = time.Now()

	if back.dirty > 0 && !s.wiper {
		s.wiper = true
		time.AfterFunc(wipeAfter, s.wipe)
	}
	if s.timer == nil {
		s.timer = time.AfterFunc(idleMemory, s.expire)
	}
	s.trim()
}

// expire drops the scratches that have not been used for idleMemory.
func (s *scratchPool) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()

	for len(s.free) > 0 && time.Since(s.free[0].since) >= idleMemory {
		s.dropOldest()
	}

	s.timer = nil
	if len(s.free) > 0 {
		s.timer = time.AfterFunc(idleMemory-time.Since(s.free[0].since), s.expire)
	}
}

// wipe wipes the unused scratches, in pieces, so that no hash has to wait for it.
func (s *scratchPool) wipe() {
	var turn turn.Turn
	turn.Start(1, nil)
	for s.wipePiece() {
		turn.Did(1)
	}
}

// wipePiece reports whether there was one to wipe.
func (s *scratchPool) wipePiece() bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	for _, free := range s.free {
		if free.wipePiece() {
			return true
		}
	}
	s.wiper = false
	return false
}

// trim drops the longest unused scratches until the rest is within the limit.
func (s *scratchPool) trim() {
	for len(s.free) > 0 && s.kept+s.used > s.limit {
		s.dropOldest()
	}
}

// dropOldest drops the longest unused scratch. The pool is unlocked meanwhile.
func (s *scratchPool) dropOldest() {
	oldest := s.free[0]
	s.remove(0)
	s.dropping += oldest.reserved

	s.mu.Unlock()
	oldest.drop()
	s.mu.Lock()

	s.dropping -= oldest.reserved
	s.dropped.Broadcast()
}

// wait waits until memory has left. The pool is unlocked meanwhile.
func (s *scratchPool) wait() {
	if s.dropped.L == nil { // others that wait read it unlocked
		s.dropped.L = &s.mu
	}
	s.dropped.Wait()
}

// dropUnused drops all unused scratches, and returns when they are gone.
func (s *scratchPool) dropUnused() {
	s.mu.Lock()
	defer s.mu.Unlock()

	for len(s.free) > 0 {
		s.dropOldest()
	}
	for s.dropping > 0 {
		s.wait()
	}
}

// A scratch is memory for one hash at a time, outside of the heap where the system allows it. An
// argon2 leaves its blocks in it: they are wiped before another algorithm gets the memory, and
// overwritten by the next argon2. All others leave zeros.
type scratch struct {
	memory []byte
	dirty  int // length of the part that an argon2 has used since the last wipe
	unmap  func()

	reserved int64     // bytes that the queue counts for it; memory never has more
	since    time.Time // when it was given back
}

// forArgon2 returns n blocks of 1 KiB with any content. The caller must write to all of them.
func (s *scratch) forArgon2(n int) []argon2.Block {
	blocks := erase.As[argon2.Block](s.room(n << 10))
	s.dirty = max(s.dirty, n<<10)
	return blocks
}

// zeros returns n zero bytes. The caller must leave zeros.
func (s *scratch) zeros(n int) []byte {
	zeros := s.room(n)
	erase.Large(s.memory[:s.dirty])
	s.dirty = 0
	return zeros
}

func (s *scratch) room(n int) []byte {
	if len(s.memory) < n {
		s.drop() // first, so that both are not held at once
		s.memory, s.unmap = erase.Map[byte](n)
	}
	return s.memory[:n]
}

// wipePiece wipes 256 KiB, and reports whether there was anything to wipe.
func (s *scratch) wipePiece() bool {
	if s.dirty == 0 {
		return false
	}

	rest := max(0, s.dirty-256<<10)
	erase.Wipe(s.memory[rest:s.dirty])
	s.dirty = rest
	return true
}

// drop wipes the memory and gives it back to the system.
func (s *scratch) drop() {
	erase.Large(s.memory[:s.dirty])
	if s.unmap != nil {
		s.unmap()
	}
	s.memory = nil
	s.dirty = 0
	s.unmap = nil
}
