// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package doctor examines a machine: what it has, what random values and password hashes cost on it, and what to do about
// that.
//
//	doctor.go     what is measured, and the run
//	result.go     the result
//	findings.go   what stands between the kernel and the generators
//	passwords.go  the section on passwords
//	text.go       the other sections for a terminal
package doctor

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"fount"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/show"
	"fount/pool"
)

// An Examination says what is measured, and how.
type Examination struct {
	Inspect   func() machine.Facts
	Probes    [2]measure.Method // getrandom as Go calls it, and by plain system call
	Glance    measure.Plan      // for the probes, before the first section
	Methods   []measure.Method  // for the table
	Plan      measure.Plan
	Passwords PasswordPlan
}

// New returns the usual examination of this machine.
func New() Examination {
	x := Examination{
		Inspect:   machine.Inspect,
		Probes:    [2]measure.Method{nonce.AsGo(), nonce.Getrandom()},
		Glance:    measure.Plan{Rounds: 5, Turn: time.Millisecond, Warmup: time.Millisecond / 4, Workers: []int{1}},
		Methods:   nonce.Standard(),
		Plan:      nonce.Examination(),
		Passwords: usualPasswordPlan,
	}
	if all := min(runtime.GOMAXPROCS(0), runtime.NumCPU()); all > 1 {
		x.Plan.Workers = append(x.Plan.Workers, all)
	}
	return x
}

// Run examines. It passes each section, laid out for s, to print as soon as its figures are there, and returns the first
// error of print. A nil line shows no progress.
func (x Examination) Run(s show.Style, print func(section string) error, line *show.Progress) (*Result, error) {
	r := &Result{Machine: x.Inspect()}
	if r.Machine.Random.Usable() {
		r.Machine.Random.VDSONS, r.Machine.Random.SyscallNS = x.getrandom()
	}
	if r.Machine.Random.Usable() {
		pool.Feed() // so that there are pools
	}
	r.Status = fount.Status()
	r.Findings = append(r.Machine.Findings(), pools(r.Status), clones(r.Status))
	r.Problems = len(r.ProblemNames())
	if err := print(machineText(r.Findings, s)); err != nil {
		return nil, err
	}
	r.Randomness, r.Verdict = x.randomness(r.Machine, r.Status, line)
	if err := print(r.Randomness.text(s) + verdictText(r.Verdict, s)); err != nil {
		return nil, err
	}
	if !r.Machine.Random.Usable() { // a salt is wanted
		return r, nil
	}
	r.Passwords = x.Passwords.measure(line)
	return r, print(r.Passwords.text(s))
}

// randomness measures the methods and judges. Where random bytes can't be had, asking for them would block or stop the
// program, so it does not.
func (x Examination) randomness(facts machine.Facts, status fount.StatusReport, line *show.Progress) (Randomness, nonce.Verdict) {
	r := Randomness{
		Rounds: x.Plan.Rounds,
		TurnMS: float64(x.Plan.Turn) / float64(time.Millisecond),
		Clock:  "elapsed",
		Cores:  x.Plan.Workers[len(x.Plan.Workers)-1],

		Methods: []Method{}, // [], not null
	}
	if x.Plan.CPU != nil {
		r.Clock = "cpu"
	}
	if !facts.Random.Usable() {
		return r, nonce.Verdict{Use: "none", Sentences: []string{"Nothing was measured: mend the problem above first."}}
	}
	results := x.measure(line)
	r.Methods = methods(results)
	for _, m := range results {
		if m.Err == nil {
			r.Rounds = len(m.Costs[0].Values) // twice as many as planned where runs differed more than their rounds
		}
	}
	return r, nonce.Judge(nonce.Evidence{
		Workers: x.Plan.Workers,
		Results: results,
		Syscall: facts.Random.Getrandom == machine.Ready && !facts.Random.Faster() && !facts.FIPS,
		Window:  window(status),
	})
}

// getrandom measures the probes, in ns per 16 bytes; 0 where there is none. The least of some turns is what a call costs.
func (x Examination) getrandom() (asGo, syscall float64) {
	results := x.Glance.Run(x.Probes[:], nil)
	if results[0].Err != nil || results[1].Err != nil {
		return 0, 0
	}
	return results[0].Costs[0].Min(), results[1].Costs[0].Min()
}

// measure runs the plan and shows how far it is.
func (x Examination) measure(line *show.Progress) []measure.Result {
	defer line.Clear()
	return x.Plan.Run(x.Methods, func(done, all int) {
		left := x.Plan.Time(len(x.Methods)) * time.Duration(all-done) / time.Duration(all)
		line.Show(fmt.Sprintf("measuring %d methods in turns: %d %%, %.0f s left", len(x.Methods), 100*done/all, math.Ceil(left.Seconds())))
	})
}
