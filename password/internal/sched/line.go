// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import "time"

// A line is what stands before a place in the queues: what runs, and waiting tasks
// by kind, since those of one kind run several at once. Its unit is machine
// time: a worker's, divided by how many like it run at once. One line at a time
// is in use, the scheduler's, under its lock.
type line struct {
	s     *Scheduler
	now   time.Time
	sum   float64 // nanoseconds of everything
	kinds []group // by kind.index

	longest time.Duration // what runs or waits takes, at most
	mixed   bool          // some occupy more workers than others
	spread  float64       // how far times are from their estimates, as a part of them
}

type group struct {
	n     int
	units float64
}

// newLine returns the scheduler's line with only what runs in it.
func (s *Scheduler) newLine(now time.Time) *line {
	l := &s.line
	l.s, l.now, l.sum = s, now, s.residual(now)
	l.kinds = l.kinds[:0]
	l.longest, l.mixed, l.spread = 0, false, 0
	threads := 0
	for _, k := range s.rates.all {
		l.kinds = append(l.kinds, group{})
		if !k.present() && (s.guest == nil || s.guest.kind != k) {
			continue
		}
		l.longest = max(l.longest, k.longest())
		l.spread = max(l.spread, k.spread)
		l.mixed = l.mixed || threads != 0 && threads != k.threads
		threads = k.threads
	}
	return l
}

// before returns the line before a place in a class's queue. Whichever part of
// the queue is shorter is counted: nearly all places are at its end.
func (s *Scheduler) before(class, place int, now time.Time) *line {
	l := s.newLine(now)
	tasks := s.queues[class].tasks
	for c := range class {
		l.count(c)
	}
	if place < len(tasks)/2 {
		l.tally(tasks[:place], 1)
	} else {
		l.count(class)
		l.tally(tasks[place:], -1)
	}
	for _, k := range s.rates.all {
		l.sum += l.cost(k)
	}
	return l
}

// count notes all that wait in a class.
func (l *line) count(class int) {
	l.sum += l.s.rest[class]
	for _, k := range l.s.rates.all {
		l.kinds[k.index].n += k.queued[class]
		l.kinds[k.index].units += k.units[class]
	}
}

// tally notes tasks, or with -1 strikes them out.
func (l *line) tally(tasks []*Task, sign int) {
	for _, t := range tasks {
		l.kinds[t.kind.index].n += sign
		l.kinds[t.kind.index].units += float64(sign) * t.work
		l.sum += float64(sign) * t.rest
	}
}

// cost returns the machine time of a kind's tasks in the line.
func (l *line) cost(k *kind) float64 {
	g := l.kinds[k.index]
	if g.n == 0 {
		return 0
	}
	return k.cost(g.n, g.units)/l.s.abreast(k) + float64(g.n)*l.idle(k)
}

// idle returns the machine time that is lost before one of the kind begins: where
// it needs several workers at once and others fewer, all but one of them may have
// to wait for the last.
func (l *line) idle(k *kind) float64 {
	if !l.mixed || k.threads < 2 {
		return 0
	}
	c := l.s.cap()
	return float64(l.longest) * float64(min(k.threads, c)-1) / float64(c)
}

// add puts a task at the end.
func (l *line) add(t *Task) {
	k := t.kind
	l.sum -= l.cost(k)
	l.kinds[k.index].n++
	l.kinds[k.index].units += t.work
	l.sum += l.cost(k) + t.rest
}

// slack returns how much later than it will the task could begin, in
// nanoseconds, at the end of the line. It begins together with those of its
// kind that don't fill a batch.
func (l *line) slack(t *Task) float64 {
	ahead := l.sum + l.idle(t.kind)
	if g := l.kinds[t.kind.index]; g.n > 0 {
		ahead -= t.kind.cost(g.n, g.units)/l.s.abreast(t.kind) - t.kind.full(g.n, g.units)/l.s.abreast(t.kind)
	}
	return float64(t.latest.Sub(l.now)) - ahead*(1+l.s.margin+l.spread)
}
