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

// events is a heap with four children to a node: at 288 threads it is 5 deep, and the children share a cache line.
type events struct {
	heap   []event
	serial uint64
}

// add makes an event.
func (q *events) add(at int64, thread int32) {
	q.serial++
	e := event{at, q.serial<<16 | uint64(thread)}
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

// next takes the earliest event out.
func (q *events) next() event {
	h := q.heap
	first, e := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	q.heap = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(h)); c++ {
			if h[c].before(h[least]) {
				least = c
			}
		}
		if !h[least].before(e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
	return first
}
