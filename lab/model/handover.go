// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// What it costs that a lock goes from one thread to another.

// A lock is one lock with the threads that wait for it.
type lock struct {
	kind    Lock // Ticket or MCS
	lines   int64
	held    bool
	holder  int32   // the thread that has it or had it last, -1 before the first
	queue   []int32 // threads, first come, first served
	waiting []int64 // of them, by socket
}

// transfer is the time for one cache line from one thread to another, whose sockets are given. A
// thread that comes back to a line which nobody had meanwhile has it.
func (s *sim) transfer(from, to int32) int64 {
	switch {
	case from == to || from < 0:
		return 0
	case s.socket[from] == s.socket[to]:
		return s.near
	}
	return s.far
}

// acquire is the time from an arrival at a free lock to the critical section.
func (s *sim) acquire(l *lock, to int32) int64 { return (1 + l.lines) * s.transfer(l.holder, to) }

// handover is the time from a release to the critical section of the first in the queue.
//
// To an MCS lock it is the transfer of one line. The line of a ticket lock is fetched by all
// waiters, one after the other. Those on the releasing socket come first, as their requests have
// the shorter way; among those of one socket the next holder is, on average, in the middle.
func (s *sim) handover(l *lock, from, to int32) int64 {
	state := l.lines * s.transfer(from, to)
	if l.kind == MCS {
		return s.transfer(from, to) + state
	}
	near, total := l.waiting[s.socket[from]], int64(len(l.queue))
	if s.socket[from] == s.socket[to] {
		return s.near*(near+1)/2 + state
	}
	far := total - near
	return s.near*near + s.far*(far+1)/2 + state
}
