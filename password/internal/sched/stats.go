// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"slices"
	"time"

	"fount/password/internal/histogram"
)

// Counts is what became of the tasks of one class. At every moment
//
//	Submitted = Completed + Canceled + Expired + Dropped + all of Refused + Queued + Running
type Counts struct {
	Submitted uint64
	Completed uint64
	Canceled  uint64 // the caller went away, or Close did not wait
	Expired   uint64 // let in, and the caller's deadline passed before the answer
	Dropped   uint64 // let in, and given up because it was late or made way
	Evicted   uint64 // of those dropped: made way for one of a lighter principal
	Refused   [Reasons]uint64
	Outcomes  [Outcomes]uint64 // of the completed

	Queued, Running int
}

// Timing is how long the tasks of one kind waited and ran.
type Timing struct {
	Kind
	Wait    histogram.Histogram // of the completed, from their coming to leaving the queue
	Service histogram.Histogram // of the same, from leaving the queue to the answer

	// The estimates in use, for as many units as the last one to come had.
	Alone time.Duration // one by itself
	Drain time.Duration // of one worker for one with a queue behind it: Workers/Drain is the rate
}

// Stats is a snapshot.
type Stats struct {
	Classes  [Classes]Counts
	Workers  int // now, without those kept free
	Busy     int // workers occupied
	Memory   int64
	Held     int64         // of Memory
	MaxWait  time.Duration //
	Backlog  time.Duration // until all that runs and waits is done
	Overload time.Duration // since it began; 0: there is none
	Strain   Strain        //
	Widths   []uint64      // batches begun, by the number of their tasks
	Timings  []Timing      // in the order in which kinds were first seen
	Top      []Sender      // those that sent most in the last minutes
}

// topShown is how many principals a snapshot holds.
const topShown = 10

// Stats returns a snapshot, consistent in itself.
func (s *Scheduler) Stats() Stats {
	s.mu.Lock()
	n := len(s.rates.all)
	s.mu.Unlock()
	timings := make([]Timing, 0, n) // up to 100 kB, and the collector's share of that, without the lock
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats(time.Now(), timings)
}

// An Estimate is how long tasks of one kind take, for as many units as the last one to come had.
type Estimate struct {
	Kind
	Alone time.Duration // one by itself
	Drain time.Duration // of all workers for one with a queue behind it
}

// Estimates returns the estimates in use, in the order in which kinds were first seen, and how long it takes until all that runs and waits is done.
func (s *Scheduler) Estimates() (kinds []Estimate, backlog time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.rates.all {
		kinds = append(kinds, Estimate{k.Kind, k.time(k.last, 1), duration(k.drain() * k.last / s.abreast(k))})
	}
	return kinds, s.backlog(time.Now())
}

// StatsByAlgorithm is Stats with one Timing for all kinds of an algorithm: of no Cost and without estimates.
func (s *Scheduler) StatsByAlgorithm() Stats {
	timings := make([]Timing, 0, 4)
	var place [256]uint8 // of an algorithm in timings, from 1
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.figures(time.Now())
	for _, k := range s.rates.all {
		at := &place[k.Algorithm]
		if *at == 0 {
			timings = append(timings, Timing{Kind: Kind{Algorithm: k.Algorithm}})
			*at = uint8(len(timings))
		}
		t := &timings[*at-1]
		t.Wait.Include(&k.wait)
		t.Service.Include(&k.service)
	}
	st.Timings = timings
	return st
}

// stats uses the memory of timings if that suffices.
func (s *Scheduler) stats(now time.Time, timings []Timing) Stats {
	st := s.figures(now)
	st.Timings = slices.Grow(timings, len(s.rates.all))[:len(s.rates.all)]
	for i, k := range s.rates.all {
		t := &st.Timings[i]
		t.Kind, t.Alone = k.Kind, k.time(k.last, 1)
		t.Drain = duration(k.drain() * k.last / s.abreastOf(k, st.Workers) * float64(st.Workers))
		t.Wait = k.wait
		t.Service = k.service
	}
	return st
}

// figures are a snapshot without Timings.
func (s *Scheduler) figures(now time.Time) Stats {
	st := Stats{
		Classes: s.counts,
		Workers: s.cap(),
		Busy:    s.threads,
		Memory:  s.memory,
		Held:    s.held,
		MaxWait: s.maxWait,
		Backlog: s.backlog(now),
		Widths:  slices.Clone(s.widths),
		Top:     s.top.list(topShown),
	}
	for c := range s.queues {
		for _, t := range s.queues[c].tasks {
			st.Classes[t.Class].Queued++
		}
	}
	for _, b := range s.running {
		for _, t := range b.tasks {
			st.Classes[t.Class].Running++
		}
	}
	if s.over.now() {
		st.Overload = max(now.Sub(s.over.since), 1)
	}
	st.Strain = s.strainAt(now)
	return st
}
