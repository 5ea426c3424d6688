// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

// New returns a state that the test owns, and Free takes it back at once.
func New() *State { return newSlot() }

func Free(s *State) {
	s.enter()
	s.leave()
	freeSlot(s)
}
