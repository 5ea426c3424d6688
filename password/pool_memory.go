// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"slices"
	"sync"
	"time"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password/internal/argon2"
)

// leastMemory is what a store may hold at least, in bytes.
const leastMemory = 256 << 20

// idleMemory is how long memory is kept that no hash has asked for.
const idleMemory = time.Minute

// wipeAfter is how long what argon2 left in its memory waits for the next hash, which overwrites
// it. Wiping takes a tenth of a hash: a busy pool saves that.
const wipeAfter = time.Millisecond

// A store keeps scratches that are not in use, as far as the budget reaches: to map and to touch
// memory anew costs page faults. It lends a scratch only to a hash of the size that it was made
// for: a small hash in a large scratch would hold more than the scheduler counts.
//
// To wipe 1 GiB and to unmap it takes up to 100 ms, so the store is not locked meanwhile: what
// leaves counts until it is gone, and a hash that needs its place waits for that.
type store struct {
	mu      sync.Mutex
	free    []*scratch // the longest unused first
	size    int64      // bytes of free
	used    int64      // bytes of those in use
	leaving int64      // bytes of those being dropped
	left    sync.Cond  // leaving has become less
	limit   int64      // of all three together
	timer   *time.Timer
	wiper   bool // a wipe is due
}

// take returns a scratch for a hash of n bytes: the one that such a hash has used last, or else a
// new one, for which others make room.
func (s *store) take(n int64) *scratch {
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
	for s.leaving > 0 && s.size+s.used+s.leaving > s.limit {
		s.wait()
	}
	return &scratch{reserved: n}
}

func (s *store) remove(i int) {
	s.size -= s.free[i].reserved
	s.free = slices.Delete(s.free, i, i+1)
}

func (s *store) give(back *scratch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, back)
	s.size += back.reserved
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

// expire drops those that no hash has asked for, however busy others are.
func (s *store) expire() {
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

// wipe wipes all that is not in use. A hash that comes meanwhile need not wait.
func (s *store) wipe() {
	var turn turn.Turn
	turn.Start(1, nil)
	for {
		if wiped := s.wipePiece(); !wiped {
			return
		}
		turn.Did(1)
	}
}

// wipePiece reports whether there was one to wipe.
func (s *store) wipePiece() bool {
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

// trim drops the longest unused until those that are left keep the limit.
func (s *store) trim() {
	for len(s.free) > 0 && s.size+s.used > s.limit {
		s.dropOldest()
	}
}

// dropOldest drops the longest unused. The store is unlocked meanwhile.
func (s *store) dropOldest() {
	oldest := s.free[0]
	s.remove(0)
	s.leaving += oldest.reserved
	s.mu.Unlock()
	oldest.drop()
	s.mu.Lock()
	s.leaving -= oldest.reserved
	s.left.Broadcast()
}

// wait waits until something has left. The store is unlocked meanwhile.
func (s *store) wait() {
	if s.left.L == nil { // others that wait read it unlocked
		s.left.L = &s.mu
	}
	s.left.Wait()
}

// clear drops all that are not in use, and returns when they have left.
func (s *store) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.free) > 0 {
		s.dropOldest()
	}
	for s.leaving > 0 {
		s.wait()
	}
}

// A scratch is memory that one argon2, scrypt or Format leaves to the next, outside of the heap
// where the system allows it. It belongs to one goroutine, which drops it in the end. What argon2
// leaves is wiped before the memory goes to anything but an argon2, which overwrites it; the others
// leave zeros.
type scratch struct {
	memory []byte
	dirty  int // so many bytes, from the first, may hold what an argon2 left
	unmap  func()

	reserved int64     // what its hash counts for: it never has more
	since    time.Time // when it was given back
}

// forArgon2 returns n blocks of 1 KiB, all of which the caller is going to write.
func (s *scratch) forArgon2(n int) []argon2.Block {
	blocks := erase.As[argon2.Block](s.room(n << 10))
	s.dirty = max(s.dirty, n<<10)
	return blocks
}

// zeros returns n bytes. The caller leaves zeros.
func (s *scratch) zeros(n int) []byte {
	zeros := s.room(n)
	erase.Large(s.memory[:s.dirty])
	s.dirty = 0
	return zeros
}

func (s *scratch) room(n int) []byte {
	if len(s.memory) < n {
		s.drop() // before there is more
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
	clear(s.memory[rest:s.dirty])
	s.dirty = rest
	return true
}

// drop wipes the memory and gives it back to the system.
func (s *scratch) drop() {
	erase.Large(s.memory[:s.dirty])
	if s.unmap != nil {
		s.unmap()
	}
	s.memory, s.dirty, s.unmap = nil, 0, nil
}
