// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The event loop.

import (
	"context"
	"math"
	"math/rand/v2"
)

// What a thread's next event ends.
const (
	working = iota // it wants its pool
	drawing        // it has drawn, and may have to feed its pool
	feeding        // it has taken from the input pool
)

const never = math.MaxInt64

// A sim is a run of a Config. Times are in ps, so that sums of them are exact.
type sim struct {
	c   Config
	rng *rand.Rand
	now int64

	near, far     int64
	section, work float64 // ps
	feed          uint64  // a draw feeds its pool if the low 63 bits of a word are below it

	socket []int32 // of each thread
	doing  []uint8
	ends   []int64 // what it does; never while it waits
	since  []int64 // it waits
	locks  []lock  // of the pools
	input  lock    // of the input pool

	drawn   int64
	waited  float64 // ps, of all threads since the warm-up
	crossed int64   // acquisitions of a pool's lock that another socket had last, since the warm-up
}

// Simulate runs a Config. The same one gives the same Figures. It looks at ctx now and then.
func Simulate(ctx context.Context, c Config) (Figures, error) {
	return newSim(c).run(ctx)
}

// newSim is a run at its start: all threads work, in an order that is shuffled over the sockets.
func newSim(c Config) *sim {
	n := c.N()
	s := &sim{
		c:       c,
		rng:     rand.New(rand.NewPCG(uint64(c.Seed), 0)),
		near:    picoseconds(c.Near),
		far:     picoseconds(c.Far),
		section: 1000 * c.Section,
		work:    1000 * c.Work,
		socket:  make([]int32, n),
		doing:   make([]uint8, n),
		ends:    make([]int64, n),
		since:   make([]int64, n),
	}
	if c.FeedEvery > 0 {
		s.feed = uint64(math.MaxInt64 / c.FeedEvery)
	}

	pools := 1
	kind := c.Lock
	if c.Lock == Node {
		pools = c.Sockets
		kind = Ticket
	}
	for range pools {
		s.locks = append(s.locks, newLock(c, kind))
	}
	s.input = newLock(c, MCS)

	for i := range s.socket {
		s.socket[i] = int32(i % c.Sockets)
	}
	s.rng.Shuffle(n, func(i, j int) { s.socket[i], s.socket[j] = s.socket[j], s.socket[i] })

	for i := range n {
		s.ends[i] = s.time(s.work)
	}
	return s
}

func newLock(c Config, kind Lock) lock {
	return lock{kind: kind, lines: int64(c.Lines), holder: -1, waiting: make([]int64, c.Sockets)}
}

func picoseconds(ns float64) int64 { return int64(math.Round(1000 * ns)) }

// time is a time with that mean in ps.
func (s *sim) time(mean float64) int64 {
	return int64(mean * s.rng.ExpFloat64())
}

// run runs to the end, after a tenth of the draws, at least 20 a thread, that do not count.
func (s *sim) run(ctx context.Context) (Figures, error) {
	warm := max(s.c.Draws/10, 20*int64(s.c.N()))
	if err := s.until(ctx, warm); err != nil {
		return Figures{}, err
	}

	s.waited = 0
	s.crossed = 0
	begin := s.now
	if err := s.until(ctx, warm+s.c.Draws); err != nil {
		return Figures{}, err
	}

	elapsed := float64(s.now - begin)
	draws := float64(s.c.Draws)
	return Figures{
		PerSecond: draws * float64(max(s.c.Batch, 1)) / elapsed * 1e12,
		Waiting:   s.waited / (elapsed * float64(s.c.N())),
		Crossing:  float64(s.crossed) / draws,
	}, nil
}

// until simulates until that many draws were made.
func (s *sim) until(ctx context.Context, draws int64) error {
	for n := uint32(0); s.drawn < draws; n++ {
		if n%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		thread := s.next()
		s.now = s.ends[thread]

		switch s.doing[thread] {
		case working:
			s.want(s.pool(thread), thread)
		case drawing:
			if s.feed > 0 && s.rng.Uint64()>>1 < s.feed {
				s.doing[thread] = feeding
				s.want(&s.input, thread)
				break
			}
			s.finish(thread)
		case feeding:
			s.release(&s.input)
			s.finish(thread)
		}
	}
	return nil
}

// next returns the thread with the earliest event. Among some hundred a search is as fast as a
// heap.
func (s *sim) next() int32 {
	first := 0
	at := s.ends[0]
	for i, end := range s.ends {
		if end < at {
			first = i
			at = end
		}
	}
	return int32(first)
}

// pool is the lock of the thread's pool.
func (s *sim) pool(thread int32) *lock {
	if len(s.locks) == 1 {
		return &s.locks[0]
	}
	return &s.locks[s.socket[thread]]
}

// want has the thread take the lock, or wait for it.
func (s *sim) want(l *lock, thread int32) {
	s.since[thread] = s.now
	if !l.held {
		s.enter(l, thread, s.acquire(l, thread))
		return
	}
	s.ends[thread] = never
	l.queue = append(l.queue, thread)
	l.waiting[s.socket[thread]]++
}

// enter has the thread hold the lock after a delay, until the end of its critical section.
func (s *sim) enter(l *lock, thread int32, delay int64) {
	s.waited += float64(s.now + delay - s.since[thread])
	if l != &s.input {
		s.doing[thread] = drawing
		if l.holder >= 0 && s.socket[l.holder] != s.socket[thread] {
			s.crossed++
		}
	}

	l.held = true
	l.holder = thread
	s.ends[thread] = s.now + delay + s.time(s.section)
}

// finish ends a draw: the pool goes to the next, and the thread works again.
func (s *sim) finish(thread int32) {
	s.drawn++
	s.release(s.pool(thread))
	s.doing[thread] = working
	s.ends[thread] = s.now + s.time(s.work)
}

// release gives the lock to the thread that has waited longest.
func (s *sim) release(l *lock) {
	if len(l.queue) == 0 {
		l.held = false
		return
	}

	to := l.queue[0]
	delay := s.handover(l, l.holder, to)
	l.queue = l.queue[1:]
	l.waiting[s.socket[to]]--
	s.enter(l, to, delay)
}

// A lock is one lock with the threads that wait for it.
type lock struct {
	kind    Lock // Ticket or MCS
	lines   int64
	held    bool
	holder  int32   // the thread that has it or had it last, -1 before the first
	queue   []int32 // threads, first come, first served
	waiting []int64 // of them, by socket
}

// transfer is the time to move one cache line from one thread to another. A thread that comes back
// to a line that nobody had meanwhile has it.
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

	near := l.waiting[s.socket[from]]
	total := int64(len(l.queue))
	if s.socket[from] == s.socket[to] {
		return s.near*(near+1)/2 + state
	}

	far := total - near
	return s.near*near + s.far*(far+1)/2 + state
}
