// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Which callers and principals are heavy, that is, use far more of the machine than the mean, and
// when these are confined.

import (
	"math"
	"time"
)

const (
	// A caller or principal is heavy if it weighs more than heavyFactor times the mean.
	heavyFactor = 1.25

	// confinedFor is how long heavy ones are confined after another was refused: a flood may last
	// while others call rarely.
	confinedFor = 5 * time.Minute
)

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
	lastRefusal  time.Time         // when a part that is not heavy was refused: see shares.refuse
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
	if period := int64(now.Sub(s.start) / decay); period != s.period {
		consecutive := period == s.period+1
		s.period = period
		s.nextPeriod(&s.all, consecutive, now)
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
	of.activeBefore = of.active
	of.active = 0
	of.newcomers = 0
	if !consecutive {
		of.activeBefore = 0
	}

	for id, part := range of.parts {
		s.nextPeriod(part, consecutive, now)
		isIdle := part.queued == 0 && part.lastAsked < s.period-1 && now.Sub(part.at) > 4*decay
		if isIdle {
			delete(of.parts, id)
			s.known--
		}
	}
}

// confines reports whether to refuse a sign-in that adds charge to the queue: its caller, or its
// principal within the caller, is heavy after another was refused, and more than room would wait.
// If both are, it is half of room, for the caller's other principals.
func (s *shares) confines(caller, principal uint64, charge, room float64, now time.Time) bool {
	levels := s.find(caller, principal)
	confined := 0.0 // how many of caller and principal are
	for i, part := range levels[1:] {
		whole := levels[i]
		if whole != nil && whole.isHeavy(part, now) && now.Sub(whole.lastRefusal) < confinedFor {
			confined++
		}
	}

	if confined == 0 {
		return false
	}
	return float64(s.all.queued)+charge > room/confined
}

// refuse notes a refused sign-in. From then on heavy callers are confined, and heavy principals
// within caller.
//
// A caller far below the mean does not confine its principals, because other callers cause its
// refusals. Far is less than 1/heavyFactor², 0.64, of the mean. (If one of two callers is just
// heavy, the other has 0.75.)
func (s *shares) refuse(caller, principal uint64, now time.Time) {
	levels := s.find(caller, principal)
	for i, part := range levels[1:] {
		whole := levels[i]
		if whole == nil || whole.isHeavy(part, now) {
			continue
		}

		isAlone := whole == &s.all && len(whole.parts) < 2
		isFarBelow := whole != &s.all && heavyFactor*heavyFactor*whole.weight(now) < s.all.mean(now)
		if !isAlone && !isFarBelow {
			whole.lastRefusal = now
		}
	}
}

// weights returns the weight of each principal, summed over callers, but for those below 1 µs.
func (s *shares) weights(now time.Time) map[uint64]float64 {
	weights := make(map[uint64]float64)
	for _, caller := range s.all.parts {
		for id, part := range caller.parts {
			if w := part.weight(now); w >= float64(time.Microsecond) {
				weights[id] += w
			}
		}
	}
	return weights
}

// A claim is what a waiting task adds to the shares of its caller and principal.
type claim struct {
	on     levels
	charge int64 // machine time, in nanoseconds
}

func (s *shares) claim(caller, principal uint64, charge int64) claim {
	ls := s.find(caller, principal)
	if ls[1] == nil {
		ls[1] = s.add(ls[0], caller)
	}
	if ls[2] == nil {
		ls[2] = s.add(ls[1], principal)
	}

	for _, level := range ls {
		level.queued += charge
	}
	return claim{ls, charge}
}

// drop takes the claim of a task back that left the queue.
func (c claim) drop() {
	for _, s := range c.on {
		s.queued -= c.charge
	}
}

// serve moves the charge of a task that begins from queued to served.
func (c claim) serve(now time.Time) {
	for _, s := range c.on {
		s.served = s.weight(now) - float64(s.queued) + float64(c.charge)
		s.at = now
	}
	c.drop()
}
