// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"math"
	"time"
)

const (
	// margin is the part by which all estimates are raised at admission: times vary with what else
	// the machine does, and a queue that is an eighth shorter costs hardly any throughput.
	margin = 1.0 / 8

	// The heavy are confined after somebody else was refused for want of time: first to a full
	// batch for each worker, then to half of the queue, as who floods may do so for long, and others
	// may come rarely.
	confinedFor = 5 * time.Second
	halvedFor   = 5 * time.Minute

	// leastWait is how long every task may wait where no MaxWait is set.
	leastWait = 300 * time.Millisecond

	// heavy is how many times the mean a caller or a principal weighs that is to be confined.
	heavy = 1.25

	// fade is the time constant with which service is forgotten; who has asked counts as present
	// for as long, and at most twice.
	fade = 2 * time.Second
)

// judge decides on a newcomer, and changes nothing but the times in t. The queue is first come,
// first served, so a task is in time if all before it is: what comes later does it no harm. It
// returns why t is refused, if it is, how much too late it would come, and how long the queue is.
func (s *Scheduler) judge(t *Task, now time.Time) (why Reason, late, wait time.Duration) {
	t.trial, t.work = false, t.time(1)
	left := t.left(now)
	switch {
	case t.Upgrade: // waits apart
		t.expires, t.due = now.Add(min(upgradeWait, left-t.work)), now.Add(left)
		if t.work > left {
			return Deadline, 0, t.work
		} else if len(s.upgrades) >= mostUpgrades {
			return Shed, 0, upgradeWait
		}
		return NoReason, 0, 0
	case len(s.queue) == 0 && s.fits(t):
		t.trial = t.work > left
		s.setTimes(t, now)
		if t.trial && !t.course.ripe(left, false, now) {
			return Deadline, 0, t.work
		}
		return NoReason, 0, 0
	}
	s.setTimes(t, now)
	why, late, wait = s.place(t, now)
	if why == Deadline && t.course.ripe(left, true, now) {
		// Only this one is believed to take a quarter of what it has: the estimate stays what it is
		// for the others, else one caller with a short deadline would have all let in.
		t.trial, t.work = true, min(t.work, left/4)
		s.setTimes(t, now)
		why, late, wait = s.place(t, now)
	}
	return why, late, wait
}

// setTimes sets when the task must begin and end. Alone it could begin later, but a task that waits
// may be run in company, which takes longer.
func (s *Scheduler) setTimes(t *Task, now time.Time) {
	own := t.work
	if !t.trial {
		// Over a queue it evens out how much single times vary, but here not.
		own = duration(float64(t.time(t.course.lanes)) * (1 + margin + 2*t.course.spread()))
	}
	t.latest = now.Add(s.wait(t.course))
	t.due = t.latest.Add(own)
	if !t.limit.IsZero() && t.limit.Before(t.due) {
		t.due, t.latest = t.limit, t.limit.Add(-own)
	}
	t.expires = t.due.Add(-t.work)
}

// wait returns how long a task of a course may wait until it is begun: the most that its course
// gives, and those that run or wait. A shorter queue has no room for others beside one who floods.
func (s *Scheduler) wait(own *course) (most time.Duration) {
	for _, c := range s.courses {
		if c == own || c.waiting > 0 {
			most = max(most, s.waitOf(c))
		}
	}
	for _, b := range s.running {
		most = max(most, s.waitOf(b.course))
	}
	return most
}

// waitOf returns MaxWait if that is set, and otherwise the time of five full batches.
func (s *Scheduler) waitOf(c *course) time.Duration {
	if s.MaxWait > 0 {
		return s.MaxWait
	}
	return min(max(leastWait, 5*c.time(c.lanes)), longest)
}

// place judges whether the task can stand at the end of the queue.
func (s *Scheduler) place(t *Task, now time.Time) (why Reason, late, wait time.Duration) {
	ahead, spread := s.ahead(t.course, now)
	slack := float64(t.latest.Sub(now)) - ahead*(1+margin+spread)
	switch {
	case slack < 0:
		return Deadline, duration(-slack), duration(ahead)
	case len(s.queue) >= s.Queue:
		why = Queue
	case s.confined(t, now):
		why = Share
	}
	return why, 0, duration(ahead)
}

// ahead returns the machine time until all that runs and waits has ended, in nanoseconds: a
// worker's, divided by how many like it run at once; and the most that times are off their
// estimates, as a part of them. Batches count as full, as they may take others along, but for the
// one that a task of its own course would join.
func (s *Scheduler) ahead(own *course, now time.Time) (sum, spread float64) {
	for _, b := range s.running {
		left := b.end.Sub(now)
		if left < 0 { // what takes longer than it should is expected to need half as long again
			left = -left / 2
		}
		sum += float64(left) / s.abreast(b.course)
		spread = max(spread, b.course.spread())
	}
	for _, c := range s.courses {
		if c.waiting == 0 && c != own {
			continue
		}
		n, lanes := c.waiting, c.lanes
		if c.trying != nil && c.trying.state == queued {
			n--
			sum += float64(c.trying.work) / s.abreast(c)
		}
		if c != own {
			n += lanes - 1
		}
		sum += float64(n/lanes) * s.full(c)
		spread = max(spread, c.spread())
	}
	if len(s.upgrades) > 0 && s.debtAt(now) <= s.repaid(s.wait(own)) {
		c := s.upgrades[0].course
		sum += float64(c.time(1)) / s.abreast(c)
	}
	return sum, spread
}

// full returns the machine time of a full batch.
func (s *Scheduler) full(c *course) float64 { return float64(c.time(c.lanes)) / s.abreast(c) }

// abreast returns how many workers' loads of a course the machine runs at once, for want of workers
// or of memory.
func (s *Scheduler) abreast(c *course) float64 {
	n := s.Workers()
	if c.memory > 0 {
		n = min(n, int(s.Memory/c.memory))
	}
	return float64(max(n, 1))
}

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
func (s *shares) of(t *Task) (all, caller, principal *share) {
	if caller = s.all.parts[t.Caller]; caller != nil {
		principal = caller.parts[t.Principal]
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
func (s *shares) seen(t *Task, now time.Time) {
	if g := int64(now.Sub(s.start) / fade); g != s.generation {
		next := g == s.generation+1
		s.generation = g
		s.turn(&s.all, next, now)
	}
	of := &s.all
	for _, id := range [2]uint64{t.Caller, t.Principal} {
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
func (s *shares) join(t *Task) {
	all, caller, principal := s.of(t)
	if caller == nil {
		caller = s.add(all, t.Caller)
	}
	if principal == nil {
		principal = s.add(caller, t.Principal)
	}
	t.shares = [3]*share{all, caller, principal}
	for _, p := range t.shares {
		p.queued += t.charge
	}
}

// leave notes that it does no more.
func (t *Task) leave() {
	for _, p := range t.shares {
		p.queued -= t.charge
	}
}

// serve notes that it was begun.
func (t *Task) serve(now time.Time) {
	for _, p := range t.shares {
		p.served, p.at = p.weight(now)-float64(p.queued)+float64(t.charge), now
	}
	t.leave()
}

// confined reports whether the task is too much for its caller, or for its principal within the
// caller, which is heavy, after another was refused. It is where the machine stays busy without it:
// a full batch for each worker waits, or, some time later, half of what may. In a crowd, who happens
// to ask twice is not heavy. Where both are, half as much is enough: the rest of what a heavy caller
// has is for its other principals.
func (s *Scheduler) confined(t *Task, now time.Time) bool {
	all, caller, principal := s.shares.of(t)
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
	waits := float64(all.queued) + s.chargeOf(t.course)
	return batch*waits > full || half*waits > max(full, float64(s.waitOf(t.course))/2)
}

// refused notes that a sign-in was. If that was for want of time or, as its caller is heavy, of a
// share, the heavy are confined: the callers, and the caller's principals unless it has far less
// than its share, as that is not their doing. Beside one that is heavy, another has 0.75 of it.
func (s *Scheduler) refused(t *Task, why Reason, meant bool, now time.Time) {
	if t.Upgrade {
		return
	}
	if !meant {
		s.shares.seen(t, now)
	}
	if t.course.refused.IsZero() {
		t.course.refused = now
	}
	if why != Share && (why != Deadline || t.time(1) > t.left(now)) {
		return
	}
	all, caller, principal := s.shares.of(t)
	for _, p := range [2][2]*share{{all, caller}, {caller, principal}} {
		of, part := p[0], p[1]
		switch {
		case of == nil, of.heavy(part, now):
		case of == all || heavy*heavy*of.weight(now) >= all.mean(now):
			of.short = now
		}
	}
}

// chargeOf returns the machine time that a task takes from all when there is a queue: its part of a
// full batch.
func (s *Scheduler) chargeOf(c *course) float64 { return s.full(c) / float64(c.lanes) }
