// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Who has had too much of the machine, and waits while others are refused.

import (
	"math"
	"time"
)

// heavy is how many times the mean a caller or a principal weighs that is to be confined.
const heavy = 1.25

// A share is the part of the machine that all, a caller, or a principal of one has, in nanoseconds:
// in the queue and begun lately. The queue alone would not do: who always goes first, because its
// deadlines are short, has little there and yet uses the machine.
type share struct {
	queued     int64
	served     float64 // faded until at
	at         time.Time
	generation int64 // in which it last asked

	// Of those who have a part of it:
	parts map[uint64]*share
	last  int       // how many asked in the generation before
	now   int       // in this one
	fresh int       // of those, the ones who did not in the one before
	short time.Time // when one that is not heavy was refused for want of time
}

func (p *share) weight(now time.Time) float64 {
	return float64(p.queued) + p.served*math.Exp(-float64(now.Sub(p.at))/float64(fade))
}

// mean returns what those who asked lately weigh, at least two: who floods is heavy also while no
// other asks.
func (p *share) mean(now time.Time) float64 { return p.weight(now) / float64(max(p.last+p.fresh, 2)) }

// heavy reports whether a part weighs far more than the mean.
func (p *share) heavy(part *share, now time.Time) bool {
	return part != nil && part.weight(now) > heavy*p.mean(now)
}

// shares are those of callers and of their principals who have something in the queue, were served
// lately or asked lately.
type shares struct {
	all        share // of callers, and theirs of principals
	known      int   // of both
	start      time.Time
	generation int64 // of length fade, since start
}

// mostShares bounds how many are known, but for those in the queue and those that were served
// lately. Above it who asks is counted as somebody new.
const mostShares = 1 << 14

// A lineage is the shares of all, of a caller and of its principal; nil: unknown.
type lineage [3]*share

func (s *shares) of(caller, principal uint64) lineage {
	l := lineage{&s.all, s.all.parts[caller]}
	if l[1] != nil {
		l[2] = l[1].parts[principal]
	}
	return l
}

func (s *shares) add(to *share, id uint64) *share {
	part := &share{generation: math.MinInt64 / 2}
	if to.parts == nil {
		to.parts = make(map[uint64]*share)
	}
	to.parts[id] = part
	s.known++
	return part
}

// seen notes that somebody asks. An upgrade is not seen: it would lower the mean.
func (s *shares) seen(caller, principal uint64, now time.Time) {
	if g := int64(now.Sub(s.start) / fade); g != s.generation {
		next := g == s.generation+1
		s.generation = g
		s.turn(&s.all, next, now)
	}
	of := &s.all
	for _, id := range [2]uint64{caller, principal} {
		part := of.parts[id]
		if part == nil && s.known < mostShares {
			part = s.add(of, id)
		}
		switch {
		case part == nil || part.generation < s.generation-1:
			of.now++
			of.fresh++
		case part.generation < s.generation:
			of.now++
		}
		if part == nil {
			return
		}
		part.generation = s.generation
		of = part
	}
}

// turn begins a generation, and forgets who has nothing any more.
func (s *shares) turn(of *share, next bool, now time.Time) {
	of.last, of.now, of.fresh = of.now, 0, 0
	if !next {
		of.last = 0
	}
	for id, part := range of.parts {
		s.turn(part, next, now)
		if part.queued == 0 && part.generation < s.generation-1 && now.Sub(part.at) > 4*fade {
			delete(of.parts, id)
			s.known--
		}
	}
}

// join notes that a task of so much machine time waits, and returns whose it is.
func (s *shares) join(caller, principal uint64, charge int64) lineage {
	l := s.of(caller, principal)
	if l[1] == nil {
		l[1] = s.add(l[0], caller)
	}
	if l[2] == nil {
		l[2] = s.add(l[1], principal)
	}
	for _, p := range l {
		p.queued += charge
	}
	return l
}

func (l lineage) leave(charge int64) {
	for _, p := range l {
		p.queued -= charge
	}
}

func (l lineage) serve(charge int64, now time.Time) {
	for _, p := range l {
		p.served, p.at = p.weight(now)-float64(p.queued)+float64(charge), now
	}
	l.leave(charge)
}
