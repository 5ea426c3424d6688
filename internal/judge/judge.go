// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package judge says what repeated measurements allow to say. Every verdict of the program and of the benchmarks on which
// of two things is cheaper, or whether a bar is held, is one of this package's, so that all of them keep one promise: of
// the verdicts that are given together, at most [Level] of the sets hold one that is false where nothing differs.
//
// Rounds that follow each other share what the machine did meanwhile, so they are no independent witnesses. They are
// put into [Runs]; each run gives one figure, the median of its rounds, and the [Estimate] is the mean of the runs'
// figures, with Student's interval over the runs. What makes runs differ is in it, and so is what makes rounds differ.
// Several verdicts are a [Family], corrected by Holm's procedure.
//
// The premises: runs are independent, and their figures lie symmetrically around the true one. What stays the same
// in all runs of a process, such as where the linker has put the code, no number of runs shows.
package judge

import (
	"cmp"
	"math"
	"slices"
)

// Level is how often a family of verdicts may hold a false one.
const Level = 0.05

const (
	// LeastRounds is how many rounds a verdict needs: fewer have no 95 % interval of their median either.
	LeastRounds = 6

	mostRuns = 10 // that Split makes
)

// Runs are the values of rounds, by run.
type Runs [][]float64

// Split puts the values of rounds, in their order, into 10 runs of lengths as equal as can be. Up to 10 rounds are a run
// each.
func Split(rounds []float64) Runs {
	n := min(len(rounds), mostRuns)
	r := make(Runs, n)
	for i := range r {
		r[i] = rounds[i*len(rounds)/n : (i+1)*len(rounds)/n]
	}
	return r
}

// Every puts the values of rounds, in their order, into runs of so many rounds; the last may have fewer.
func Every(rounds []float64, n int) Runs { return slices.Collect(slices.Chunk(rounds, n)) }

// rounds is how many there are in all.
func (r Runs) rounds() (n int) {
	for _, run := range r {
		n += len(run)
	}
	return n
}

// figures are the medians of the runs.
func (r Runs) figures() []float64 {
	f := make([]float64, len(r))
	for i, run := range r {
		f[i] = median(run)
	}
	return f
}

// Estimate is what the runs say together. Where a figure is no finite number, as where something was divided by 0, that is
// nothing.
func (r Runs) Estimate() Estimate {
	figures := r.figures()
	e := Estimate{Center: mean(figures), free: float64(len(r) - 1)}
	e.err = math.Sqrt(variance(figures) / float64(len(r)))
	e.none = r.rounds() < LeastRounds || len(r) < 3 || math.IsNaN(e.err) || math.IsInf(e.err, 0)
	return e
}

// Wide reports whether the spread between runs is larger than within them: then more rounds in the same runs would
// say nothing more, and more runs are needed. Both are standard deviations; that between is what is left when the part
// that the rounds within explain is taken off. Runs of one round never are.
func (r Runs) Wide() bool {
	within, free := 0.0, 0
	for _, run := range r {
		within += variance(run) * float64(len(run)-1)
		free += len(run) - 1
	}
	if free == 0 || len(r) < 3 {
		return false
	}
	within /= float64(free)
	each := float64(r.rounds()) / float64(len(r))
	return variance(r.figures())-within/each > within
}

// An Estimate is a figure and how sure it is.
type Estimate struct {
	Center float64

	err  float64 // standard error
	free float64 // degrees of freedom
	none bool    // there is no interval
}

// Interval holds the true figure with 95 %. With fewer than [LeastRounds] rounds or 3 runs, or with a figure that is no
// finite number, there is none, and ok is false.
func (e Estimate) Interval() (low, high float64, ok bool) {
	if e.none {
		return math.NaN(), math.NaN(), false
	}
	half := e.err * quantile(e.free, 1-Level/2)
	return e.Center - half, e.Center + half, true
}

// P is how likely an estimate as far from x as this one is where x is the true figure; 1 without an interval.
func (e Estimate) P(x float64) float64 {
	switch off := math.Abs(e.Center - x); {
	case e.none || math.IsNaN(off):
		return 1
	case off == 0:
		return 1
	case e.err == 0:
		return 0
	default:
		return tails(off/e.err, e.free)
	}
}

// A Verdict is whether an estimate lies above or below a bar.
type Verdict struct {
	Estimate
	Bar  float64
	Sure bool // it does not lie on the bar by chance
}

// Above reports whether the figure is above the bar for sure.
func (v *Verdict) Above() bool { return v.Sure && v.Center > v.Bar }

// Below reports whether the figure is below the bar for sure.
func (v *Verdict) Below() bool { return v.Sure && v.Center < v.Bar }

// A Family is verdicts that are given together.
type Family struct{ all []*Verdict }

// Add adds a comparison with a bar. Its verdict stands when [Family.Decide] has been called, and is unsure until then.
func (f *Family) Add(e Estimate, bar float64) *Verdict {
	v := &Verdict{Estimate: e, Bar: bar}
	f.all = append(f.all, v)
	return v
}

// Len is how many comparisons there are.
func (f *Family) Len() int { return len(f.all) }

// Decide gives the verdicts, by S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
// Statistics 6, 1979: the least p of m must not exceed Level/m, the next one Level/(m-1), and so on to the first that does.
func (f *Family) Decide() {
	type ranked struct {
		p float64
		*Verdict
	}
	sorted := make([]ranked, len(f.all))
	for i, v := range f.all {
		sorted[i] = ranked{v.P(v.Bar), v}
	}
	slices.SortStableFunc(sorted, func(a, b ranked) int { return cmp.Compare(a.p, b.p) })
	for i, v := range sorted {
		if v.p > Level/float64(len(sorted)-i) {
			return
		}
		v.Sure = true
	}
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	switch n := len(s); {
	case n == 0:
		return math.NaN()
	case n%2 == 0:
		return (s[n/2-1] + s[n/2]) / 2
	default:
		return s[n/2]
	}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// variance is that of a sample, 0 of fewer than two values.
func variance(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	m, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return sum / float64(len(values)-1)
}
