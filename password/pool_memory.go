// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Memory that one argon2 or scrypt leaves to the next: to map and to touch it anew costs
// page faults.

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// idleMemory is how long memory is kept that no hash has asked for.
const idleMemory = time.Minute

// A store keeps scratches that are not in use, as far as the budget reaches: how
// many are in use at once is the scheduler's affair.
type store struct {
	mu    sync.Mutex
	free  []*loan // by size
	size  int64   // bytes of free
	used  int64   // bytes of those in use
	limit int64   // of both together
	timer *time.Timer
}

func (s *store) setLimit(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = n
	s.trim()
}

// take returns a scratch for n bytes: the smallest that has them, or a new one, for
// which others make room.
func (s *store) take(n int64) *loan {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := new(loan)
	for i, free := range s.free {
		if free.bytes() >= n {
			taken = free
			s.remove(i)
			break
		}
	}
	taken.reserved = max(taken.bytes(), n)
	s.used += taken.reserved
	s.trim()
	return taken
}

func (s *store) remove(i int) {
	s.size -= s.free[i].bytes()
	s.free = slices.Delete(s.free, i, i+1)
}

// give takes a scratch back.
func (s *store) give(back *loan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, _ := slices.BinarySearchFunc(s.free, back, func(a, b *loan) int { return cmp.Compare(a.bytes(), b.bytes()) })
	s.free = slices.Insert(s.free, i, back)
	s.size += back.bytes()
	s.used -= back.reserved
	s.trim()
	if s.timer == nil {
		s.timer = time.AfterFunc(idleMemory, s.clear)
	} else {
		s.timer.Reset(idleMemory)
	}
}

// trim drops the smallest until the limit is kept.
func (s *store) trim() {
	for len(s.free) > 0 && s.size+s.used > s.limit {
		smallest := s.free[0]
		s.remove(0)
		smallest.drop()
	}
}

// clear drops all that are not in use.
func (s *store) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, loan := range s.free {
		loan.drop()
	}
	s.free, s.size = nil, 0
}

// A loan is a scratch with the bytes that its borrower said he needs.
type loan struct {
	scratch
	reserved int64
}
