// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// shares is what each principal has in the queue and was served lately, and who
// went first. There are no more of them than the queue has places and than tasks
// have been begun within some seconds.
type shares struct {
	of    map[uint64]*share
	swept time.Time

	heaviest [Classes]*share // of those with anything in a class's queue, as found
	found    [Classes]time.Time

	denied uint64 // the lightest principal that was refused within the last moment
	level  float64
	when   time.Time
}

// A share is one principal's part of the machine. The queue is by rank.
type share struct {
	charge [Classes]float64
	tasks  [Classes]int
	total  int
	served float64   // machine time of what was begun; it fades
	at     time.Time // as of then
	begun  time.Time // when the last of it was begun
	turn   time.Time // until then it has used up its turns to go first
}

// memory is the time constant with which service fades, and forgotten after what
// time none counts any more.
const (
	memory    = 2 * time.Second
	forgotten = 4 * memory
)

// weight returns what the principal has in the queue and had lately, as machine
// time. The queue alone would not do: a principal that always goes first, because its
// deadlines are short, has little there and yet uses the machine.
func (s *share) weight(now time.Time) float64 {
	if s == nil {
		return 0
	}
	sum := s.faded(now)
	for _, c := range s.charge {
		sum += c
	}
	return sum
}

// faded returns what is left of served.
func (s *share) faded(now time.Time) float64 {
	return s.served * math.Exp(-float64(now.Sub(s.at))/float64(memory))
}

// A principal's first tasks of class 0 go before all of class 1; more than one in
// turnEvery, after turns of them, queue among those. Else one could keep all
// others from ever being served, and have no more in the queue than they.
const (
	turns     = 2
	turnEvery = 5 * time.Second
)

func newShares() shares { return shares{of: make(map[uint64]*share)} }

// rank returns the class as which the task is queued.
func (s *shares) rank(t *Task, now time.Time) int {
	switch {
	case t.Continues:
		return 0
	case t.Class != 0:
		return t.Class
	}
	if mine := s.of[t.Principal]; mine != nil && mine.turn.Sub(now) > (turns-1)*turnEvery {
		return 1
	}
	return 0
}

// defaultFavor is how much more of the queue than what is left free one principal may
// have: with 2, one alone gets two thirds, two get two fifths each, and always
// a part is left for a newcomer. It is the dynamic threshold of Choudhury and Hahne, Dynamic
// Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM ToN 6(2),
// 1998.
const defaultFavor = 2

// upTo returns what a principal has in the queues up to a rank. None is nobody's.
func (s *share) upTo(rank int) (charge float64, tasks int) {
	if s == nil {
		return 0, 0
	}
	for r := range rank + 1 {
		charge += s.charge[r]
		tasks += s.tasks[r]
	}
	return charge, tasks
}

// exceeded reports whether the task's principal would have more in the queue
// than so much machine time or so many places. One that has nothing there may
// always have one task.
func (s *shares) exceeded(t *Task, charge, time, places float64) bool {
	has, tasks := s.of[t.Principal].upTo(t.rank)
	return tasks > 0 && (has+charge > time || float64(tasks+1) > places)
}

func (s *shares) add(t *Task, now time.Time) {
	mine := s.of[t.Principal]
	if mine == nil {
		s.sweep(now)
		mine = &share{at: now}
		s.of[t.Principal] = mine
	}
	t.share = mine
	mine.charge[t.rank] += t.charge
	mine.tasks[t.rank]++
	mine.total++
}

// goFirst notes that the task's principal has used a turn.
func (t *Task) goFirst(now time.Time) {
	t.first = true
	if t.share.turn.Before(now) {
		t.share.turn = now
	}
	t.share.turn = t.share.turn.Add(turnEvery)
}

func (s *shares) remove(t *Task) {
	mine := t.share
	mine.charge[t.rank] -= t.charge
	if mine.tasks[t.rank]--; mine.tasks[t.rank] == 0 {
		mine.charge[t.rank] = 0 // rounding errors must not add up
	}
	mine.total--
}

// leave notes that the task, which is removed, will not be begun: it gives back the
// turn that it used. A principal of which nothing else is known is forgotten at once,
// for nothing bounds how many come and go.
func (s *shares) leave(t *Task, now time.Time) {
	if t.first {
		t.share.turn = t.share.turn.Add(-turnEvery)
	}
	if t.share.idle(now) {
		delete(s.of, t.Principal)
	}
}

// serve notes that the task is begun.
func (s *shares) serve(t *Task, now time.Time) {
	t.share.served, t.share.at = t.share.faded(now)+t.charge, now
	t.share.begun = now
}

// idle reports whether the principal has nothing in the queue, and all its turns, and
// was not served lately.
func (s *share) idle(now time.Time) bool {
	return s.total == 0 && !s.turn.After(now) && now.Sub(s.begun) > forgotten
}

// sweep forgets those that are idle.
func (s *shares) sweep(now time.Time) {
	if now.Sub(s.swept) < turnEvery {
		return
	}
	s.swept = now
	for id, mine := range s.of {
		if mine.idle(now) {
			delete(s.of, id)
		}
	}
}

// heavier returns what a principal must weigh to be heavier by far than one of so
// much: a quarter more, and an eighth of what the machine does in memory. In a
// crowd, a principal that happens to ask twice is not.
func heavier(weight float64) float64 { return max(weight*5/4, float64(memory)/8) }

// moment is how long a refusal keeps heavier principals from going in.
const moment = time.Second

// deny notes that the task is refused for what others have in the queue.
func (s *shares) deny(t *Task, now time.Time) {
	w := s.of[t.Principal].weight(now)
	if now.Sub(s.when) > moment || w <= s.level || s.denied == t.Principal {
		s.denied, s.level, s.when = t.Principal, w, now
	}
}

// above reports whether a far lighter principal than the task's has just been refused.
func (s *shares) above(t *Task, charge float64, now time.Time) bool {
	return now.Sub(s.when) <= moment && s.denied != t.Principal &&
		s.of[t.Principal].weight(now) > heavier(s.level+charge)
}

// look is how long a search for the heaviest principal counts.
const look = time.Millisecond

// most returns the heaviest principal with several tasks in a queue, or nil.
func (s *shares) most(rank int, tasks []*Task, now time.Time) *share {
	if most := s.heaviest[rank]; now.Sub(s.found[rank]) < look && (most == nil || most.tasks[rank] > 0) {
		return most
	}
	var most *share
	weight := 0.0
	for _, t := range tasks {
		if t.share != most {
			if w := t.share.weight(now); w > weight {
				most, weight = t.share, w
			}
		}
	}
	s.heaviest[rank], s.found[rank] = most, now
	return most
}

// A Sender is a principal and how many tasks it sent lately, at most: the true
// number is up to Error smaller.
type Sender struct {
	Principal    uint64
	Tasks, Error uint64
}

// topSize is how many principals are counted. One that sends more than a 64th
// of all tasks is among them.
const topSize = 64

// halfLife is after how long all counts are halved: top is about the last
// minutes.
const halfLife = time.Minute

// top finds the principals that send most, in bounded memory: Metwally, Agrawal
// and El Abbadi, Efficient Computation of Frequent and Top-k Elements in Data
// Streams, ICDT 2005 ("Space-Saving").
type top struct {
	index   map[uint64]int // of senders
	senders []Sender
	halved  time.Time
}

func newTop() top { return top{index: make(map[uint64]int, topSize)} }

func (t *top) add(principal uint64, now time.Time) {
	t.decay(now)
	if i, ok := t.index[principal]; ok {
		t.senders[i].Tasks++
		return
	}
	if len(t.senders) < topSize {
		t.index[principal] = len(t.senders)
		t.senders = append(t.senders, Sender{principal, 1, 0})
		return
	}
	least := 0
	for i := range t.senders {
		if t.senders[i].Tasks < t.senders[least].Tasks {
			least = i
		}
	}
	old := t.senders[least]
	delete(t.index, old.Principal)
	t.index[principal] = least
	t.senders[least] = Sender{principal, old.Tasks + 1, old.Tasks}
}

func (t *top) decay(now time.Time) {
	switch passed := now.Sub(t.halved); {
	case t.halved.IsZero():
		t.halved = now
	case passed >= halfLife:
		n := min(int64(passed/halfLife), 63)
		for i := range t.senders {
			t.senders[i].Tasks >>= n
			t.senders[i].Error >>= n
		}
		t.halved = now
	}
}

// list returns the n that sent most.
func (t *top) list(n int) []Sender {
	all := slices.Clone(t.senders)
	slices.SortFunc(all, func(a, b Sender) int {
		return cmp.Or(cmp.Compare(b.Tasks, a.Tasks), cmp.Compare(a.Principal, b.Principal))
	})
	all = slices.DeleteFunc(all, func(s Sender) bool { return s.Tasks == 0 })
	return all[:min(n, len(all))]
}
