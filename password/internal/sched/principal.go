// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"cmp"
	"slices"
	"time"
)

// shares is what each principal has in the queue. Only those that have anything
// there are listed, so it has no more entries than the queue has places.
type shares map[uint64]*share

// A share is one principal's part of the queue, by class.
type share struct {
	charge [Classes]float64
	tasks  [Classes]int
	total  int
}

// defaultFavor is how much more of the queue than what is left free one principal may
// have: with 4, one alone gets four fifths, two get four ninths each, and always
// a part is left for one who comes new. It is the dynamic threshold of Choudhury and Hahne, Dynamic
// Queue Length Thresholds for Shared-Memory Packet Switches, IEEE/ACM ToN 6(2),
// 1998.
const defaultFavor = 2

// exceeded reports whether the task's principal would have more in the queue
// than so much machine time or so many places. One that has nothing there may
// always have one task.
func (s shares) exceeded(t *Task, charge, time, places float64) bool {
	mine := s[t.Principal]
	if mine == nil || mine.tasks[t.Class] == 0 {
		return false
	}
	return mine.charge[t.Class]+charge > time || float64(mine.tasks[t.Class]+1) > places
}

func (s shares) add(t *Task) {
	mine := s[t.Principal]
	if mine == nil {
		mine = new(share)
		s[t.Principal] = mine
	}
	mine.charge[t.Class] += t.charge
	mine.tasks[t.Class]++
	mine.total++
}

func (s shares) remove(t *Task) {
	mine := s[t.Principal]
	mine.tasks[t.Class]--
	mine.charge[t.Class] -= t.charge
	if mine.total--; mine.total == 0 {
		delete(s, t.Principal)
	}
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
