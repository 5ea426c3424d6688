// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"math"
	"time"
)

const (
	// margin is the part by which all estimates are raised at admission. Times vary with what else
	// the machine does; a queue that is an eighth shorter costs hardly any throughput.
	margin = 1.0 / 8

	// calm is how long the heavy are confined after somebody else was refused for want of time.
	calm = 5 * time.Second

	// heavy is how many times the mean a principal weighs that is to be confined.
	heavy = 1.25

	// fade is the time constant with which service is forgotten, and how long a principal that asks
	// counts as present, and at most as long again.
	fade = 2 * time.Second
)

// A verdict is what judge says.
type verdict struct {
	reason Reason        // NoReason: it is let in
	trial  bool          // to try an estimate
	late   time.Duration // how much too late it would come
	wait   time.Duration // how long the queue is
}

// judge decides on a newcomer, and changes nothing but the times that are set in t. The queue is
// first come, first served, so a task is in time if all that is before it is: what comes later does
// it no harm.
func (s *Scheduler) judge(t *Task, now time.Time) (v verdict) {
	t.trial, t.work = false, t.time(1)
	left := t.left(now)
	if t.Upgrade {
		return s.judgeUpgrade(t, left, now)
	}
	if len(s.queue) == 0 && s.fits(t) {
		v.trial = t.work > left
		if v.trial && !t.course.ripe(left, false, now) {
			return verdict{reason: Deadline, wait: t.work}
		}
		t.trial = v.trial
		s.setTimes(t, now)
		return v
	}
	s.setTimes(t, now)
	v = s.place(t, now)
	if v.reason == Deadline && t.course.ripe(left, true, now) {
		// Only this one is believed to take a quarter of what it has: the estimate stays what it is
		// for the others, else one caller with a short deadline would have all let in.
		t.trial, t.work = true, min(t.work, left/4)
		s.setTimes(t, now)
		v = s.place(t, now)
		v.trial = true
	}
	return v
}

// judgeUpgrade decides on one that waits apart.
func (s *Scheduler) judgeUpgrade(t *Task, left time.Duration, now time.Time) verdict {
	t.expires, t.due = now.Add(min(upgradeWait, left-t.work)), now.Add(left)
	switch {
	case t.work > left:
		return verdict{reason: Deadline, wait: t.work}
	case len(s.upgrades) >= mostUpgrades:
		return verdict{reason: Shed, wait: upgradeWait}
	}
	return verdict{}
}

// setTimes sets when the task must begin and end. Alone it could begin later, but a task that waits
// may be run in company, which takes longer.
func (s *Scheduler) setTimes(t *Task, now time.Time) {
	own := t.work
	if !t.trial {
		// Over a queue it evens out how much single times vary, but here not.
		own = duration(float64(t.time(t.course.lanes)) * (1 + margin + 2*t.course.spread()))
	}
	t.latest = now.Add(s.maxWait)
	t.due = t.latest.Add(own)
	if !t.limit.IsZero() && t.limit.Before(t.due) {
		t.due, t.latest = t.limit, t.limit.Add(-own)
	}
	t.expires = t.due.Add(-t.work)
}

// place judges whether the task can stand at the end of the queue.
func (s *Scheduler) place(t *Task, now time.Time) (v verdict) {
	ahead, spread := s.ahead(t.course, now)
	slack := float64(t.latest.Sub(now)) - ahead*(1+margin+spread)
	v.wait = duration(ahead)
	switch {
	case slack < 0:
		v.reason, v.late = Deadline, duration(-slack)
	case len(s.queue) >= s.capacity:
		v.reason = Queue
	case now.Sub(s.short) < calm && s.confined(t, now):
		v.reason = Share
	}
	return v
}

// ahead returns the machine time until all that runs and waits has ended, in nanoseconds: a worker's,
// divided by how many like it run at once; and how far times are from their estimates, as a part of
// them. Batches count as full, as they may take others along, but for the one that a task of its own
// course would join.
func (s *Scheduler) ahead(own *course, now time.Time) (sum, spread float64) {
	for _, b := range s.running {
		left := b.end.Sub(now)
		if left < 0 { // what takes longer than it should is expected to need half as long again
			left = -left / 2
		}
		sum += float64(left) / s.abreast(b.course)
		spread = max(spread, b.course.spread())
	}
	for _, c := range s.rates.courses {
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
	if len(s.upgrades) > 0 && s.debtAt(now) <= s.repaid(s.maxWait) {
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
	n := s.cap()
	if c.memory > 0 {
		n = min(n, int(s.memory/c.memory))
	}
	return float64(max(n, 1))
}

// A principal is whom tasks count for. Its part is machine time in nanoseconds: what it has in the
// queue, and what was begun lately. The queue alone would not do: who always goes first, because
// his deadlines are short, has little there and yet uses the machine.
type principal struct {
	queued     float64
	tasks      int // queued
	served     fading
	generation int64 // in which it was last seen
}

// A fading sum loses all but a third in fade.
type fading struct {
	sum float64
	at  time.Time
}

func (f *fading) of(now time.Time) float64 {
	if f.sum == 0 {
		return 0
	}
	return f.sum * math.Exp(-float64(now.Sub(f.at))/float64(fade))
}

func (f *fading) add(x float64, now time.Time) { f.sum, f.at = f.of(now)+x, now }

// principals are those that have something in the queue, were served lately or asked lately.
type principals struct {
	of     map[uint64]*principal
	start  time.Time // of generation 0
	queued float64   // sums of all
	tasks  int
	served fading

	generation int64 // of length fade
	last       int   // principals seen in the one before
	now        int   // in this one
	fresh      int   // of those, the ones not seen in the one before
}

// mostPrincipals bounds the table, but for those in the queue and those that were served lately. Above it who
// asks is counted as somebody new.
const mostPrincipals = 1 << 14

// seen notes that the principal asks. An upgrade is not seen: it would lower the mean.
func (ps *principals) seen(id uint64, now time.Time) {
	ps.turn(now)
	p := ps.of[id]
	if p == nil && len(ps.of) < mostPrincipals {
		p = ps.add(id)
	}
	switch {
	case p == nil || p.generation < ps.generation-1:
		ps.now++
		ps.fresh++
	case p.generation < ps.generation:
		ps.now++
	}
	if p != nil {
		p.generation = ps.generation
	}
}

func (ps *principals) add(id uint64) *principal {
	p := &principal{generation: math.MinInt64 / 2}
	ps.of[id] = p
	return p
}

// turn begins the next generation when it is time, and forgets who has nothing any more.
func (ps *principals) turn(now time.Time) {
	g := int64(now.Sub(ps.start) / fade)
	switch g - ps.generation {
	case 0:
		return
	case 1:
		ps.last = ps.now
	default:
		ps.last = 0
	}
	ps.generation, ps.now, ps.fresh = g, 0, 0
	for id, p := range ps.of {
		if p.tasks == 0 && p.generation < g-1 && now.Sub(p.served.at) > 4*fade {
			delete(ps.of, id)
		}
	}
}

// join notes that the task waits.
func (ps *principals) join(t *Task) {
	p := ps.of[t.Principal]
	if p == nil {
		p = ps.add(t.Principal)
	}
	t.who = p
	p.queued += t.charge
	p.tasks++
	ps.queued += t.charge
	ps.tasks++
}

// leave notes that it does no more.
func (ps *principals) leave(t *Task) {
	p := t.who
	p.queued -= t.charge
	ps.queued -= t.charge
	if p.tasks--; p.tasks == 0 {
		p.queued = 0 // rounding errors must not add up
	}
	if ps.tasks--; ps.tasks == 0 {
		ps.queued = 0
	}
}

// serve notes that it was begun.
func (ps *principals) serve(t *Task, now time.Time) {
	ps.leave(t)
	t.who.served.add(t.charge, now)
	ps.served.add(t.charge, now)
}

// confined reports whether the task's principal weighs far more than the others on average, and the
// machine stays busy without it: a full batch for each worker waits. In a crowd, who happens to ask
// twice is not heavy.
func (s *Scheduler) confined(t *Task, now time.Time) bool {
	return s.principals.queued+s.chargeOf(t.course) > float64(t.course.time(t.course.lanes)) && s.isHeavy(t, now)
}

func (s *Scheduler) isHeavy(t *Task, now time.Time) bool {
	ps := &s.principals
	p := ps.of[t.Principal]
	if p == nil {
		return false
	}
	mean := (ps.queued + ps.served.of(now)) / float64(max(ps.last+ps.fresh, 1))
	return p.queued+p.served.of(now) > heavy*mean
}

// chargeOf returns the machine time that a task takes from all when there is a queue: its part of a
// full batch.
func (s *Scheduler) chargeOf(c *course) float64 { return s.full(c) / float64(c.lanes) }
