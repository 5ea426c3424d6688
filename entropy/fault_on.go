// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package entropy

import "sync/atomic"

// A Fault is what is wrong with the hardware in a build with the tag fount_test.
type Fault uint32

const (
	FaultNone  Fault = iota // as in a normal build
	FaultStuck              // the same number each time; of a clock: it stands still
	FaultOnes               // all ones, and a report of success
	FaultEmpty              // no number; a clock has always one
)

// A probe is a place where SetFault puts a fault.
type probe int

const (
	probeRDSEED probe = iota
	probeRDRAND
	probeClock
	probes
)

var faults [probes]atomic.Uint32

// SetFault breaks the hardware under the source of that name (rdseed, rdrand or
// jitter), or mends it, and reports whether there is one. Either way it makes the
// source forget: it is as before its first use. It exists in builds with the tag
// fount_test alone.
func SetFault(name string, f Fault) bool {
	switch name {
	case "rdseed":
		faults[probeRDSEED].Store(uint32(f))
		rdseedSource.forget(func() { rdseedWords.forget() })
	case "rdrand":
		faults[probeRDRAND].Store(uint32(f))
		rdrandSource.forget(func() { rdrandWords.forget() })
	case "jitter":
		faults[probeClock].Store(uint32(f))
		jitterSource.forget(func() { jitterState.forget() })
	default:
		return false
	}
	return true
}

func (s *source) forget(state func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state()
	s.gave.Store(false)
	s.failure.Store(nil)
}

func (w *words) forget() {
	w.started, w.tests = false, newHealth(wordRepetition, wordProportion)
}

func (j *jitter) forget() {
	j.memory, j.tests = nil, newHealth(jitterRepetition, jitterProportion)
}

func tamper(p probe, v uint64, ok bool) (uint64, bool) {
	switch Fault(faults[p].Load()) {
	case FaultStuck:
		return 0x0123456789abcdef, true
	case FaultOnes:
		return ^uint64(0), true
	case FaultEmpty:
		return 0, false
	}
	return v, ok
}
