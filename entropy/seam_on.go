// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package entropy

import (
	"errors"
	"sync/atomic"

	"fount/internal/seam"
)

func init() {
	seam.SetRoute = func(r seam.Route) { route.Store(uint32(r)) }
	seam.SetFault = setFault
}

var route atomic.Uint32 // a seam.Route

var errRouteFail = errors.New("a test took the kernel away")

func reroute(b []byte) (bool, error) {
	switch seam.Route(route.Load()) {
	case seam.RouteSyscall:
		return true, rawSyscall(b)
	case seam.RouteFail:
		return true, errRouteFail
	case seam.RouteZero:
		clear(b)
		return true, nil
	}
	return false, nil
}

// A probe is a place where setFault puts a fault.
type probe int

const (
	probeRDSEED probe = iota
	probeRDRAND
	probeClock
	probes
)

var faults [probes]atomic.Uint32 // each a seam.Fault

func setFault(name string, f seam.Fault) bool {
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
	switch seam.Fault(faults[p].Load()) {
	case seam.FaultStuck:
		return 0x0123456789abcdef, true
	case seam.FaultOnes:
		return ^uint64(0), true
	case seam.FaultEmpty:
		return 0, false
	}
	return v, ok
}
