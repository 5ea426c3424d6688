// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import "time"

// calm is how long nothing must have been refused before an overload has ended.
const calm = 5 * time.Second

// An overload is the time from the first task that is refused or dropped for want
// of time until none has been for a while.
type overload struct {
	since time.Time // zero: there is none
	last  time.Time // the last refusal
	told  bool      // that it began
	timer *time.Timer
}

// A Strain is what all overloads came to.
type Strain struct {
	Began uint64        // how many began
	Ended uint64        // of those
	Time  time.Duration // of all, the present one included
}

// strainAt returns the sum with the overload that lasts.
func (s *Scheduler) strainAt(now time.Time) Strain {
	sum := s.strain
	if s.over.now() {
		sum.Time += now.Sub(s.over.since)
	}
	return sum
}

// endOverload ends the one that lasts.
func (s *Scheduler) endOverload(now time.Time) {
	s.strain = s.strainAt(now)
	s.strain.Ended++
	s.over = overload{}
}

func (o *overload) now() bool { return !o.since.IsZero() }

// strained notes that a task is refused or dropped.
func (s *Scheduler) strained(now time.Time) {
	s.over.last = now
	if !s.over.now() {
		s.over.since = now
		s.strain.Began++
		s.over.timer = time.AfterFunc(0, s.watch)
	}
}

// watch tells that an overload has begun, and then looks whether it has ended. The
// next overload may begin while the end of this one is still being reported: its
// watch waits for that.
func (s *Scheduler) watch() {
	s.telling <- struct{}{}
	defer func() { <-s.telling }()
	s.mu.Lock()
	if !s.over.now() { // the scheduler is closed
		s.mu.Unlock()
		return
	}
	began, left := !s.over.told, calm-time.Since(s.over.last)
	ended := !began && left <= 0
	s.over.told = true
	now := time.Now()
	stats := s.stats(now, nil)
	timer := s.over.timer
	if ended {
		s.endOverload(now)
	}
	closed := s.closed
	s.mu.Unlock()
	if s.notify != nil && (began || ended) {
		s.notify(began, stats)
	}
	if !ended && !closed {
		timer.Reset(max(left, time.Millisecond))
	}
}
