// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Who has had too much of the machine, and waits while others are refused.

import (
	"math"
	"time"
)

const (
	// The heavy are confined after somebody else was refused for want of time: first to a full
	// batch for each worker, then to half of the queue, as who floods may do so for long, and
	// others may come rarely.
	confinedFor = 5 * time.Second
	halvedFor   = 5 * time.Minute

	// heavy is how many times the mean a caller or a principal weighs that is to be confined.
	heavy = 1.25

	// fade is the time constant with which service is forgotten; who has asked counts as present
	// for as long, and at most twice.
	fade = 2 * time.Second
)

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

// of returns the shares of all, of the task's caller and of its principal; nil: unknown.
func (s *shares) of(t *task) (all, caller, principal *share) {
	if caller = s.all.parts[t.caller]; caller != nil {
		principal = caller.parts[t.principal]
	}
	return &s.all, caller, principal
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
func (s *shares) seen(t *task, now time.Time) {
	if g := int64(now.Sub(s.start) / fade); g != s.generation {
		next := g == s.generation+1
		s.generation = g
		s.turn(&s.all, next, now)
	}
	of := &s.all
	for _, id := range [2]uint64{t.caller, t.principal} {
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

// join notes that the task waits.
func (s *shares) join(t *task) {
	all, caller, principal := s.of(t)
	if caller == nil {
		caller = s.add(all, t.caller)
	}
	if principal == nil {
		principal = s.add(caller, t.principal)
	}
	t.shares = [3]*share{all, caller, principal}
	for _, p := range t.shares {
		p.queued += t.charge
	}
}

// leave notes that it does no more.
func (t *task) leave() {
	for _, p := range t.shares {
		p.queued -= t.charge
	}
}

// serve notes that it was begun.
func (t *task) serve(now time.Time) {
	for _, p := range t.shares {
		p.served, p.at = p.weight(now)-float64(p.queued)+float64(t.charge), now
	}
	t.leave()
}

// confined reports whether the task is too much for its caller, or for its principal within the
// caller, which is heavy, after another was refused. It is where the machine stays busy without it:
// a full batch for each worker waits, or, some time later, half of what may. In a crowd, who
// happens to ask twice is not heavy. Where both are, half as much is enough: the rest of what a
// heavy caller has is for its other principals.
func (q *queue) confined(t *task, now time.Time) bool {
	all, caller, principal := q.shares.of(t)
	batch, half := 0.0, 0.0 // how many are to keep to that
	for _, p := range [2][2]*share{{all, caller}, {caller, principal}} {
		of, part := p[0], p[1]
		if of == nil || !of.heavy(part, now) {
			continue
		}
		if now.Sub(of.short) < confinedFor {
			batch++
		}
		if now.Sub(of.short) < halvedFor {
			half++
		}
	}
	full := float64(t.course.time(t.course.lanes))
	waits := float64(all.queued) + q.chargeOf(t.course)
	return batch*waits > full || half*waits > max(full, float64(q.waitOf(t.course))/2)
}

// refused notes that a sign-in was. If that was for want of time or of a place, though it could
// have waited for half as long as it may, or of a share, as its caller is heavy, the heavy are
// confined: the callers, and the caller's principals unless it has far less than its share, as that
// is not their doing. Beside one that is heavy, another has 0.75 of it.
func (q *queue) refused(t *task, why Reason, meant bool, now time.Time) {
	if t.upgrade {
		return
	}
	if !meant {
		q.shares.seen(t, now)
	}
	if t.course.refused.IsZero() {
		t.course.refused = now
	}
	if why != ReasonShare && t.left(now) < t.time(1)+q.wait(t.course)/2 {
		return
	}
	all, caller, principal := q.shares.of(t)
	for _, p := range [2][2]*share{{all, caller}, {caller, principal}} {
		of, part := p[0], p[1]
		switch {
		case of == nil, of.heavy(part, now), of == all && len(all.parts) < 2:
		case of == all || heavy*heavy*of.weight(now) >= all.mean(now):
			of.short = now
		}
	}
}

// chargeOf returns the machine time that a task takes from all when there is a queue: its part of a
// full batch.
func (q *queue) chargeOf(c *course) float64 { return q.full(c) / float64(c.lanes) }
