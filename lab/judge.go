// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// What the rounds say together: figures, and verdicts by internal/judge.

import (
	"math"
	"slices"
	"strings"

	"fount/internal/judge"
)

// QuietShare is the least part of the cores' time that the control has to have had for elapsed times to be judged. Below,
// they tell of other programs.
const QuietShare = 0.9

// Of is the figure of some rounds; nil of none, and where one of them is no finite number.
func Of(rounds ...float64) *Figure {
	if len(rounds) == 0 || slices.ContainsFunc(rounds, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil
	}
	sorted := slices.Sorted(slices.Values(rounds))
	n := len(sorted)
	f := &Figure{Value: (sorted[(n-1)/2] + sorted[n/2]) / 2, Rounds: rounds}
	if k := rank(n); k >= 0 {
		f.Low, f.High = &sorted[k], &sorted[n-1-k]
	}
	return f
}

// Once is a figure that was counted or computed once; nil where it is no finite number.
func Once(v float64) *Figure {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &Figure{Value: v}
}

// rank is the place from either end, of n sorted values, that holds the median between them with 95 %; -1 if none does. Below
// the k-th of n values lies the median as often as a coin falls k times or less.
func rank(n int) int {
	term, sum := math.Exp2(float64(-n)), 0.0
	for k := range n {
		if sum += term; 2*sum > judge.Level {
			return k - 1
		}
		term *= float64(n-k) / float64(k+1)
	}
	return -1
}

// tick is what a time of 0 ns is taken for: a clock that counts ns can't tell less.
const tick = 0.5

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
func (g *Group) runs(logs []float64) (runs judge.Runs) {
	if g.Pass == 0 {
		return judge.Split(logs)
	}
	for pass := range slices.Chunk(logs, g.Pass) {
		runs = append(runs, judge.Split(pass)...)
	}
	return runs
}

// wide reports whether most rows' ratios to their bases differ more from run to run than within. Of one row that says little:
// by chance it is so in one of eight.
func (g *Group) wide() bool {
	wide, all := 0, 0
	for row := range g.Rows {
		for column, c := range g.Columns {
			if logs := g.logs(row, column); c.Judged && !c.Clock && len(logs) > 0 {
				if all++; g.runs(logs).Wide() {
					wide++
				}
			}
		}
	}
	return 2*wide > all
}

// decide gives all verdicts of the groups at once. A verdict that a row has already keeps its bar.
func decide(groups []Group) {
	var family judge.Family
	var apply []func()
	for i := range groups {
		for row := range groups[i].Rows {
			for column := range groups[i].Columns {
				if f := groups[i].enter(&family, row, column); f != nil {
					apply = append(apply, f)
				}
			}
		}
	}
	family.Decide()
	for _, f := range apply {
		f()
	}
}

// enter enters a row's ratio into the family, if there is one, and returns what writes its verdict down.
func (g *Group) enter(family *judge.Family, row, column int) func() {
	logs, c := g.logs(row, column), g.Columns[column]
	if !c.Judged || len(logs) == 0 {
		return nil
	}
	estimate := g.runs(logs).Estimate()
	ratio := Of(math.Exp(estimate.Center))
	if ratio == nil {
		return nil
	}
	ratio.Rounds = nil
	r := &g.Rows[row]
	r.Verdicts = slices.Grow(r.Verdicts, len(g.Columns))[:len(g.Columns)]
	if r.Verdicts[column] == nil {
		r.Verdicts[column] = &Verdict{Bar: 1}
	}
	v := r.Verdicts[column]
	v.Ratio, v.Is = *ratio, NotJudged
	low, high, ok := estimate.Interval()
	if !ok || c.Clock && 0 < g.Share && g.Share < QuietShare {
		return nil
	}
	low, high = math.Exp(low), math.Exp(high)
	v.Ratio.Low, v.Ratio.High = &low, &high
	is := family.Add(estimate, math.Log(v.Bar))
	return func() {
		switch {
		case is.Below():
			v.Is = Below
		case is.Above():
			v.Is = Above
		default:
			v.Is = Undecided
		}
	}
}
