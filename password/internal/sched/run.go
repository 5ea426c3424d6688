// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"slices"
	"time"
)

// A batch is what a worker has in hand: one task, or several of one course.
type batch struct {
	tasks    []*Task
	course   *course
	memory   int64
	upgrades bool // nothing else
	began    time.Time
	end      time.Time // as estimated

	stage    int
	since    time.Time // that the stage began
	expected float64   // of the stages that are done, with the estimates of their time
}

// dispatch hands out work until no worker, no memory or no task is left, and tells Close when none
// is. Nobody passes the first in the queue.
func (s *Scheduler) dispatch(now time.Time) {
	for len(s.queue) > 0 {
		head := s.queue[0]
		switch {
		case !head.trial && now.Add(head.time(1)).After(head.due):
			s.drop(head, now)
		case !head.trial && s.upgrade(now):
		case !s.fits(head):
			return
		default:
			s.form(head, now)
		}
	}
	for s.upgrade(now) {
	}
	if s.closed && len(s.queue)+len(s.upgrades)+len(s.running) == 0 {
		select {
		case <-s.drained:
		default:
			close(s.drained)
		}
	}
}

// form begins a batch with the first of the queue. No worker shall be idle while another has two:
// the waiting tasks of the course are spread over the free workers that no other takes. Upgrades
// get the lanes that are left.
func (s *Scheduler) form(head *Task, now time.Time) {
	c := head.course
	if head.trial {
		s.begin([]*Task{head}, false, now)
		return
	}
	free := max(s.Workers()-len(s.running)-(len(s.queue)-c.waiting), 1)
	tasks := s.company([]*Task{head}, s.queue, min(c.lanes, (c.waiting+free-1)/free), head.due, now)
	s.begin(s.company(tasks, s.upgrades, c.lanes, head.due, now), false, now)
}

// company adds tasks of a list to those of a batch, up to a number, as far as all are done by due
// and by their own.
func (s *Scheduler) company(tasks, list []*Task, most int, due, now time.Time) []*Task {
	head := tasks[0]
	for _, t := range list {
		n := len(tasks) + 1
		if n > most {
			break
		}
		if t == head || t.course != head.course || t.trial || t.memory > head.memory {
			continue
		}
		end := now.Add(max(head.time(n), t.time(n)))
		late := func(t *Task) bool { return end.After(t.due) }
		if !end.After(due) && !late(t) && !slices.ContainsFunc(tasks, late) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// begin has a worker begin.
func (s *Scheduler) begin(tasks []*Task, upgrades bool, now time.Time) {
	c := tasks[0].course
	b := &batch{tasks: tasks, course: c, memory: tasks[0].memory, upgrades: upgrades, began: now, since: now}
	b.end = now.Add(tasks[0].time(len(tasks)))
	if t := tasks[0]; t.trial {
		b.end = now.Add(min(t.work, t.left(now)))
	}
	for _, t := range tasks {
		if !t.Upgrade {
			t.serve(now)
			c.waiting--
		}
		t.calls.Queued--
		t.calls.Running++
		t.state, t.started, t.Waited, t.Beside = running, now, now.Sub(t.came), len(tasks)
	}
	if !upgrades {
		c.refused = time.Time{}
	}
	waits := func(t *Task) bool { return t.state != queued }
	s.queue, s.upgrades = slices.DeleteFunc(s.queue, waits), slices.DeleteFunc(s.upgrades, waits)
	s.held += b.memory
	s.running = append(s.running, b)
	s.Start(func() { s.work(b) })
}

// fits reports whether a worker and memory are free.
func (s *Scheduler) fits(t *Task) bool {
	return len(s.running) < s.Workers() && s.held+t.memory <= s.Memory
}

// work is a worker's turn.
func (s *Scheduler) work(b *batch) {
	for tasks := b.tasks; len(tasks) > 0; {
		answers := make([]Outcome, len(tasks))
		s.Run(b.stage, tasks, answers)
		going := s.step(b, answers)
		for i, t := range tasks {
			if answers[i] == "" && !slices.Contains(going, t) {
				s.Leave(t)
			}
		}
		tasks = going
	}
}

// step learns how long a stage took, answers those that have their answers, and returns the others,
// which go on to the next.
func (s *Scheduler) step(b *batch, answers []Outcome) (going []*Task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	k, first, n, left := b.course.kinds[b.stage], b.tasks[0], len(b.tasks), 0
	for _, t := range b.tasks {
		if !t.gone.Load() {
			left++
		}
	}
	units := first.Stages[b.stage].Units
	took, old := now.Sub(b.since), k.unit.value*units*k.relative(n)
	b.expected += old
	if first.trial && left > 0 && float64(took)*far < old {
		k.unit.known = false // what was measured now replaces it
	}
	if units > 0 && k.learn(n, left, units, b.since, now) {
		for _, c := range s.courses { // what was found too long before may be tried again
			c.failed, c.next, c.nextBusy = 0, time.Time{}, time.Time{}
		}
	}
	s.units[k.Algorithm] = k.unit.value
	for i, t := range b.tasks {
		if t.state == ended { // its caller left
			continue
		}
		k.service.Note(took)
		if answers[i] != "" {
			s.end(t, answers[i], NoReason, nil, now)
		} else {
			going = append(going, t)
		}
	}
	if b.stage++; b.stage < len(b.course.kinds) && len(going) > 0 {
		b.tasks, b.since, b.end = going, now, now
		for _, k := range b.course.kinds[b.stage:] {
			b.end = b.end.Add(duration(k.unit.value * k.units * k.relative(len(going))))
		}
		return going
	}
	if first.trial {
		b.course.trying = nil
		if took := now.Sub(b.began); left == 0 || float64(took)*far >= b.expected {
			b.course.tried(took, now)
		}
	}
	s.held -= b.memory
	s.running = slices.DeleteFunc(s.running, func(other *batch) bool { return other == b })
	if b.upgrades {
		s.debt = min(s.debtAt(now)+now.Sub(b.began), s.repaid(time.Minute))
		s.indebted = now
	}
	s.dispatch(now)
	return nil
}

// Upgrades wait apart. They are begun when nobody else waits, in lanes that sign-ins leave, and one
// at a time as the last hundredth of the machine: else a store would never move under lasting load.
const (
	mostUpgrades = 64
	upgradeWait  = 10 * time.Second
	hundredth    = 100
)

// upgrade begins one if it may, and reports whether it did.
func (s *Scheduler) upgrade(now time.Time) bool {
	if len(s.upgrades) == 0 || !s.fits(s.upgrades[0]) {
		return false
	}
	tasks, c := s.upgrades[:1:1], s.upgrades[0].course
	switch {
	case len(s.queue) == 0:
		free := s.Workers() - len(s.running)
		most := min(c.lanes, (len(s.upgrades)+free-1)/free)
		tasks = s.company(tasks, s.upgrades, most, now.Add(longest), now)
	case s.debtAt(now) > 0 || slices.ContainsFunc(s.running, func(b *batch) bool { return b.upgrades }):
		return false
	}
	s.begin(slices.Clone(tasks), true, now)
	return true
}

// debtAt returns the workers' time that upgrades have had beyond their hundredth.
func (s *Scheduler) debtAt(now time.Time) time.Duration {
	return max(s.debt-s.repaid(now.Sub(s.indebted)), 0)
}

// repaid returns how much of it goes in a time.
func (s *Scheduler) repaid(d time.Duration) time.Duration {
	return time.Duration(float64(min(d, longest)) * float64(s.Workers()) / hundredth)
}
