// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import "time"

// A Reason is why a task was not let in.
type Reason uint8

const (
	_        Reason = iota
	Deadline        // it, or one that it would overtake, could not finish in time
	Full            // the queue has no place
	Share           // its principal holds its share of the queue
	Shed            // its class is the last one, and the scheduler is overloaded
	Off             // its class is switched off
	Memory          // it needs more than the whole memory budget
	Late            // let in, and dropped: it could not finish in time any more
	Closed          // the scheduler is closed
	Reasons         // how many there are, with the unused zero
)

var reasonNames = [Reasons]string{"", "deadline", "full", "share", "shed", "off", "memory", "late", "closed"}

// String returns one lower-case word.
func (r Reason) String() string {
	if r >= Reasons {
		return "unknown"
	}
	return reasonNames[r]
}

// defaultMargin is the part by which all estimates are raised at admission. Times vary
// with what else the machine does; a shorter queue costs no throughput.
const defaultMargin = 1.0 / 8

// admit decides on a newcomer. 0 lets it in.
//
// A task begins no later than when the machine has done all that runs and all
// that goes before it, because until then there is always something in its way:
// docs/design/0007-password-pool.md. Its slack is what is left between then and
// its latest beginning. Of the tasks already in, only an insertion before them
// lowers it, and none is made that would lower it below zero within the class.
func (s *Scheduler) admit(t *Task, now time.Time) (Reason, time.Duration) {
	k := s.rates.kind(t)
	t.kind = k
	last := t.Class == Classes-1
	switch {
	case s.off[t.Class]:
		return Off, s.retryAfter(time.Minute, time.Minute)
	case t.Memory > s.memory:
		return Memory, s.retryAfter(time.Minute, time.Minute)
	case last && s.over.now():
		return Shed, s.retryAfter(calm, calm)
	}
	s.setTimes(t, now)
	if s.waiting == 0 && s.fits(t) {
		if alone := k.time(t.Units, 1); !t.limit.IsZero() && now.Add(alone).After(t.limit) {
			return Deadline, s.retryAfter(0, alone)
		}
		return 0, 0
	}
	reason, late, wait := s.room(t, now)
	if reason == 0 {
		return 0, 0
	}
	s.strained(now)
	return reason, s.retryAfter(late, wait)
}

// setTimes sets when the task must begin and end. Alone it could begin later,
// but a task that waits may be run in company, which takes longer.
func (s *Scheduler) setTimes(t *Task, now time.Time) {
	own := s.raised(t.kind, t.kind.time(t.Units, t.kind.lanes()))
	t.latest = now.Add(s.maxWait)
	t.due = t.latest.Add(own)
	if !t.limit.IsZero() && t.limit.Before(t.due) {
		t.due = t.limit
		t.latest = t.limit.Add(-own)
	}
	t.expires = t.due.Add(-t.kind.time(t.Units, 1))
}

// room looks for the task's place in the queue. If there is none it says why,
// how much too late the task would come, and how long the wait is.
func (s *Scheduler) room(t *Task, now time.Time) (reason Reason, late, wait time.Duration) {
	s.guest = t
	defer func() { s.guest = nil }()
	place := s.queues[t.Class].place(t)
	l := s.before(t.Class, place, now)
	wait = time.Duration(l.sum)
	slack := l.slack(t)
	switch {
	case slack < 0:
		return Deadline, time.Duration(-slack), wait
	case s.waiting >= s.capacity:
		return Full, 0, wait
	case s.shares.exceeded(t, s.charge(t), s.favor*slack, s.favor*float64(s.capacity-s.waiting-1)):
		return Share, 0, wait
	case !s.careless && !s.harmless(t, place, now):
		return Deadline, 0, wait
	}
	return 0, 0, wait
}

// harmless reports whether all that wait in the task's class are in time with it
// at its place: those behind it, and if it is the first of its kind also those
// before it, since it may need several workers at once, or take longest.
func (s *Scheduler) harmless(t *Task, place int, now time.Time) bool {
	tasks := s.queues[t.Class].tasks
	from := place
	if !t.kind.present() {
		from = 0
	}
	l := s.before(t.Class, from, now)
	for i := from; i <= len(tasks); i++ {
		if i == place {
			l.add(t)
		}
		if i == len(tasks) {
			break
		}
		if l.slack(tasks[i]) < 0 {
			return false
		}
		l.add(tasks[i])
	}
	return true
}

// charge returns the machine time, in nanoseconds, that the task takes from all
// when there is a queue: its part of a full batch.
func (s *Scheduler) charge(t *Task) float64 { return t.kind.drain() * t.Units / s.abreast(t.kind) }

// abreast returns how many workers' loads of a kind the machine runs at once,
// for want of workers or of memory.
func (s *Scheduler) abreast(k *kind) float64 {
	c := s.cap()
	n := c / min(max(k.threads, 1), c)
	if k.memory > 0 {
		n = min(n, int(s.memory/k.memory))
	}
	return float64(max(n, 1))
}

// residual returns the machine time until all that runs has ended. What has run
// longer than it should is expected to need half as long again as it is over.
func (s *Scheduler) residual(now time.Time) (sum float64) {
	for _, b := range s.running {
		left := b.end.Sub(now)
		if left < 0 {
			left = -left / 2
		}
		sum += float64(left) / s.abreast(b.kind)
	}
	return sum
}

// backlog returns the machine time of all that runs and waits.
func (s *Scheduler) backlog(now time.Time) time.Duration {
	return time.Duration(s.before(Classes-1, len(s.queues[Classes-1].tasks), now).sum)
}

// retryAfter returns when to come back: when the time that was missing has
// passed, and then spread over the time in which the queue is worked off.
func (s *Scheduler) retryAfter(late, wait time.Duration) time.Duration {
	return late + time.Millisecond + s.jitter(max(wait, time.Second))
}

// raised returns an estimate of one task's time with its margin. Over a queue it
// evens out how much single ones vary, but here not.
func (s *Scheduler) raised(k *kind, d time.Duration) time.Duration {
	return d + time.Duration(float64(d)*(s.margin+2*k.spread.value))
}
