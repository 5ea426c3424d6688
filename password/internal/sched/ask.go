// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"time"
)

// Ask returns what Do would answer at once to a task with the Kind, Units, Memory, Threads, Batch
// and Rest of like. If it would be let in that is nil, nothing is kept for it, and nothing is
// left behind. A refusal leaves what Do's leaves, as its caller makes no task of it: it is
// counted, and estimates, overloads and shares take notice.
func (s *Scheduler) Ask(ctx context.Context, class int, principal uint64, like *Task) error {
	now := time.Now()
	why := ctx.Err() // with no lock held, as in submit
	limit, limited := ctx.Deadline()
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &s.asked
	*t = Task{
		Class: class, Principal: principal, Kind: like.Kind, Units: like.Units, Memory: like.Memory, Threads: like.Threads,
		Batch: like.Batch, Rest: like.Rest, asked: true,
	}
	switch {
	case t.Memory > s.memory:
		return &Refusal{Memory, s.retryAfter(time.Minute, time.Minute)}
	case why != nil:
		s.arrived(t, now)
		s.counts[class].Canceled++
		return why
	case s.closed:
		s.arrived(t, now)
		s.counts[class].Refused[Closed]++
		return ErrClosed
	}
	before := s.remember(t)
	s.prepare(t, limit, limited, now)
	reason, after := s.admit(t, now)
	if reason == 0 {
		s.restore(t, before)
		return nil
	}
	s.arrived(t, now)
	s.seq++
	s.counts[class].Refused[reason]++
	return &Refusal{reason, after}
}

// remembered is what admit changes though it lets the task in.
type remembered struct {
	last     float64
	doubt    doubt
	rest     [Classes]float64 // of tasks that were taken out and put back, which rounds
	heaviest [Classes]*share
	found    [Classes]time.Time
}

func (s *Scheduler) remember(t *Task) remembered {
	r := remembered{rest: s.rest, heaviest: s.shares.heaviest, found: s.shares.found}
	if k := s.rates.kinds[t.Kind]; k != nil {
		r.last, r.doubt = k.last, k.doubt
	}
	return r
}

func (s *Scheduler) restore(t *Task, r remembered) {
	t.kind.last, t.kind.doubt = r.last, r.doubt
	s.rest, s.shares.heaviest, s.shares.found = r.rest, r.heaviest, r.found
}
