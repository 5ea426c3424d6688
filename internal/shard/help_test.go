// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
)

// raceEnabled: the race detector is on.
var raceEnabled = func() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}()

// onOneP has the test run on one P, and returns its state.
func onOneP(t *testing.T) *State {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool drop a quarter of its tokens, so that a P has no state of its own; run without it")
	}
	procs := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(procs) })
	return ofP()
}

// ofP returns the state of this P.
func ofP() *State {
	s, tok := adopt()
	release(tok)
	return s
}

// expire makes s ask for a seed at its next draw.
func (s *State) expire() { s.left, s.generation = 0, 0 }
