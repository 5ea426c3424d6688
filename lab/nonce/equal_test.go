// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The simulation of equal methods: how often doctor and bench say that something differs where nothing does. The judges
// before this one stand beside it, as they were, and must be caught.

package nonce

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"fount/internal/judge/equal"

	"golang.org/x/perf/benchmath"
)

// equalRows are rows of methods that cost the same, each figure with the noise of one machine.
func equalRows(m equal.Machine, rng *rand.Rand, methods []Method, rounds int, shuffled bool) []Row {
	rows := make([]Row, len(methods))
	for i, method := range methods {
		rows[i].Method = method
	}
	for k, of := range []func(*Row) *Sample{
		func(r *Row) *Sample { return &r.Cost }, func(r *Row) *Sample { return &r.Core }, func(r *Row) *Sample { return &r.P50 },
		func(r *Row) *Sample { return &r.P99 }, func(r *Row) *Sample { return &r.P999 },
	} {
		for i, values := range m.Rounds(rng, len(methods), rounds, 56*time.Millisecond, shuffled) {
			*of(&rows[i]) = Sample(values).Times(100 * float64(k+1))
		}
	}
	return rows
}

// equalTrial is one of fount bench nonce --burst.
func equalTrial(m equal.Machine, rng *rand.Rand, shuffled bool) Trial {
	methods := append(Seven(Post()), CryptoRand{}, Fount{}, Generator{}, Strict{}, Empty{})
	return Trial{Cores: 2, Call: "none", Steady: equalRows(m, rng, methods, 10, shuffled), Bursts: equalRows(m, rng, methods, 10, shuffled)}
}

// equalEvidence is one of fount doctor.
func equalEvidence(m equal.Machine, rng *rand.Rand, shuffled bool) Evidence {
	methods := Standard()
	e := Evidence{Workers: []int{1, 2}, Results: make([]Result, len(methods))}
	for i, method := range methods {
		e.Results[i] = Result{Method: method, Costs: make([]Sample, 2)}
	}
	more := func() {
		for w, workers := range e.Workers {
			for i, values := range m.Rounds(rng, len(methods), 31, 13500*time.Microsecond, shuffled) {
				e.Results[i].Costs[w] = append(e.Results[i].Costs[w], Sample(values).Times(50/float64(workers))...)
			}
		}
	}
	if more(); shuffled && again(e.Results) {
		more()
	}
	return e
}

// A study is one measurement of equal methods, and which of its claims were made.
type study struct {
	claims   []string
	now, was func(equal.Machine, *rand.Rand) []bool
}

func studies() []study {
	seven := func(t Trial) []Row { return filter(t.Steady, IsOfPost) }
	return []study{
		{
			claims: []string{"doctor: fount pays"},
			now: func(m equal.Machine, rng *rand.Rand) []bool {
				return []bool{Judge(equalEvidence(m, rng, true)).Use != CryptoRand{}.Name()}
			},
			was: func(m equal.Machine, rng *rand.Rand) []bool { return []bool{oldDoctor(equalEvidence(m, rng, false))} },
		},
		{
			claims: []string{"bench nonce: one of the seven is cheaper than Baseline", "bench nonce: a channel wins",
				"bench nonce: some pair of the seven is ordered", "bench nonce: anything at all, in any figure"},
			now: func(m equal.Machine, rng *rand.Rand) []bool {
				t := equalTrial(m, rng, true)
				c := t.Conclude()
				ordered := slices.ContainsFunc(seven(t), func(a Row) bool {
					return slices.ContainsFunc(seven(t), func(b Row) bool { return c.docket.Costs(a.Method.Name(), b.Method.Name()) })
				})
				return []bool{c.Ratio != 0 || c.Winner != "", len(c.ChannelWins) > 0, ordered, c.docket.any()}
			},
			was: func(m equal.Machine, rng *rand.Rand) []bool {
				t := equalTrial(m, rng, false)
				best, _ := least(seven(t), cost)
				base, _ := find(seven(t), Baseline{}.Name())
				ordered := oldOrder(seven(t))
				channel := oldChannel(t.Steady) || oldChannel(t.Bursts)
				return []bool{oldDiffers(best.Cost, base.Cost), channel, ordered, ordered || channel || oldOrder(t.Steady)}
			},
		},
		{
			claims: []string{"bench source, bench password: any ratio"},
			now: func(m equal.Machine, rng *rand.Rand) []bool {
				return []bool{ConcludeTale(equalRows(m, rng, Tale(), 10, true)).docket.any()}
			},
			was: func(m equal.Machine, rng *rand.Rand) []bool {
				return []bool{oldOrder(equalRows(m, rng, Tale(), 10, false))}
			},
		},
	}
}

// any reports whether any two rows differ.
func (d *Docket) any() bool {
	for _, v := range d.entries {
		if v.Sure {
			return true
		}
	}
	return false
}

// oldDiffers is how two samples were told apart: Mann and Whitney's U with p < 0.05, without a correction.
func oldDiffers(a, b Sample) bool {
	c := benchmathCompare(a, b)
	return c.P < c.Alpha
}

// oldChannel is whether the best channel beat the best without one in any figure.
func oldChannel(rows []Row) bool {
	for _, c := range contests {
		with, _ := least(filter(rows, hasChannels), c.of)
		without, _ := least(filter(rows, hasNone), c.of)
		if a, b := c.of(with), c.of(without); oldDiffers(a, b) && a.Median() < b.Median() {
			return true
		}
	}
	return false
}

// oldOrder is whether any two of the rows were told apart by their costs.
func oldOrder(rows []Row) bool {
	for i, a := range rows {
		for _, b := range rows[:i] {
			if oldDiffers(a.Cost, b.Cost) {
				return true
			}
		}
	}
	return false
}

// oldDoctor is whether the doctor said to use fount: the interval of order statistics of the savings of 31 rounds, one
// worker or the most, each by itself.
func oldDoctor(e Evidence) bool {
	std, strict, own := e.find(CryptoRand{}), e.find(Strict{}), e.find(Fount{})
	pays := func(a, b Result, i int) bool {
		saving := a.Costs[i].Minus(b.Costs[i])
		return oldLow(saving) > 0 && saving.Median() >= a.Costs[i].Median()/100
	}
	if !pays(strict, own, 0) {
		own = strict
	}
	return pays(std, own, 0) || pays(std, own, 1)
}

// TestEqualMethods: of families of verdicts on equal methods, at most judge.Level hold a false one, on each of the
// machines, and the judges as they were are beyond. The seeds are fixed, so the counts are too.
func TestEqualMethods(t *testing.T) {
	for _, s := range studies() {
		equal.Test(t, os.Getenv("FOUNT_LONG") == "1", s.claims, s.now, s.was)
	}
}

// The judge is no wall: methods that differ by 5 % are told apart on a quiet machine in nearly all trials.
func TestUnequalMethods(t *testing.T) {
	const trials = 400
	told := equal.Count(trials, 1, equal.Machines()[0], func(m equal.Machine, rng *rand.Rand) []bool {
		e := equalEvidence(m, rng, true)
		for i, r := range e.Results {
			if r.Method == (Fount{}) || r.Method == (Strict{}) {
				e.Results[i].Costs = []Sample{r.Costs[0].Times(0.95), r.Costs[1].Times(0.95)}
			}
		}
		return []bool{Judge(e).Use != CryptoRand{}.Name()}
	})[0]
	if told < trials*9/10 {
		t.Errorf("a saving of 5 %% was found in %d of %d trials", told, trials)
	}
}

// benchmathCompare is benchstat's comparison.
func benchmathCompare(a, b Sample) benchmath.Comparison {
	return benchmath.AssumeNothing.Compare(a.perf(), b.perf())
}

// oldLow is the lower end of the interval of order statistics that holds a median with 95 %: of 31 values the tenth.
func oldLow(s Sample) float64 { return slices.Sorted(slices.Values(s))[9] }
