// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Which callers and principals are heavy: use far more of the machine than the mean.

import (
	"math"
	"time"
)

// A caller or principal is heavy if it weighs more than heavyFactor times the mean.
const heavyFactor = 1.25

// A share is the machine time, in nanoseconds, that all callers, one caller or one principal have
// in the queue and have begun lately. The queue alone would not tell: a caller with short deadlines
// has little in it and yet uses the machine.
type share struct {
	queued    int64
	served    float64 // decayed until at
	at        time.Time
	lastAsked int64 // period of the last call

	parts        map[uint64]*share // all's callers, or a caller's principals
	activeBefore int               // parts that asked in the period before
	active       int               // parts that asked in this period
	newcomers    int               // parts that asked in this period and not in the one before
	lastRefusal  time.Time         // when a part that is not heavy was refused; see noteRefusal
}

// weight returns the share's machine time, of which what was begun decays.
func (s *share) weight(now time.Time) float64 {
	return float64(s.queued) + s.served*math.Exp(-float64(now.Sub(s.at))/float64(decay))
}

// mean returns the mean weight of the parts that asked lately. It divides by two at least, so that
// a flood by one is heavy while no other asks.
func (s *share) mean(now time.Time) float64 {
	return s.weight(now) / float64(max(s.activeBefore+s.newcomers, 2))
}

// isHeavy reports whether part weighs far more than the mean.
func (s *share) isHeavy(part *share, now time.Time) bool {
	return part != nil && part.weight(now) > heavyFactor*s.mean(now)
}

// shares holds the callers and principals that are in the queue, or were served or asked lately.
type shares struct {
	all    share // its parts are the callers
	known  int   // callers and principals
	start  time.Time
	period int64 // number of the current period, of length decay
}

// maxShares bounds how many are known only because they asked. Beyond it each call counts as a new
// caller's.
const maxShares = 1 << 14

// levels are the shares of all, of a caller and of its principal; those not known are nil.
type levels [3]*share

func (s *shares) find(caller, principal uint64) levels {
	ls := levels{&s.all, s.all.parts[caller]}
	if ls[1] != nil {
		ls[2] = ls[1].parts[principal]
	}
	return ls
}

func (s *shares) add(to *share, id uint64) *share {
	part := &share{lastAsked: math.MinInt64 / 2}
	if to.parts == nil {
		to.parts = make(map[uint64]*share)
	}
	to.parts[id] = part
	s.known++
	return part
}

// noteActive counts a sign-in's caller and principal as active. Upgrades would lower the mean.
func (s *shares) noteActive(caller, principal uint64, now time.Time) {
	if g := int64(now.Sub(s.start) / decay); g != s.period {
		next := g == s.period+1
		s.period = g
		s.nextPeriod(&s.all, next, now)
	}
	of := &s.all
	for _, id := range [2]uint64{caller, principal} {
		part := of.parts[id]
		if part == nil && s.known < maxShares {
			part = s.add(of, id)
		}
		switch {
		case part == nil || part.lastAsked < s.period-1:
			of.active++
			of.newcomers++
		case part.lastAsked < s.period:
			of.active++
		}
		if part == nil {
			return
		}
		part.lastAsked = s.period
		of = part
	}
}

// nextPeriod begins a period for a share and its parts, and forgets parts that have nothing left.
func (s *shares) nextPeriod(of *share, consecutive bool, now time.Time) {
	of.activeBefore, of.active, of.newcomers = of.active, 0, 0
	if !consecutive {
		of.activeBefore = 0
	}
	for id, part := range of.parts {
		s.nextPeriod(part, consecutive, now)
		if part.queued == 0 && part.lastAsked < s.period-1 && now.Sub(part.at) > 4*decay {
			delete(of.parts, id)
			s.known--
		}
	}
}

// enqueue adds a waiting task's charge to its caller and principal, and returns their shares.
func (s *shares) enqueue(caller, principal uint64, charge int64) levels {
	ls := s.find(caller, principal)
	if ls[1] == nil {
		ls[1] = s.add(ls[0], caller)
	}
	if ls[2] == nil {
		ls[2] = s.add(ls[1], principal)
	}
	for _, s := range ls {
		s.queued += charge
	}
	return ls
}

// dequeue takes back the charge of a task that left the queue.
func (ls levels) dequeue(charge int64) {
	for _, s := range ls {
		s.queued -= charge
	}
}

// serve moves the charge of a task from queued to served.
func (ls levels) serve(charge int64, now time.Time) {
	for _, s := range ls {
		s.served, s.at = s.weight(now)-float64(s.queued)+float64(charge), now
	}
	ls.dequeue(charge)
}
