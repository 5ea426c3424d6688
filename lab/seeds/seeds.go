// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package seeds shows how often two clients begin with the same seed: of 31 bits, as math/rand keeps them, and of the
// clock, read by goroutines and processes that start together. It is the post "A Tale of Two rands" (2017), tried.
//
// birthday.go computes, trial.go seeds math/rand, clock.go reads clocks, process.go is one process, text.go prints.
package seeds

import (
	"context"
	"fmt"

	"fount/lab/show"
)

// Options are what can be chosen.
type Options struct {
	Seedings int               // clients that seed in the trials of a row
	Procs    int               // that start together
	Rounds   int               // of starts
	Program  []string          // the command that runs Process
	Progress func(line string) // told how far it is
}

// A Result is what came out.
type Result struct {
	Trials     []Trial  `json:"trials"`
	Places     []Place  `json:"places"`
	Conclusion []string `json:"conclusion"`
}

// Run tries the seeds. When ctx ends it kills its processes and returns ctx's error.
func Run(ctx context.Context, o Options) (r Result, err error) {
	for _, clients := range []int{10_000, 54_600} { // the one that hurts, and the one for even odds
		t, err := try(ctx, clients, max(1, o.Seedings/clients), o.Progress)
		if err != nil {
			return r, err
		}
		r.Trials = append(r.Trials, t)
	}
	if r.Places, err = o.places(ctx); err != nil {
		return r, err
	}
	r.conclude()
	return r, nil
}

func (r *Result) conclude() {
	for _, t := range r.Trials {
		verdict := "within"
		if t.Computed < t.Low || t.Computed > t.High {
			verdict = "outside"
		}
		r.Conclusion = append(r.Conclusion, fmt.Sprintf("%s clients with seeds of 31 bits collide with probability %s, computed, which is %s the trials' interval of %s to %s.",
			show.Count(int64(t.Clients)), percent(t.Computed), verdict, percent(t.Low), percent(t.High)))
	}
	r.Conclusion = append(r.Conclusion, fmt.Sprintf("Even odds take %s clients with 31 bits, and %.1e with the 128 of package seeded.",
		show.Count(int64(Half(states31))), Half(states128)))
	for _, p := range r.Places {
		if p.Seeds > 0 {
			r.Conclusion = append(r.Conclusion, p.sentence())
		}
	}
}
