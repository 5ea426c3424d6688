// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// Who waits for a lock: first come, first served.

// A queue is a ring with room for all threads.
type queue struct {
	ring       []int32 // its length is a power of two
	head, tail uint32
}

func newQueue(n int) queue {
	size := 1
	for size < n {
		size *= 2
	}
	return queue{ring: make([]int32, size)}
}

func (q *queue) empty() bool { return q.head == q.tail }

func (q *queue) put(thread int32) {
	q.ring[q.tail&uint32(len(q.ring)-1)] = thread
	q.tail++
}

func (q *queue) take() int32 {
	thread := q.ring[q.head&uint32(len(q.ring)-1)]
	q.head++
	return thread
}
