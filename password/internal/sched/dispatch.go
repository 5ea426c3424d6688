// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"math"
	"time"
)

// A batch is what a worker has in hand: one task, or several of one kind.
type batch struct {
	tasks   []*Task
	kind    *kind
	slot    int
	threads int
	memory  int64
	began   time.Time
	end     time.Time // as estimated
}

// scan is how many waiting tasks a free worker looks at, at most.
const scan = 64

// dispatch hands out work until no worker, no memory or no task is left.
func (s *Scheduler) dispatch(now time.Time) {
	if s.threads < s.cap() {
		s.walk(now)
	}
}

// walk does that, and drops those that are late also if no worker is free.
func (s *Scheduler) walk(now time.Time) {
	for s.waiting > 0 {
		b, dropped := s.next(now)
		switch {
		case b != nil:
			s.start(func() { s.work(b) })
		case !dropped:
			return
		}
	}
}

// next forms the next batch; it is nil if none can begin now. dropped: tasks that
// are late have left, and there may be more.
func (s *Scheduler) next(now time.Time) (b *batch, dropped bool) {
	p := passage{s: s, now: now, line: s.newLine(now), slack: math.Inf(1)}
	b = p.find()
	for _, t := range p.late {
		s.drop(t, Late, now)
	}
	if p.swept {
		for c := range s.queues {
			s.queues[c].sweep()
		}
	}
	return b, len(p.late) > 0
}

// A passage is one walk along the queues, in the order in which tasks are due
// to begin. It knows the least slack of the tasks that it passed by because there
// was no room for them: what begins before them must not take more. Those that a
// batch passes on its way to more of its kind have counted it as full.
type passage struct {
	s     *Scheduler
	now   time.Time
	line  *line   // those passed before the batch was opened
	slack float64 // least of theirs
	idle  float64 // part of the machine that may stand idle before one of them begins
	swept bool    // some task leaves its queue
	late  []*Task // to be dropped after the walk: that needs the line, too

	batch *batch
	due   time.Time // earliest of the batch
	width int       // tasks that the batch may have
}

// find takes the first task that has room, and then company for it.
func (p *passage) find() *batch {
	s := p.s
	seen := 0
	for c := range s.queues {
		for _, t := range s.queues[c].tasks {
			if seen++; seen > scan {
				return p.close()
			}
			switch {
			case t.late(p.now) || t.Memory > s.memory:
				p.swept = true
				p.late = append(p.late, t)
			case p.batch == nil && s.fits(t) && p.price(t, t.kind.time(t.work, 1)) <= p.slack:
				p.open(t)
			case p.batch != nil && p.joins(t):
				p.take(t)
			default:
				p.pass(t)
			}
			if p.batch != nil && len(p.batch.tasks) == p.width {
				return p.close()
			}
		}
	}
	return p.close()
}

// open begins the batch with a task that has room. No worker shall be idle while
// another has two: the kind's waiting tasks are spread over the free workers that
// no other kind takes.
func (p *passage) open(t *Task) {
	s := p.s
	c := s.cap()
	p.batch = &batch{kind: t.kind, threads: min(max(t.Threads, 1), c), memory: t.Memory, began: p.now}
	n := t.kind.waiting()
	free := max(c-s.threads-(s.waiting-n), 1)
	p.width = min(t.widest(), (n+free-1)/free)
	p.due = t.due
	p.take(t)
}

// price returns what d on a worker costs those passed, in nanoseconds of machine
// time: one that waits for several workers may have to wait once more.
func (p *passage) price(t *Task, d time.Duration) float64 {
	return float64(d) * (1/p.s.abreast(t.kind) + p.idle)
}

// joins reports whether the batch may have the task too: all of it in time, and
// those passed by as well.
func (p *passage) joins(t *Task) bool {
	if t.kind != p.batch.kind || t.widest() == 1 {
		return false
	}
	wider := t.kind.time(t.Units, len(p.batch.tasks)+1)
	due := p.due
	if t.due.Before(due) {
		due = t.due
	}
	return p.price(t, wider) <= p.slack && !p.now.Add(wider).After(due)
}

func (p *passage) take(t *Task) {
	p.swept = true
	p.s.dequeue(t)
	p.s.shares.serve(t, p.now)
	t.state, t.begun, t.Granted = running, true, p.batch.threads
	// Each reads the clock before it has the lock: p.now may be the earlier of the two.
	t.started, t.Waited = p.now, max(p.now.Sub(t.submitted), 0)
	p.batch.tasks = append(p.batch.tasks, t)
	if t.due.Before(p.due) {
		p.due = t.due
	}
}

// pass leaves a task where it is.
func (p *passage) pass(t *Task) {
	if p.batch == nil {
		p.slack = min(p.slack, p.line.slack(t))
		c := p.s.cap()
		p.idle = max(p.idle, float64(min(max(t.Threads, 1), c)-1)/float64(c))
		p.line.add(t)
	}
}

// close occupies what the batch needs.
func (p *passage) close() *batch {
	b, s := p.batch, p.s
	if b == nil {
		return nil
	}
	n := len(b.tasks)
	b.end = b.began.Add(b.kind.time(b.tasks[0].work, n))
	if t := b.tasks[0]; t.probe && t.limit.Before(b.end) {
		b.end = t.limit
	}
	b.slot = s.slots.take()
	s.widths[n]++
	for _, t := range b.tasks {
		t.Beside = n
	}
	s.inFlight += n
	b.kind.running++
	s.threads += b.threads
	s.held += b.memory
	s.running = append(s.running, b)
	return b
}

// fits reports whether a worker and memory are free for the task.
func (s *Scheduler) fits(t *Task) bool {
	c := s.cap()
	return s.threads+min(max(t.Threads, 1), c) <= c && s.held+t.Memory <= s.memory
}

// work is a worker's turn.
func (s *Scheduler) work(b *batch) {
	s.run(b.slot, b.tasks)
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finish(b, now)
	s.dispatch(now)
	s.checkDrained()
}

// finish gives back what the batch occupied, learns how long it took, and
// answers its callers.
func (s *Scheduler) finish(b *batch, now time.Time) {
	s.slots.give(b.slot)
	s.inFlight -= len(b.tasks)
	b.kind.running--
	s.threads -= b.threads
	s.held -= b.memory
	for i, other := range s.running {
		if other == b {
			last := len(s.running) - 1
			s.running[i], s.running[last] = s.running[last], nil
			s.running = s.running[:last]
			break
		}
	}
	left := 0 // tasks that a caller still waits for
	for _, t := range b.tasks {
		if !t.gone.Load() {
			left++
		}
	}
	took := now.Sub(b.began)
	if b.tasks[0].probe {
		b.kind.tried(b, left, took, now)
	}
	s.rates.learn(b, left, now)
	for _, t := range b.tasks {
		s.conclude(t, took)
	}
}

// conclude counts a task that a worker gives back.
func (s *Scheduler) conclude(t *Task, took time.Duration) {
	n := &s.counts[t.Class]
	if t.state == abandoned {
		s.goneAway(t, t.err)
		t.state = ended
		return
	}
	if len(t.Rest) > 0 {
		s.parts(t.Chain)
	}
	n.Completed++
	n.Outcomes[t.Outcome]++
	t.Served = took
	t.kind.wait.Add(t.Waited)
	t.kind.service.Add(took)
	t.state = ended
	close(t.done)
}

// slots gives out the least numbers that are not in use.
type slots struct{ used []bool }

func (s *slots) take() int {
	for i, used := range s.used {
		if !used {
			s.used[i] = true
			return i
		}
	}
	s.used = append(s.used, true)
	return len(s.used) - 1
}

func (s *slots) give(i int) { s.used[i] = false }
