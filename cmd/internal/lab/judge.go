// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// What the rounds say together: the sign test, of the column that is judged. Of the verdicts of a
// table at most one set in twenty holds one that is false where nothing differs (Bonferroni),
// whatever the distribution of rounds is, if they are independent. What stays the same in all
// rounds, as where the linker put the code, no number of them shows.

import (
	"math"
	"slices"
)

const (
	// Rounds is how many each row has of a table that is judged.
	Rounds = 16
	// LeastRounds is how many the 95 % interval of a median needs.
	LeastRounds = 6

	// QuietShare is the least part of the cores' time that the control has to have had for elapsed
	// times to be judged. Below, they tell of other programs.
	QuietShare = 0.9
	// ContendShare is that for methods that contend. Beside other programs they meet less often,
	// and look cheaper.
	ContendShare = 0.95

	level = 0.05 // how often the verdicts of a table may hold a false one
)

// Of is the figure of some rounds; nil of none, and where one of them is no finite number.
func Of(rounds ...float64) *Figure {
	if len(rounds) == 0 || slices.ContainsFunc(rounds, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil
	}
	sorted := slices.Sorted(slices.Values(rounds))
	n := len(sorted)
	f := &Figure{Value: (sorted[(n-1)/2] + sorted[n/2]) / 2, Rounds: rounds}
	f.Low, f.High = f.interval(agree(n, 1))
	return f
}

// interval lies between the first and the last of the rounds without which so many agree; nil if
// they are fewer.
func (f *Figure) interval(agree int) (low, high *float64) {
	sorted := slices.Sorted(slices.Values(f.Rounds))
	if agree > len(sorted) {
		return nil, nil
	}
	return &sorted[len(sorted)-agree], &sorted[agree-1]
}

// Once is a figure that was counted or computed once; nil where it is no finite number.
func Once(v float64) *Figure {
	f := Of(v)
	if f != nil {
		f.Rounds = nil
	}
	return f
}

// agree is how many of n rounds must agree for one of so many rows to be told from its base: so many
// of n coins fall on one side less often than level by the number of rows. It is n+1 if even all n
// do so more often.
func agree(n, rows int) int {
	term, sum := math.Exp2(float64(-n)), 0.0
	for k := range n {
		sum += term
		if 2*sum > level/float64(rows) {
			return n + 1 - k
		}
		term *= float64(n-k) / float64(k+1)
	}
	return n + 1
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

// figure is nil where the row has none.
func figure(r Row, column int) *Figure {
	if column >= len(r.Figures) {
		return nil
	}
	return r.Figures[column]
}

// judged is the column that is judged, -1 if none is.
func (g *Group) judged() int {
	return slices.IndexFunc(g.Columns, func(c Column) bool { return c.Judged })
}

// judge gives the verdicts.
func (g *Group) judge() {
	column := g.judged()
	if column < 0 {
		return
	}
	ratios := map[int]*Figure{}
	for i, r := range g.Rows {
		own, base := figure(r, column), figure(g.Rows[r.Base], column)
		if r.Base == i || own == nil || base == nil {
			continue
		}
		var list []float64
		for k := range min(len(own.Rounds), len(base.Rounds)) {
			list = append(list, own.Rounds[k]/base.Rounds[k])
		}
		if f := Of(list...); f != nil {
			ratios[i] = f
		}
	}
	for i, ratio := range ratios {
		g.Agree = agree(len(ratio.Rounds), len(ratios))
		v := &Verdict{Figure{Value: ratio.Value}, NotJudged}
		g.Rows[i].Verdict = v
		if g.Quiet() {
			v.Ratio.Low, v.Ratio.High = ratio.interval(g.Agree)
		}
		switch {
		case v.Ratio.Low == nil:
		case *v.Ratio.High < 1:
			v.Is = Below
		case *v.Ratio.Low > 1:
			v.Is = Above
		default:
			v.Is = Undecided
		}
	}
}

// Quiet reports whether the machine was quiet enough to judge, or is not known.
func (g *Group) Quiet() bool {
	switch column := g.judged(); {
	case g.Share == 0 || column < 0:
		return true
	case g.Contends:
		return g.Share >= ContendShare
	default:
		return g.Share >= QuietShare || !g.Columns[column].Clock
	}
}
