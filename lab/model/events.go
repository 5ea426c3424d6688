// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// What a thread does next, and when: a heap of one event for each thread that does not wait.

// An event is the end of what a thread does. Events of one moment happen in the order in which they were made.
type event struct {
	at  int64  // ps
	key uint64 // serial number, then the thread in the low 16 bits
}

func (e event) thread() int32 { return int32(e.key & 0xffff) }

func (e event) before(f event) bool { return e.at < f.at || e.at == f.at && e.key < f.key }

// events is a heap. It is not container/heap's, which allocates for each event.
type events struct {
	heap   []event
	serial uint64
}

// add makes an event.
func (q *events) add(at int64, thread int32) {
	q.serial++
	e := event{at, q.serial<<16 | uint64(thread)}
	q.heap = append(q.heap, e)
	i := len(q.heap) - 1
	for i > 0 && e.before(q.heap[(i-1)/2]) {
		q.heap[i] = q.heap[(i-1)/2]
		i = (i - 1) / 2
	}
	q.heap[i] = e
}

// next takes the earliest event out.
func (q *events) next() event {
	last := len(q.heap) - 1
	first, e := q.heap[0], q.heap[last]
	h := q.heap[:last]
	q.heap = h
	i := 0
	for child := 1; child < last; child = 2*i + 1 {
		if child+1 < last && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(e) {
			break
		}
		h[i] = h[child]
		i = child
	}
	if last > 0 {
		h[i] = e
	}
	return first
}
