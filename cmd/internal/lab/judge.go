// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// Verdicts from the rounds, by the sign test on the judged column. If nothing differs, at most one
// table in twenty has a false verdict (Bonferroni), for any distribution of the rounds if they are
// independent. No number of rounds shows an influence that is the same in all of them, such as
// where the linker put the code.

import (
	"math"
	"slices"

	"fount/cmd/internal/lab/show"
)

const (
	// Rounds is the usual number of rounds of a table that is judged.
	Rounds = 16
	// MinRounds is how many rounds the 95 % interval of a median needs.
	MinRounds = 6

	// ContendShare is [measure.QuietShare] for methods whose goroutines contend. Beside other
	// programs they meet less often, and look cheaper.
	ContendShare = 0.95

	level = 0.05 // the share of tables that may have a false verdict
)

// Of returns the figure of rounds. It is nil if there are none, or if one is no finite number.
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

// Once returns the figure of a value that was counted or computed once. It is nil if v is no finite
// number.
func Once(v float64) *Figure {
	f := Of(v)
	if f != nil {
		f.Rounds = nil
	}
	return f
}

// agree is how many of n rounds must agree for one of so many rows to be told from its base: so
// many of n coins fall on one side less often than level by the number of rows. It is n+1 if even
// all n do so more often.
func agree(n, rows int) int {
	log, sum := -float64(n)*math.Ln2, 0.0 // of the binomial term, which is 0 from 1075 rounds on

	for k := range n {
		sum += math.Exp(log)
		if 2*sum > level/float64(rows) {
			return n + 1 - k
		}
		log += math.Log(float64(n-k) / float64(k+1))
	}
	return n + 1
}

// Wilson returns the 95 % interval of a share that is p among n samples (Wilson, 1927). n need not
// be whole: samples of unequal weight count as fewer samples of equal weight.
func Wilson(p, n float64) (low, high float64) {
	if !(n >= 0.5) || math.IsNaN(p) { // no sample: a whole one is 1, but for rounding
		return 0, 1
	}
	const z = 1.96
	p = max(0, min(p, 1)) // sums round
	center := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, min(p, (center-half)/(1+z*z/n))), min(1, max(p, (center+half)/(1+z*z/n))) // with p
}

// Fewer returns how many times the row's figure the base's is, as Times does.
func (v *Verdict) Fewer() string {
	if v == nil {
		return "-"
	}
	inverse := *v
	inverse.Ratio.Value = 1 / v.Ratio.Value
	return inverse.Times()
}

// figure returns the row's figure in the column, or nil if it has none.
func figure(r Row, column int) *Figure {
	if column >= len(r.Figures) {
		return nil
	}
	return r.Figures[column]
}

// judged returns the index of the judged column, or -1 if there is none.
func (g *Group) judged() int {
	return slices.IndexFunc(g.Columns, func(c Column) bool { return c.Judged })
}

// judge sets the verdicts of all rows.
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

// Quiet reports whether other programs left enough CPU time to compare. CPU time of one goroutine
// is compared beside other programs too, as the rows take turns.
func (g *Group) Quiet() bool {
	clock := func(c Column) bool { return c.Clock }
	switch column := g.judged(); {
	case g.Contends:
		return g.Share >= ContendShare
	case column >= 0 && !clock(g.Columns[column]), column < 0 && !slices.ContainsFunc(g.Columns, clock):
		return true
	default:
		return g.Share.Quiet()
	}
}

// Tells reports whether the figures of a column may be compared.
func (g *Group) Tells(column int) bool {
	c := g.Columns[column]
	if c.Judged && !g.Quiet() {
		return false
	}
	return !c.Clock || g.Share.Quiet()
}

// Times returns the ratio for a reader: - if it was not judged, ~ if undecided.
func (v *Verdict) Times() string {
	switch {
	case v == nil || v.Is == NotJudged:
		return "-"
	case v.Is == Undecided:
		return "~"
	default:
		return show.Figure(v.Ratio.Value, "")
	}
}
