// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The result, and what follows from it for a task and a peer.

import (
	"slices"

	"fount/bench/peers"
	"fount/lab/machine"
	"fount/lab/measure"
)

// A Result is what was measured.
type Result struct {
	Machine  machine.Facts `json:"machine"`
	Versions []string      `json:"versions"` // of the modules of peers
	NoFIPS   bool          `json:"no_fips"`  // this build has no FIPS mode
	Rounds   int           `json:"rounds"`
	TurnNS   int64         `json:"turn_ns"`
	Cores    int           `json:"cores"` // GOMAXPROCS
	Series   []*Series     `json:"series"`
}

// A Series is what a peer's operations took at a task, in ns, round by round.
type Series struct {
	Task        string    `json:"task"`
	Peer        string    `json:"peer"`
	All         bool      `json:"all_cores"`        // a goroutine a core draws, else one
	Error       string    `json:"error,omitempty"`  // why the peer was not measured, in one line; then there are no figures
	ClockNS     []float64 `json:"clock_ns"`         // elapsed time, divided by the operations of all
	CPUNS       []float64 `json:"cpu_ns,omitempty"` // CPU time of all cores; nil if the system does not tell that of each turn
	Allocations float64   `json:"allocations,omitempty"`
}

// add adds a round. A peer that failed in one round has no figures of the others: they would be of fewer rounds than its
// neighbours'.
func (r *Result) add(s *Series) {
	if r.failure(s.Task, s.Peer) != "" {
		return
	}
	if s.Error != "" {
		r.Series = slices.DeleteFunc(r.Series, func(old *Series) bool { return old.Task == s.Task && old.Peer == s.Peer })
	}
	if old := r.find(s.Task, s.Peer, s.All); old != nil {
		old.ClockNS, old.CPUNS = append(old.ClockNS, s.ClockNS...), append(old.CPUNS, s.CPUNS...)
		return
	}
	r.Series = append(r.Series, s)
}

// settle drops all CPU times if those of any turn are missing: costs that are compared are of one clock.
func (r *Result) settle() {
	if !r.cpu() {
		for _, s := range r.Series {
			s.CPUNS = nil
		}
	}
}

// cpu reports whether costs are CPU time. Else they are time by the clock, as the system does not tell that of each turn.
func (r *Result) cpu() bool {
	figures := 0
	for _, s := range r.Series {
		if len(s.CPUNS) < len(s.ClockNS) {
			return false
		}
		figures += len(s.CPUNS)
	}
	return figures > 0
}

func (r *Result) clock() string {
	if r.cpu() {
		return "CPU time"
	}
	return "time by the clock"
}

func (r *Result) find(task, peer string, all bool) *Series {
	i := slices.IndexFunc(r.Series, func(s *Series) bool { return s.Task == task && s.Peer == peer && s.All == all })
	if i < 0 {
		return nil
	}
	return r.Series[i]
}

// get returns a peer's series, nil if it was not measured. On one core all are one.
func (r *Result) get(task peers.Task, p peers.Peer, all bool) *Series {
	if s := r.find(task.Name, p.Name, all && r.Cores > 1); s != nil && s.Error == "" {
		return s
	}
	return nil
}

// failure is why a peer was not measured at a task, "" if it did not fail.
func (r *Result) failure(task, peer string) string {
	if s := r.find(task, peer, false); s != nil {
		return s.Error
	}
	return ""
}

// has reports whether a task was measured with all of the peers.
func (r *Result) has(task peers.Task, list ...peers.Peer) bool {
	return !slices.ContainsFunc(list, func(p peers.Peer) bool { return r.get(task, p, false) == nil || r.get(task, p, true) == nil })
}

// costs returns what a peer's operations cost round by round in ns, all cores added up: CPU time, or time by the clock on
// each core if CPU time is not told. All series are of one clock.
func (r *Result) costs(task peers.Task, p peers.Peer, all bool) []float64 {
	s := r.get(task, p, all)
	switch {
	case r.cpu():
		return s.CPUNS
	case all:
		return measure.Times(s.ClockNS, float64(r.Cores))
	}
	return s.ClockNS
}

// cost is the median of the costs.
func (r *Result) cost(task peers.Task, p peers.Peer, all bool) *measure.Sample {
	return measure.Of(r.costs(task, p, all)...)
}

// ratios are a peer's costs on one core to another's in the same round.
func (r *Result) ratios(task peers.Task, p, base peers.Peer) []float64 {
	return measure.Over(r.costs(task, p, false), r.costs(task, base, false))
}

// gains are how many times as much all cores do as one, round by round, by the clock.
func (r *Result) gains(task peers.Task, p peers.Peer) []float64 {
	return measure.Over(r.get(task, p, false).ClockNS, r.get(task, p, true).ClockNS)
}

// peer returns the peer of a name that is known to be one.
func peer(name string) peers.Peer {
	all := peers.All()
	return all[slices.IndexFunc(all, func(p peers.Peer) bool { return p.Name == name })]
}
