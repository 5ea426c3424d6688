// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// What the rounds say together. Of the verdicts of a Result, which are given together, at most one
// set in twenty holds one that is false where nothing differs.
//
// Rounds that follow each other share what the machine did meanwhile. They are put into runs; each
// run gives one figure, the median of its rounds, and the estimate is the mean of these, with
// Student's interval, which holds what makes runs differ and what makes rounds differ. The
// premises: runs are independent, and their figures lie symmetrically around the true one. What
// stays the same in all runs, as where the linker put the code, no number of them shows.

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

const (
	// QuietShare is the least part of the cores' time that the control has to have had for elapsed
	// times to be judged. Below, they tell of other programs.
	QuietShare = 0.9
	// LeastRounds is how many rounds a verdict needs, and a 95 % interval of their median.
	LeastRounds = 6

	level    = 0.05 // how often a set of verdicts may hold a false one
	mostRuns = 10
	tick     = 0.5 // what a time of 0 ns is taken for: a clock that counts ns can't tell less
)

// Of is the figure of some rounds; nil of none, and where one of them is no finite number.
func Of(rounds ...float64) *Figure {
	if len(rounds) == 0 || slices.ContainsFunc(rounds, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil
	}
	sorted := slices.Sorted(slices.Values(rounds))
	f := &Figure{Value: median(sorted), Rounds: rounds}
	if k := rank(len(sorted)); k >= 0 {
		f.Low, f.High = &sorted[k], &sorted[len(sorted)-1-k]
	}
	return f
}

// Once is a figure that was counted or computed once; nil where it is no finite number.
func Once(v float64) *Figure {
	f := Of(v)
	if f != nil {
		f.Rounds = nil
	}
	return f
}

func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// rank is the place from either end, of n sorted values, that holds the median between them with 95
// %; -1: none. Below the k-th lies the median as often as n coins show k heads at most.
func rank(n int) int {
	term, sum := math.Exp2(float64(-n)), 0.0
	for k := range n {
		if sum += term; 2*sum > level {
			return k - 1
		}
		term *= float64(n-k) / float64(k+1)
	}
	return -1
}

// Wilson is the 95 % interval of a share that is p among n samples (Wilson, 1927). n need not be
// whole: samples of unequal weight tell as much as fewer of equal weight.
func Wilson(p, n float64) (low, high float64) {
	if !(n >= 0.5) || math.IsNaN(p) { // nothing is told: one sample is 1, but for rounding
		return 0, 1
	}
	const z = 1.96
	p = max(0, min(p, 1)) // sums round
	center := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, min(p, (center-half)/(1+z*z/n))), min(1, max(p, (center+half)/(1+z*z/n))) // with p
}

// runs are the values of rounds, by run.
type runs [][]float64

// split puts rounds, in their order, into 10 runs as equal as can be; up to 10 are a run each.
func split(rounds []float64) runs {
	r := make(runs, min(len(rounds), mostRuns))
	for i := range r {
		r[i] = rounds[i*len(rounds)/len(r) : (i+1)*len(rounds)/len(r)]
	}
	return r
}

// medians are the figures of the runs.
func (r runs) medians() []float64 {
	list := make([]float64, len(r))
	for i, run := range r {
		list[i] = median(slices.Sorted(slices.Values(run)))
	}
	return list
}

// rounds is how many there are in all.
func (r runs) rounds() int { return len(slices.Concat(r...)) }

// wide reports whether runs differ more than rounds within them: then not more rounds are needed
// but more runs. Both are standard deviations; from that between runs the part is taken off that
// the rounds within explain. Runs of one round never are wide.
func (r runs) wide() bool {
	within, free := 0.0, r.rounds()-len(r)
	for _, run := range r {
		_, v := spread(run)
		within += v * float64(len(run)-1)
	}
	if free == 0 || len(r) < 3 {
		return false
	}
	within /= float64(free)
	_, between := spread(r.medians())
	return between-within*float64(len(r))/float64(r.rounds()) > within
}

// spread is the mean of a sample, and its variance, which is 0 of fewer than two values.
func spread(values []float64) (mean, variance float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		variance += (v - mean) * (v - mean)
	}
	return mean, variance / float64(max(1, len(values)-1))
}

// An estimate is a figure and how sure it is.
type estimate struct {
	center float64
	err    float64 // standard error
	free   int     // degrees of freedom; 0: it says nothing
}

func (r runs) estimate() (e estimate) {
	center, variance := spread(r.medians())
	e.center, e.err = center, math.Sqrt(variance/float64(len(r)))
	if r.rounds() >= LeastRounds && len(r) >= 3 && !math.IsNaN(e.err) && !math.IsInf(e.err, 0) {
		e.free = len(r) - 1
	}
	return e
}

// interval holds the true figure with 95 %.
func (e estimate) interval() (low, high float64) {
	half := e.err * critical(e.free)
	return e.center - half, e.center + half
}

// p is how likely an estimate as far from x as this one is where x is the true figure.
func (e estimate) p(x float64) float64 {
	switch off := math.Abs(e.center - x); {
	case e.free == 0 || off == 0:
		return 1
	case e.err == 0:
		return 0
	default:
		return tails(off/e.err, e.free)
	}
}

// tails is how likely Student's t lies beyond ±x (Abramowitz and Stegun, 26.7.3 and 26.7.4).
func tails(x float64, free int) float64 {
	theta := math.Atan(x / math.Sqrt(float64(free)))
	sin, cos := math.Sincos(theta)
	sum, term := 0.0, 1.0
	if free%2 == 1 {
		term = cos
	}
	for k := free % 2; k <= free-2; k += 2 {
		sum += term
		term *= cos * cos * float64(k+1) / float64(k+2)
	}
	if free%2 == 1 {
		return max(0, 1-2/math.Pi*(theta+sin*sum))
	}
	return max(0, 1-sin*sum)
}

// critical is the t beyond which, on both sides, lies one in twenty.
func critical(free int) float64 {
	low, high := 0.0, 16.0 // 12.7 of one degree
	for range 60 {
		if mid := (low + high) / 2; tails(mid, free) > level {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// logs are the logarithms of a row's ratio to its base, round by round.
func (g *Group) logs(row, column int) []float64 {
	r := g.Rows[row]
	a, b := figure(r, column), figure(g.Rows[r.Base], column)
	if r.Base == row || a == nil || b == nil {
		return nil
	}
	least := 0.0
	if strings.HasSuffix(g.Columns[column].Unit, "ns/op") {
		least = tick
	}
	list := make([]float64, min(len(a.Rounds), len(b.Rounds)))
	for i := range list {
		list[i] = math.Log(max(a.Rounds[i], least) / max(b.Rounds[i], least))
	}
	return list
}

// figure is nil where the row has none.
func figure(r Row, column int) *Figure {
	if column >= len(r.Figures) {
		return nil
	}
	return r.Figures[column]
}

// runs splits each pass by itself.
func (g *Group) runs(logs []float64) (all runs) {
	for pass := range slices.Chunk(logs, cmp.Or(g.Pass, len(logs))) {
		all = append(all, split(pass)...)
	}
	return all
}

// wide reports whether most rows' ratios to their bases differ more from run to run than within. Of
// one row that says little: by chance it is so in one of eight.
func (g *Group) wide() bool {
	wide, all := 0, 0
	for row := range g.Rows {
		for column, c := range g.Columns {
			if logs := g.logs(row, column); c.Judged && !c.Clock && len(logs) > 0 {
				if all++; g.runs(logs).wide() {
					wide++
				}
			}
		}
	}
	return 2*wide > all
}

// A claim is that a ratio differs from its bar.
type claim struct {
	*Verdict
	p float64
}

// decide gives all verdicts of the groups at once, by S. Holm, A Simple Sequentially Rejective
// Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979: the least p of m must not
// exceed level/m, the next one level/(m-1), and so on to the first that does.
func decide(groups []Group) {
	var claims []claim
	for i := range groups {
		for row := range groups[i].Rows {
			for column := range groups[i].Columns {
				claims = groups[i].claim(claims, row, column)
			}
		}
	}
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(a.p, b.p) })
	for i, c := range claims {
		if c.p > level/float64(len(claims)-i) {
			return
		}
		if c.Is = Below; c.Ratio.Value > c.Bar {
			c.Is = Above
		}
	}
}

// claim adds that on a row's ratio, if there is one. A verdict that is there keeps its bar.
func (g *Group) claim(claims []claim, row, column int) []claim {
	logs, c := g.logs(row, column), g.Columns[column]
	if !c.Judged || len(logs) == 0 {
		return claims
	}
	e := g.runs(logs).estimate()
	ratio := Once(math.Exp(e.center))
	if ratio == nil {
		return claims
	}
	r := &g.Rows[row]
	r.Verdicts = slices.Grow(r.Verdicts, len(g.Columns))[:len(g.Columns)]
	if r.Verdicts[column] == nil {
		r.Verdicts[column] = &Verdict{Bar: 1}
	}
	v := r.Verdicts[column]
	v.Ratio, v.Is = *ratio, NotJudged
	if e.free == 0 || c.Clock && 0 < g.Share && g.Share < QuietShare {
		return claims
	}
	low, high := e.interval()
	low, high = math.Exp(low), math.Exp(high)
	v.Ratio.Low, v.Ratio.High, v.Is = &low, &high, Undecided
	return append(claims, claim{v, e.p(math.Log(v.Bar))})
}
