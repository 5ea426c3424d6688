// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import "fount/internal/stop"

// A Generator's state belongs to one goroutine at a time, and its draws pin no P. They
// are marked by enter and leave, so that a second goroutine is noticed, at best effort,
// as a map notices one: the mark is plain memory, because an atomic one would cost more
// than the draw.

// enter marks s as in use until leave. A nil s is that of a Generator that is
// zero, and one that was closed stays marked.
func (s *State) enter() {
	if s == nil || s.busy {
		s.misused()
	}
	s.busy = true
}

func (s *State) leave() { s.busy = false }

//go:noinline
func (s *State) misused() {
	if s == nil || s.closed {
		panic("fount: Generator is zero or closed; make one with NewGenerator")
	}
	stop.Now("a Generator was used by two goroutines at once; give each its own, or use the package's functions")
}
