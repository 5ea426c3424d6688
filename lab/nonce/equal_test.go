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
	"fount/lab/measure"

	"golang.org/x/perf/benchmath"
)

// equalRows are rows of methods that cost the same, each figure with the noise of one machine.
func equalRows(m equal.Machine, rng *rand.Rand, methods []measure.Method, rounds int, shuffled bool) []measure.Row {
	rows := make([]measure.Row, len(methods))
	for i, method := range methods {
		rows[i].Name = method.Name
	}
	for k, of := range []func(*measure.Row) **measure.Sample{
		func(r *measure.Row) **measure.Sample { return &r.NS }, func(r *measure.Row) **measure.Sample { return &r.CoreNS },
		func(r *measure.Row) **measure.Sample { return &r.P50NS }, func(r *measure.Row) **measure.Sample { return &r.P99NS },
		func(r *measure.Row) **measure.Sample { return &r.P999NS },
	} {
		for i, values := range m.Rounds(rng, len(methods), rounds, 56*time.Millisecond, shuffled) {
			*of(&rows[i]) = measure.Of(measure.Times(values, 100*float64(k+1))...)
		}
	}
	return rows
}

// equalTrial is one of fount bench nonce --burst.
func equalTrial(m equal.Machine, rng *rand.Rand, shuffled bool) Trial {
	methods := append(Seven(PostParameters()), CryptoRand(), Fount(), Generator(), Strict(), Empty())
	return Trial{Study: Study{Call: noCall}, Cores: 2, Steady: equalRows(m, rng, methods, 10, shuffled), Bursts: equalRows(m, rng, methods, 10, shuffled)}
}

// equalEvidence is one of fount doctor.
func equalEvidence(m equal.Machine, rng *rand.Rand, shuffled bool) Evidence {
	methods := Standard()
	e := Evidence{Workers: []int{1, 2}, Results: make([]measure.Result, len(methods))}
	for i, method := range methods {
		e.Results[i] = measure.Result{Method: method, Costs: make([]*measure.Sample, 2)}
	}
	more := func() {
		for w, workers := range e.Workers {
			for i, values := range m.Rounds(rng, len(methods), 31, 13500*time.Microsecond, shuffled) {
				var made []float64
				if before := e.Results[i].Costs[w]; before != nil {
					made = before.Values
				}
				e.Results[i].Costs[w] = measure.Of(append(made, measure.Times(values, 50/float64(workers))...)...)
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
	seven := func(t Trial) []measure.Row { return measure.Filter(t.Steady, IsOfPost) }
	return []study{
		{
			claims: []string{"doctor: fount pays"},
			now: func(m equal.Machine, rng *rand.Rand) []bool {
				return []bool{Judge(equalEvidence(m, rng, true)).Use != cryptoRand}
			},
			was: func(m equal.Machine, rng *rand.Rand) []bool { return []bool{oldDoctor(equalEvidence(m, rng, false))} },
		},
		{
			claims: []string{"bench nonce: one of the seven is cheaper than Baseline", "bench nonce: a channel wins",
				"bench nonce: some pair of the seven is ordered", "bench nonce: anything at all, in any figure"},
			now: func(m equal.Machine, rng *rand.Rand) []bool {
				t := equalTrial(m, rng, true)
				c := t.Conclude()
				ordered := slices.ContainsFunc(seven(t), func(a measure.Row) bool {
					return slices.ContainsFunc(seven(t), func(b measure.Row) bool { return c.Docket.Costs(a.Name, b.Name) })
				})
				return []bool{c.Ratio != 0 || c.Winner != "", len(c.ChannelWins) > 0, ordered, c.Docket.Any()}
			},
			was: func(m equal.Machine, rng *rand.Rand) []bool {
				t := equalTrial(m, rng, false)
				best, _ := measure.Least(seven(t), measure.Cost)
				base, _ := measure.Find(seven(t), Baseline)
				ordered := oldOrder(seven(t))
				channel := oldChannel(t.Steady) || oldChannel(t.Bursts)
				return []bool{oldDiffers(best.NS, base.NS), channel, ordered, ordered || channel || oldOrder(t.Steady)}
			},
		},
		{
			claims: []string{"bench source, bench password: any ratio"},
			now: func(m equal.Machine, rng *rand.Rand) []bool {
				rows := equalRows(m, rng, eleven(), 10, true)
				return []bool{measure.EnterCosts(rows, rows).Any()}
			},
			was: func(m equal.Machine, rng *rand.Rand) []bool {
				return []bool{oldOrder(equalRows(m, rng, eleven(), 10, false))}
			},
		},
	}
}

// eleven are as many methods as the benchmark of integers has.
func eleven() (methods []measure.Method) {
	for i := range 11 {
		methods = append(methods, measure.Method{Name: string(rune('a' + i))})
	}
	return methods
}

// oldDiffers is how two samples were told apart: Mann and Whitney's U with p < 0.05, without a correction.
func oldDiffers(a, b *measure.Sample) bool {
	c := benchmathCompare(a, b)
	return c.P < c.Alpha
}

// oldChannel is whether the best channel beat the best without one in any figure.
func oldChannel(rows []measure.Row) bool {
	for _, c := range contests {
		with, _ := measure.Least(measure.Filter(rows, hasChannels), c.of)
		without, _ := measure.Least(measure.Filter(rows, hasNone), c.of)
		if a, b := c.of(with), c.of(without); oldDiffers(a, b) && a.Median < b.Median {
			return true
		}
	}
	return false
}

// oldOrder is whether any two of the rows were told apart by their costs.
func oldOrder(rows []measure.Row) bool {
	for i, a := range rows {
		for _, b := range rows[:i] {
			if oldDiffers(a.NS, b.NS) {
				return true
			}
		}
	}
	return false
}

// oldDoctor is whether the doctor said to use fount: the interval of order statistics of the savings of 31 rounds, one
// worker or the most, each by itself.
func oldDoctor(e Evidence) bool {
	std, strict, own := e.find(CryptoRand()), e.find(Strict()), e.find(Fount())
	pays := func(a, b measure.Result, i int) bool {
		saving := measure.Minus(a.Costs[i].Values, b.Costs[i].Values)
		return oldLow(saving) > 0 && measure.Of(saving...).Median >= a.Costs[i].Median/100
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
			if r.Method.Name == "fount" || r.Method.Name == strict {
				e.Results[i].Costs = []*measure.Sample{times(r.Costs[0], 0.95), times(r.Costs[1], 0.95)}
			}
		}
		return []bool{Judge(e).Use != cryptoRand}
	})[0]
	if told < trials*9/10 {
		t.Errorf("a saving of 5 %% was found in %d of %d trials", told, trials)
	}
}

// benchmathCompare is benchstat's comparison.
func benchmathCompare(a, b *measure.Sample) benchmath.Comparison {
	return benchmath.AssumeNothing.Compare(perf(a), perf(b))
}

func perf(s *measure.Sample) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(s.Values), &benchmath.DefaultThresholds)
}

// oldLow is the lower end of the interval of order statistics that holds a median with 95 %: of 31 values the tenth.
func oldLow(values []float64) float64 { return slices.Sorted(slices.Values(values))[9] }
