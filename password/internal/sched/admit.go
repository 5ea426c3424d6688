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
	Evicted         // let in, and dropped: it made way for one of a lighter principal
	Closed          // the scheduler is closed
	Reasons         // how many there are, with the unused zero
)

var reasonNames = [Reasons]string{"", "deadline", "full", "share", "shed", "off", "memory", "late", "evicted", "closed"}

// String returns one lower-case word.
func (r Reason) String() string {
	if r >= Reasons {
		return "unknown"
	}
	return reasonNames[r]
}

// defaultMargin is the part by which all estimates are raised at admission. Times vary
// with what else the machine does; a queue that is an eighth shorter costs hardly any throughput.
const defaultMargin = 1.0 / 8

// admit decides on a newcomer. 0 lets it in.
//
// A task begins no later than when the machine has done all that runs and all
// that goes before it, because until then there is always something in its way.
// Its slack is what is left between then and its latest beginning. Of the tasks already in, only an insertion before them
// lowers it, and none is made that would lower it below zero within the class.
func (s *Scheduler) admit(t *Task, now time.Time) (Reason, time.Duration) {
	k := s.rates.kind(t)
	t.kind = k
	t.rest, t.after = s.restOf(t)
	last := t.Class == Classes-1
	switch {
	case t.Continues:
	case s.off[t.Class]:
		return Off, s.retryAfter(time.Minute, time.Minute)
	case last && s.over.now():
		return Shed, s.retryAfter(calm, calm)
	}
	left := t.limit.Sub(now)
	alone := k.time(t.Units, 1)
	short := !t.limit.IsZero() && alone+t.after > left // even if it begins now
	if s.waiting == 0 && s.fits(t) {
		t.probe = short && s.tries(t, left, false, now)
		s.setTimes(t, now)
		if short && !t.probe {
			return Deadline, s.retryAfter(0, alone)
		}
		return 0, 0
	}
	s.setTimes(t, now)
	if t.Continues {
		if t.late(now) && !s.tries(t, left, true, now) {
			return Deadline, s.retryAfter(0, alone)
		}
		return 0, 0
	}
	v := s.room(t, now)
	if v.reason == Deadline && (2*alone > left || t.latest.Before(now)) && s.tries(t, left, true, now) {
		v = s.room(t, now)
	}
	if v.reason != 0 {
		v = s.makeRoom(t, now, v)
	}
	if v.reason == 0 {
		return 0, 0
	}
	if !short && !last {
		s.shares.deny(t, now)
	}
	s.strained(now)
	return v.reason, s.retryAfter(v.late, v.wait)
}

// tries reports whether the task, for which the estimate is too long, shall be tried. On a busy
// scheduler it is believed to take a quarter of what it has. Only that one is: the estimate stays what it
// is for the others, else one caller with a short deadline would have all let in.
func (s *Scheduler) tries(t *Task, left time.Duration, busy bool, now time.Time) bool {
	if left <= 0 || !t.kind.doubt.ripe(left, busy, now) {
		return false
	}
	t.probe = true
	if busy {
		t.work = min(t.Units, float64(left)/4/t.kind.unit())
		s.setTimes(t, now)
	}
	return true
}

// setTimes sets when the task must begin and end. Alone it could begin later,
// but a task that waits may be run in company, which takes longer.
func (s *Scheduler) setTimes(t *Task, now time.Time) {
	own := s.raised(t.kind, t.kind.time(t.work, t.widest()))
	t.latest = now.Add(s.maxWait)
	t.due = t.latest.Add(own)
	if !t.limit.IsZero() {
		end := t.limit
		if !t.probe {
			end = end.Add(-t.after)
		}
		if end.Before(t.due) {
			t.due, t.latest = end, end.Add(-own)
		}
	}
	t.expires = t.end(now).Add(-t.kind.time(t.work, 1))
}

// end returns by when the task must have ended. What goes on has only the deadline of
// its caller: for its turn it waits as long as it takes those before it.
func (t *Task) end(now time.Time) time.Time {
	switch {
	case !t.Continues:
		return t.due
	case t.limit.IsZero():
		return now.Add(longest)
	}
	return t.limit
}

// late reports whether the task can't end in time any more.
func (t *Task) late(now time.Time) bool {
	return !t.probe && now.Add(t.kind.time(t.work, 1)).After(t.end(now))
}

// restOf returns the machine time of the task's Rest, in nanoseconds, and how long it takes at
// least, one after the other.
func (s *Scheduler) restOf(t *Task) (sum float64, least time.Duration) {
	for _, next := range t.Rest {
		k, units := s.rates.kind(next), max(next.Units, 1)
		sum += k.drain() * units / s.abreast(k)
		least += k.time(units, 1)
	}
	return sum, least
}

// A view is what the queue has for a newcomer.
type view struct {
	reason Reason        // why there is no place
	late   time.Duration // how much too late it would come
	wait   time.Duration // how long the wait is
	behind int           // it would help if one went that is before this place
}

// room looks for the task's place in the queue.
func (s *Scheduler) room(t *Task, now time.Time) (v view) {
	s.guest = t
	defer func() { s.guest = nil }()
	place := s.queues[t.rank].place(t)
	l := s.before(t.rank, place, now)
	slack := l.slack(t)
	v.wait, v.behind = duration(l.sum), place
	switch {
	case slack < 0:
		v.reason, v.late = Deadline, duration(-slack)
	case s.waiting >= s.capacity:
		v.reason, v.behind = Full, len(s.queues[t.rank].tasks)
	case s.shares.exceeded(t, s.charge(t), s.favor*slack, s.favor*float64(s.capacity-s.waiting-1)):
		v.reason = Share
	case s.waiting >= s.lanes*s.cap() && s.shares.above(t, s.charge(t), now):
		v.reason = Share // the machine stays busy without it
	default:
		if harmed := s.harmed(t, place, now); harmed >= 0 {
			v.reason, v.behind = Deadline, harmed+1
		}
	}
	return v
}

// harmed returns which of those that wait in the task's class would be late with it
// at its place, or -1: it looks at those behind it, and if it is the first of its
// kind also at those before it, since it may need several workers at once, or
// take longest.
func (s *Scheduler) harmed(t *Task, place int, now time.Time) int {
	tasks := s.queues[t.rank].tasks
	from := place
	if !t.kind.present() {
		from = 0
	}
	l := s.before(t.rank, from, now)
	for i := from; i <= len(tasks); i++ {
		if i == place {
			l.add(t)
		}
		if i == len(tasks) {
			break
		}
		if l.slack(tasks[i]) < 0 {
			return i
		}
		l.add(tasks[i])
	}
	return -1
}

// evictions is how many tasks may make way for one, at most.
const evictions = 16

// makeRoom lets tasks of the principal that has most in the queue make way for one
// whose principal has far less there, if that gets it a place.
func (s *Scheduler) makeRoom(t *Task, now time.Time, v view) view {
	gave := make([]*Task, 0, evictions)
	for v.reason != 0 && len(gave) < evictions {
		one := s.evictable(t, v.behind, now)
		if one == nil {
			break
		}
		s.queues[t.rank].remove(one)
		s.dequeue(one)
		gave = append(gave, one)
		v = s.room(t, now)
	}
	for _, one := range gave {
		s.putIn(one, now)
		if v.reason == 0 && !t.asked {
			s.queues[t.rank].remove(one)
			s.counts[one.Class].Evicted++
			s.drop(one, Evicted, now)
		}
	}
	return v
}

// evictable returns the last task before a place in t's class that is the heaviest
// principal's, if that is heavier than t's by far.
func (s *Scheduler) evictable(t *Task, place int, now time.Time) *Task {
	tasks := s.queues[t.rank].tasks
	most := s.shares.most(t.rank, tasks, now)
	if most == nil {
		return nil
	}
	least := heavier(s.shares.of[t.Principal].weight(now) + s.charge(t))
	weight := most.weight(now)
	if weight < least {
		return nil
	}
	for i := min(place, len(tasks)) - 1; i >= 0; i-- {
		if one := tasks[i]; one.share == most && !one.Continues {
			if weight-one.charge < least {
				return nil
			}
			return one
		}
	}
	return nil
}

// charge returns the machine time, in nanoseconds, that the task takes from all
// when there is a queue: its part of a full batch.
func (s *Scheduler) charge(t *Task) float64 { return t.kind.drain() * t.work / s.abreast(t.kind) }

// abreast returns how many workers' loads of a kind the machine runs at once,
// for want of workers or of memory.
func (s *Scheduler) abreast(k *kind) float64 { return s.abreastOf(k, s.cap()) }

// abreastOf is abreast for c workers.
func (s *Scheduler) abreastOf(k *kind, c int) float64 {
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
	return duration(s.before(Classes-1, len(s.queues[Classes-1].tasks), now).sum)
}

// retryAfter returns when to come back: when the time that was missing has
// passed, and then spread over the time in which the queue is worked off.
func (s *Scheduler) retryAfter(late, wait time.Duration) time.Duration {
	return late + time.Millisecond + s.jitter(max(wait, time.Second))
}

// raised returns an estimate of one task's time with its margin. Over a queue it
// evens out how much single ones vary, but here not.
func (s *Scheduler) raised(k *kind, d time.Duration) time.Duration {
	return d + time.Duration(float64(d)*(s.margin+2*k.spread))
}
