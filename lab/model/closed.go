// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The closed forms that the simulation is tested against.

// Repairman is the machine repairman, M/M/1//n: n threads with exponential work and section times of those means in ns
// and one FIFO lock that costs nothing. It returns the draws a second and the share of the threads' time spent waiting.
//
// It is exact mean value analysis: who arrives finds what n-1 threads alone would have there on average.
func Repairman(n int, section, work float64) (perSecond, waiting float64) {
	x, there := 0.0, 0.0 // draws a ns; threads that wait or draw
	for i := 1; i <= n; i++ {
		response := section * (1 + there)
		x = float64(i) / (response + work)
		there = x * response
	}
	return 1e9 * x, (there - float64(x*section)) / float64(n)
}

// Fixed is the same with constant times, D/D/1: the threads fall into a rhythm in which either nobody waits or the lock
// is never free.
func Fixed(n int, section, work float64) (perSecond, waiting float64) {
	x := min(float64(n)/(section+work), 1/section)
	return 1e9 * x, 1 - float64(x*(section+work))/float64(n)
}

// A Form is a run beside its closed form.
type Form struct {
	Threads   int     `json:"threads"`
	Fixed     bool    `json:"fixed"` // constant times, else exponential
	PerSecond float64 `json:"draws_per_s"`
	Waiting   float64 `json:"waiting"`

	FormPerSecond float64 `json:"form_draws_per_s"`
	FormWaiting   float64 `json:"form_waiting"`
}

// forms runs a lock that costs nothing with 1 to 144 threads of the patch's machine; 21 keep it busy.
func (s *study) forms() (list []Form) {
	const section, work = 1000, 20000
	for _, fixed := range []bool{false, true} {
		for _, n := range []int{1, 2, 8, 21, 36, 72, 144} {
			c := Config{Sockets: 1, Cores: n, Threads: 1, Lock: MCS, Section: section, Work: work, Fixed: fixed,
				Draws: s.o.Draws, Seed: s.o.Seed}
			run := s.runs([]Config{c})[0]
			f := Form{Threads: n, Fixed: fixed, PerSecond: run.PerSecond, Waiting: run.Waiting}
			form := Repairman
			if fixed {
				form = Fixed
			}
			f.FormPerSecond, f.FormWaiting = form(n, section, work)
			list = append(list, f)
		}
	}
	return list
}
