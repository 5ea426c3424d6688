// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Who is refused, and for which Reason:
//
//   - deadline: by the estimate (queue.outlook), a sign-in would not begin before its deadline or
//     within the limit of waiting, or an upgrade would not end in time;
//   - queue, shed: too many sign-ins wait already, or too many upgrades;
//   - share: the caller or principal weighs more than 1.25 times the mean, somebody who does not was
//     refused in the last 5 minutes, and more of its hashes wait than are left to it
//     (shares.confines in fairness.go).
//
// Before that, Policy.verifyJob refuses what is invalid, and scheduler.submit what comes to a closed
// pool or needs more than its memory. A call that was admitted and can't be in time after all is
// dropped: late (queue.dropLate).

import (
	"time"

	"fount"
)

const (
	// margin raises all estimates at admission by an eighth, because times vary with what else the
	// machine does. A queue that is an eighth shorter costs hardly any throughput.
	margin = 1.0 / 8

	// Heavy callers are confined to confinedPart of the queue. It is that little because the queue
	// takes longer than was expected where times vary.
	confinedPart = 1.0 / 3
)

// A verdict is why a task is refused, or NoReason; how much too late it would be; and how long the
// queue takes.
type verdict struct {
	reason     Reason
	late, wait time.Duration
}

// err returns the error of a refused task. How long its client shall wait is partly random, so that
// clients refused together don't come back together. As Retry-After it is sent by
// passwordhttp.ServeError, and by fountd (exchange.problem in its package server).
func (v verdict) err() error {
	random := fount.N(max(v.wait, time.Second))
	return OverloadedError{v.reason, v.late + time.Millisecond + random}
}

// An admission decides who may join the queue. It remembers who asked, and who is heavy.
type admission struct {
	maxWaiting int // tasks
	shares     shares
}

// ask admits a task to the queue, or refuses it. In a dry run a refusal counts as any other, but a
// task that would be admitted is forgotten.
func (a *admission) ask(q *queue, t *task, now time.Time) verdict {
	if !t.dryRun && !t.upgrade {
		a.shares.noteActive(t.caller, t.principal, now)
	}

	v := a.admit(q, t, now)
	isAdmitted := v.reason == NoReason
	switch {
	case isAdmitted && !t.dryRun:
		q.join(t)
		if !t.upgrade {
			t.claim = a.shares.claim(t.caller, t.principal, int64(q.charge(t.route)))
		}
	case !isAdmitted && !t.upgrade:
		a.noteRefusal(q, t, v.reason, now)
	}
	return v
}

// admit decides whether to admit t, and changes nothing but fields of t. No later sign-in can delay
// t, as the queue is first come, first served; upgradeLine.next bounds what upgrades take.
func (a *admission) admit(q *queue, t *task, now time.Time) verdict {
	t.alone = t.timeOf(1)

	switch {
	case t.upgrade:
		return admitUpgrade(q, t, now)
	case len(q.line.tasks) == 0 && q.fits(t):
		return admitAtOnce(q, t, now)
	}
	return a.admitToLine(q, t, now)
}

// admitUpgrade decides on an upgrade.
func admitUpgrade(q *queue, t *task, now time.Time) verdict {
	left := t.timeLeft(now)
	t.expires = now.Add(min(upgradeWait, left-t.alone))
	t.due = now.Add(left)

	switch {
	case t.alone > left:
		return verdict{reason: ReasonDeadline, wait: t.alone}
	case len(q.upgrades.tasks) >= maxUpgrades:
		return verdict{reason: ReasonShed, wait: upgradeWait}
	}
	return verdict{}
}

// admitAtOnce decides on a sign-in that can begin now.
func admitAtOnce(q *queue, t *task, now time.Time) verdict {
	left := t.timeLeft(now)
	t.trial = t.alone > left
	if t.trial && !t.route.trials.allow(left, now) {
		return verdict{reason: ReasonDeadline, wait: t.alone}
	}

	t.plan(q.outlook(t.route, now).limit, now)
	return verdict{}
}

// admitToLine decides on a sign-in that must wait.
func (a *admission) admitToLine(q *queue, t *task, now time.Time) verdict {
	r := t.route
	left := t.timeLeft(now)
	found := q.outlook(r, now)
	begins := found.ahead * (1 + margin + found.spread) // nanoseconds from now

	t.plan(found.limit, now)
	late := begins - float64(t.beginBy.Sub(now))
	if late > 0 && r.trials.allowBusy(left, now) {
		// For the trial, t is believed to take a quarter of its time left. The estimate stays as it
		// is for others, or one caller with a short deadline would have everybody admitted.
		t.trial = true
		t.alone = min(t.alone, left/4)
		t.plan(found.limit, now)
		late = begins - float64(t.beginBy.Sub(now))
	}

	// The machine stays busy without t if there is a full batch for each worker. That, and
	// confinedPart of as many hashes as may wait, are left to the heavy.
	fullBatches := float64(r.time(r.lanes))
	part := confinedPart * float64(q.waitLimit(r)) / (1 + r.spread())
	room := max(fullBatches, part)

	v := verdict{wait: duration(found.ahead)}
	switch {
	case late > 0:
		v.reason = ReasonDeadline
		v.late = duration(late)
	case len(q.line.tasks) >= a.maxWaiting:
		v.reason = ReasonQueue
	case a.shares.confines(t.caller, t.principal, q.charge(r), room, now):
		v.reason = ReasonShare
	}
	return v
}

// plan sets when t must begin and end, if it may wait for limit.
func (t *task) plan(limit time.Duration, now time.Time) {
	takes := t.alone
	if !t.trial {
		// As long as a full batch, and twice the spread more: the deviation of a single time is
		// larger than that of a whole queue.
		takes = duration(float64(t.timeOf(t.route.lanes)) * (1 + margin + 2*t.route.spread()))
	}

	t.beginBy = now.Add(limit)
	t.due = t.beginBy.Add(takes)
	if !t.deadline.IsZero() && t.deadline.Before(t.due) {
		t.beginBy = t.deadline.Add(-takes)
		t.due = t.deadline
	}

	t.expires = t.due.Add(-t.alone)
}

// noteRefusal notes a refused sign-in. It confines the heavy, if t was refused for its share, or had
// time for its hash and half of the wait limit.
func (a *admission) noteRefusal(q *queue, t *task, why Reason, now time.Time) {
	if t.dryRun {
		a.shares.noteActive(t.caller, t.principal, now)
	}
	if ts := &t.route.trials; ts.refusedSince.IsZero() {
		ts.refusedSince = now
	}

	isShort := t.timeLeft(now) < t.timeOf(1)+q.waitLimit(t.route)/2
	if why == ReasonShare || !isShort {
		a.shares.refuse(t.caller, t.principal, now)
	}
}
