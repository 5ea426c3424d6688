// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package web

import "sync"

// A queue holds some addresses. Who puts never waits.
type queue struct {
	waiting chan string

	mu     sync.Mutex
	closed bool
}

func newQueue(most int) *queue { return &queue{waiting: make(chan string, most)} }

// put reports whether there was room: none is after close.
func (q *queue) put(email string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	select {
	case q.waiting <- email:
		return true
	default:
		return false
	}
}

// close ends the loops that range over waiting, once nothing is left.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.waiting)
	}
}
