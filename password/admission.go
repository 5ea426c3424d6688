// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Whether a newcomer can be in time, and whether others need the time more.

import "time"

const (
	// margin is the part by which all estimates are raised at admission: times vary with what else
	// the machine does, and a queue that is an eighth shorter costs hardly any throughput.
	margin = 1.0 / 8

	// leastWait is how long every task may wait where no MaxWait is set.
	leastWait = 300 * time.Millisecond

	// The heavy are confined after somebody else was refused for want of time: first to a full
	// batch for each worker, then to half of the queue, as who floods may do so for long, and
	// others may come rarely.
	confinedFor = 5 * time.Second
	halvedFor   = 5 * time.Minute
)

// judge decides on a newcomer, and changes nothing but the times in t. The queue is first come,
// first served, so a task is in time if all before it is: what comes later does it no harm. It
// returns why t is refused, if it is, how much too late it would come, and how long the queue is.
func (q *queue) judge(t *task, now time.Time) (why Reason, late, wait time.Duration) {
	t.trial, t.work = false, t.time(1)
	left := t.left(now)
	switch {
	case t.upgrade: // waits apart
		t.expires, t.due = now.Add(min(upgradeWait, left-t.work)), now.Add(left)
		if t.work > left {
			return ReasonDeadline, 0, t.work
		} else if len(q.upgrades) >= mostUpgrades {
			return ReasonShed, 0, upgradeWait
		}
		return NoReason, 0, 0
	case len(q.waiting) == 0 && q.fits(t):
		t.trial = t.work > left
		q.setTimes(t, now)
		if t.trial && !t.course.ripe(left, false, now) {
			return ReasonDeadline, 0, t.work
		}
		return NoReason, 0, 0
	}
	q.setTimes(t, now)
	why, late, wait = q.place(t, now)
	if why == ReasonDeadline && t.course.ripe(left, true, now) {
		// Only this one is believed to take a quarter of what it has: the estimate stays what it is
		// for the others, else one caller with a short deadline would have all let in.
		t.trial, t.work = true, min(t.work, left/4)
		q.setTimes(t, now)
		why, late, wait = q.place(t, now)
	}
	return why, late, wait
}

// setTimes sets when the task must begin and end. Alone it could begin later, but a task that waits
// may be run in company, which takes longer.
func (q *queue) setTimes(t *task, now time.Time) {
	own := t.work
	if !t.trial {
		// Over a queue it evens out how much single times vary, but here not.
		own = duration(float64(t.time(t.course.lanes)) * (1 + margin + 2*t.course.spread()))
	}
	t.latest = now.Add(q.wait(t.course))
	t.due = t.latest.Add(own)
	if !t.limit.IsZero() && t.limit.Before(t.due) {
		t.due, t.latest = t.limit, t.limit.Add(-own)
	}
	t.expires = t.due.Add(-t.work)
}

// wait returns how long a task of a course may wait until it is begun: the most that its course
// gives, and those that run or wait, upgrades too. A shorter queue has no room for others beside
// one who floods, nor behind an upgrade that takes longer than it is.
func (q *queue) wait(own *course) (most time.Duration) {
	for _, c := range q.courses {
		if c == own || c.waiting > 0 {
			most = max(most, q.waitOf(c))
		}
	}
	for _, b := range q.running {
		most = max(most, q.waitOf(b.course))
	}
	if len(q.upgrades) > 0 {
		most = max(most, q.waitOf(q.upgrades[0].course))
	}
	return most
}

// waitOf returns MaxWait if that is set, and otherwise the time of five full batches.
func (q *queue) waitOf(c *course) time.Duration {
	if q.maxWait > 0 {
		return q.maxWait
	}
	return min(max(leastWait, 5*c.time(c.lanes)), longestWait)
}

// place judges whether the task can stand at the end of the queue.
func (q *queue) place(t *task, now time.Time) (why Reason, late, wait time.Duration) {
	ahead, spread := q.ahead(t.course, now)
	slack := float64(t.latest.Sub(now)) - ahead*(1+margin+spread)
	switch {
	case slack < 0:
		return ReasonDeadline, duration(-slack), duration(ahead)
	case len(q.waiting) >= q.most:
		why = ReasonQueue
	case q.confined(t, now):
		why = ReasonShare
	}
	return why, 0, duration(ahead)
}

// ahead returns the machine time until all that runs and waits has ended, in nanoseconds: a
// worker's, divided by how many like it run at once; and the most that times are off their
// estimates, as a part of them. Batches count as full, as they may take others along, but for the
// one that a task of its own course would join.
func (q *queue) ahead(own *course, now time.Time) (sum, spread float64) {
	for _, b := range q.running {
		left := b.end.Sub(now)
		if left < 0 { // what takes longer than it should is expected to need half as long again
			left = -left / 2
		}
		sum += float64(left) / q.abreast(b.course)
		spread = max(spread, b.course.spread())
	}
	for _, c := range q.courses {
		if c.waiting == 0 && c != own {
			continue
		}
		n, lanes := c.waiting, c.lanes
		if c.believed > 0 {
			n--
			sum += float64(c.believed) / q.abreast(c)
		}
		if c != own {
			n += lanes - 1
		}
		sum += float64(n/lanes) * q.full(c)
		spread = max(spread, c.spread())
	}
	if len(q.upgrades) > 0 && q.debtAt(now) <= q.repaid(q.wait(own)) {
		c := q.upgrades[0].course
		sum += float64(c.time(1)) / q.abreast(c)
	}
	return sum, spread
}

// full returns the machine time of a full batch.
func (q *queue) full(c *course) float64 { return float64(c.time(c.lanes)) / q.abreast(c) }

// abreast returns how many workers' loads of a course the machine runs at once, for want of workers
// or of memory.
func (q *queue) abreast(c *course) float64 {
	n := q.workers()
	if c.memory > 0 {
		n = min(n, int(q.memory/c.memory))
	}
	return float64(max(n, 1))
}

// confined reports whether the task is too much for its caller, or for its principal within the
// caller, which is heavy, after another was refused. It is where the machine stays busy without it:
// a full batch for each worker waits, or, some time later, half of what may. In a crowd, who
// happens to ask twice is not heavy. Where both are, half as much is enough: the rest of what a
// heavy caller has is for its other principals.
func (q *queue) confined(t *task, now time.Time) bool {
	shares := q.shares.of(t.caller, t.principal)
	batch, half := 0.0, 0.0 // how many are to keep to that
	for i, part := range shares[1:] {
		of := shares[i]
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
	waits := float64(shares[0].queued) + q.chargeOf(t.course)
	return batch*waits > full || half*waits > max(full, float64(q.waitOf(t.course))/2)
}

// refused notes that a sign-in was. If that was for want of time or of a place, though it could
// have waited for half as long as its course gives, or of a share, as its caller is heavy, the
// heavy are confined: the callers, and the caller's principals unless it has far less than its
// share, as that is not their doing. Beside one that is heavy, another has 0.75 of it.
func (q *queue) refused(t *task, why Reason, meant bool, now time.Time) {
	if t.upgrade {
		return
	}
	if !meant {
		q.shares.seen(t.caller, t.principal, now)
	}
	if t.course.refused.IsZero() {
		t.course.refused = now
	}
	if why != ReasonShare && t.left(now) < t.time(1)+q.waitOf(t.course)/2 {
		return
	}
	shares := q.shares.of(t.caller, t.principal)
	all := shares[0]
	for i, part := range shares[1:] {
		of := shares[i]
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
