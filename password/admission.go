// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Who is refused: calls that can't be in time, and heavy callers' after another was refused.

import "time"

const (
	// margin raises all estimates at admission by an eighth, because times vary with what else the
	// machine does. A queue that is an eighth shorter costs hardly any throughput.
	margin = 1.0 / 8

	// minWait is the lowest wait limit if Options.MaxWait is 0.
	minWait = 300 * time.Millisecond

	// After another caller was refused for lack of time, heavy ones are confined for confinedFor to
	// confinedPart of the queue. It is that long because a flood may last while others call rarely,
	// and that little because the queue takes longer than was expected where times vary.
	confinedPart = 1.0 / 3
	confinedFor  = 5 * time.Minute
)

// admit decides whether to admit t, and changes nothing but fields of t. If it refuses, it returns
// why, how much too late t would be, and how long the queue takes. No later sign-in can delay t, as
// the queue is first come, first served; nextUpgrades bounds what upgrades take.
func (q *queue) admit(t *task, now time.Time) (why Reason, late, wait time.Duration) {
	t.trial, t.alone = false, t.timeOf(1)
	left := t.timeLeft(now)
	switch {
	case t.upgrade:
		t.expires, t.due = now.Add(min(upgradeWait, left-t.alone)), now.Add(left)
		if t.alone > left {
			return ReasonDeadline, 0, t.alone
		} else if len(q.upgrades) >= maxUpgrades {
			return ReasonShed, 0, upgradeWait
		}
		return NoReason, 0, 0
	case len(q.waiting) == 0 && q.fits(t):
		t.trial = t.alone > left
		q.setTimes(t, now)
		if t.trial && !t.route.shouldTry(left, false, now) {
			return ReasonDeadline, 0, t.alone
		}
		return NoReason, 0, 0
	}
	q.setTimes(t, now)
	why, late, wait = q.checkQueue(t, now)
	if why == ReasonDeadline && t.route.shouldTry(left, true, now) {
		// For the trial, t is believed to take a quarter of its time left. The estimate stays as it
		// is for others, or one caller with a short deadline would have everybody admitted.
		t.trial, t.alone = true, min(t.alone, left/4)
		q.setTimes(t, now)
		why, late, wait = q.checkQueue(t, now)
	}
	return why, late, wait
}

// setTimes sets when t must begin and end. It allows for a full batch, which takes longer than t
// alone.
func (q *queue) setTimes(t *task, now time.Time) {
	own := t.alone
	if !t.trial {
		// Twice the spread: the deviation of a single time is larger than that of a whole queue.
		own = duration(float64(t.timeOf(t.route.lanes)) * (1 + margin + 2*t.route.spread()))
	}
	t.beginBy = now.Add(q.waitLimit(t.route))
	t.due = t.beginBy.Add(own)
	if !t.deadline.IsZero() && t.deadline.Before(t.due) {
		t.due, t.beginBy = t.deadline, t.deadline.Add(-own)
	}
	t.expires = t.due.Add(-t.alone)
}

// waitLimit returns how long a task of a route may wait until it begins: the longest limit of its
// own route and of all that run or wait, upgrades too. In a shorter queue a flood would leave no
// room for others, and neither would an upgrade that takes longer than the limit.
func (q *queue) waitLimit(own *route) (limit time.Duration) {
	for _, r := range q.routes {
		if r == own || r.waiting > 0 {
			limit = max(limit, q.ownWaitLimit(r))
		}
	}
	for _, b := range q.running {
		limit = max(limit, q.ownWaitLimit(b.route))
	}
	if len(q.upgrades) > 0 {
		limit = max(limit, q.ownWaitLimit(q.upgrades[0].route))
	}
	return limit
}

// ownWaitLimit returns Options.MaxWait if set, else the time of five full batches, and more where
// times spread. Admission allows for the spread, so as many hashes may wait as where they don't.
func (q *queue) ownWaitLimit(r *route) time.Duration {
	if q.maxWait > 0 {
		return q.maxWait
	}
	return max(minWait, duration(5*float64(r.time(r.lanes))*(1+r.spread())))
}

// checkQueue decides whether t may join the end of the queue. It returns what admit does.
func (q *queue) checkQueue(t *task, now time.Time) (why Reason, late, wait time.Duration) {
	ahead, spread := q.timeAhead(t.route, now)
	slack := float64(t.beginBy.Sub(now)) - ahead*(1+margin+spread)
	switch {
	case slack < 0:
		return ReasonDeadline, duration(-slack), duration(ahead)
	case len(q.waiting) >= q.maxWaiting:
		why = ReasonQueue
	case q.isConfined(t, now):
		why = ReasonShare
	}
	return why, 0, duration(ahead)
}

// timeAhead returns how many nanoseconds the machine needs for all that runs and waits, and the
// largest spread among it. A batch counts as its worker's time divided by how many such batches run
// at once. Each is taken to be full, but for the last one of own, which a task of own would join.
func (q *queue) timeAhead(own *route, now time.Time) (sum, spread float64) {
	for _, b := range q.running {
		left := b.end.Sub(now)
		if left < 0 { // overdue: expect half of the overrun again
			left = -left / 2
		}
		sum += float64(left) / q.parallel(b.route)
		spread = max(spread, b.route.spread())
	}
	for _, r := range q.routes {
		if r.waiting == 0 && r != own {
			continue
		}
		n, lanes := r.waiting, r.lanes
		if r.trialTime > 0 {
			n--
			sum += float64(r.trialTime) / q.parallel(r)
		}
		if r != own {
			n += lanes - 1
		}
		sum += float64(n/lanes) * q.batchTime(r)
		spread = max(spread, r.spread())
	}
	if len(q.upgrades) > 0 && q.debtAt(now) <= q.repaid(q.waitLimit(own)) {
		r := q.upgrades[0].route
		sum += float64(r.time(1)) / q.parallel(r)
	}
	return sum, spread
}

// batchTime returns the machine time of a full batch, in nanoseconds.
func (q *queue) batchTime(r *route) float64 { return float64(r.time(r.lanes)) / q.parallel(r) }

// parallel returns how many batches of a route the workers and the memory allow at once.
func (q *queue) parallel(r *route) float64 {
	n := q.workers()
	if r.memory > 0 {
		n = min(n, int(q.memory/r.memory))
	}
	return float64(max(n, 1))
}

// isConfined reports whether to refuse t because its caller, or its principal within the caller, is
// heavy and another was refused lately. It refuses t only if the machine stays busy without it, that
// is, if the queue has a full batch for each worker, and confinedPart of as many hashes as may wait.
// Both bounds are halved if caller and principal are heavy, for the caller's other principals.
func (q *queue) isConfined(t *task, now time.Time) bool {
	levels := q.shares.find(t.caller, t.principal)
	confined := 0.0 // of caller and principal, how many are
	for i, part := range levels[1:] {
		whole := levels[i]
		if whole != nil && whole.isHeavy(part, now) && now.Sub(whole.lastRefusal) < confinedFor {
			confined++
		}
	}

	full := float64(t.route.time(t.route.lanes))
	room := confinedPart * float64(q.ownWaitLimit(t.route)) / (1 + t.route.spread())
	sum := float64(levels[0].queued) + q.chargeOf(t.route)
	return confined*sum > max(full, room)
}

// noteRefusal records a refused sign-in. From then on heavy callers are confined, and heavy
// principals within t's caller, unless t's own deadline left less than half of the wait limit.
//
// A caller far below the mean does not confine its principals, because other callers cause its
// refusals. Far is less than 1/heavyFactor², 0.64, of the mean. (If one of two callers is just
// heavy, the other has 0.75.)
func (q *queue) noteRefusal(t *task, why Reason, dryRun bool, now time.Time) {
	if t.upgrade {
		return
	}
	if dryRun {
		q.shares.noteActive(t.caller, t.principal, now)
	}
	if t.route.refusedSince.IsZero() {
		t.route.refusedSince = now
	}
	if why != ReasonShare && t.timeLeft(now) < t.timeOf(1)+q.ownWaitLimit(t.route)/2 {
		return
	}
	levels := q.shares.find(t.caller, t.principal)
	all := levels[0]
	for i, part := range levels[1:] {
		whole := levels[i]
		switch {
		case whole == nil, whole.isHeavy(part, now), whole == all && len(all.parts) < 2:
		case whole == all || heavyFactor*heavyFactor*whole.weight(now) >= all.mean(now):
			whole.lastRefusal = now
		}
	}
}

// chargeOf returns the machine time that a task adds to a queue: its part of a full batch.
func (q *queue) chargeOf(r *route) float64 { return q.batchTime(r) / float64(r.lanes) }
