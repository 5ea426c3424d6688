// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import "slices"

// A queue is the tasks of one class that wait, the earliest due first and the
// earlier arrived among equals. A slice will do: it holds what the machine does
// in MaxWait, some hundred, and nearly all come last.
type queue struct{ tasks []*Task }

// place returns where the task belongs.
func (q *queue) place(t *Task) int {
	n := len(q.tasks)
	if n == 0 || !before(t, q.tasks[n-1]) {
		return n
	}
	i, _ := slices.BinarySearchFunc(q.tasks, t, order)
	return i
}

func (q *queue) insert(t *Task) { q.tasks = slices.Insert(q.tasks, q.place(t), t) }

func (q *queue) remove(t *Task) {
	if i, ok := slices.BinarySearchFunc(q.tasks, t, order); ok {
		q.tasks = slices.Delete(q.tasks, i, i+1)
	}
}

// sweep forgets the tasks that do not wait any more.
func (q *queue) sweep() {
	q.tasks = slices.DeleteFunc(q.tasks, func(t *Task) bool { return t.state != queued })
}

func before(t, u *Task) bool { return order(t, u) < 0 }

func order(t, u *Task) int {
	if c := t.due.Compare(u.due); c != 0 {
		return c
	}
	switch {
	case t.seq < u.seq:
		return -1
	case t.seq > u.seq:
		return 1
	}
	return 0
}
