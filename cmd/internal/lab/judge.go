// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// When a ratio counts. Each row is compared with its base, round by round, on the judged column, by
// the sign test:
//
//	at least Group.Agree rounds agree        Below or Above   shown as the ratio
//	fewer do                                 Undecided        ~
//	there are too few rounds, or other       NotJudged        -
//	programs took the cores (Group.Quiet)
//
// [Verdict.Times] writes the mark. The first screen of a report's page has ? in place of -, and of
// what the process had too small a share of the cores for (finding.answer in package page).
//
// If nothing differs, at most one table in twenty has a false verdict (Bonferroni), for any
// distribution of the rounds if they are independent. No number of rounds shows an influence that
// is the same in all of them, such as where the linker put the code.

import (
	"math"
	"slices"

	"fount/cmd/internal/lab/show"
)

const (
	// Rounds is the usual number of rounds of a table that is judged.
	Rounds = 16
	// MinRounds is how many rounds a verdict on one row needs, and the 95 % interval of a median.
	MinRounds = 6

	// ContendShare is [measure.QuietShare] for methods whose goroutines contend. Beside other
	// programs they meet less often, and look cheaper.
	ContendShare = 0.95

	level = 0.05 // the share of tables that may have a false verdict
)

// judge sets the verdicts of all rows.
func (g *Group) judge() {
	column := g.judged()
	if column < 0 {
		return
	}

	ratios := make(map[int]*Figure) // by row
	for i, r := range g.Rows {
		base := g.Rows[r.Base]
		if ratio := ratioOf(r.figure(column), base.figure(column)); ratio != nil && r.Base != i {
			ratios[i] = ratio
		}
	}

	for i, ratio := range ratios {
		g.Agree = agree(len(ratio.Rounds), len(ratios)) // all have as many
		g.Rows[i].Verdict = g.verdict(ratio)
	}
}

// judged returns the index of the judged column, or -1 if there is none.
func (g *Group) judged() int {
	return slices.IndexFunc(g.Columns, func(c Column) bool { return c.Judged })
}

// ratioOf returns the figure of the rounds' ratios, or nil if the two have no rounds in common.
func ratioOf(own, base *Figure) *Figure {
	if own == nil || base == nil {
		return nil
	}

	var ratios []float64
	for k := range min(len(own.Rounds), len(base.Rounds)) {
		ratios = append(ratios, own.Rounds[k]/base.Rounds[k])
	}
	return Of(ratios...)
}

// verdict returns what the rounds of a ratio say.
func (g *Group) verdict(ratio *Figure) *Verdict {
	v := &Verdict{Ratio: Figure{Value: ratio.Value}, Is: NotJudged}
	low, high := ratio.interval(g.Agree)
	tooFew := low == nil
	if tooFew || !g.Quiet() {
		return v
	}

	v.Ratio.Low = low
	v.Ratio.High = high
	switch {
	case *high < 1:
		v.Is = Below
	case *low > 1:
		v.Is = Above
	default:
		v.Is = Undecided
	}
	return v
}

// agree returns how many of n rounds must agree to tell one row from its base, in a table that
// compares so many rows. Without a difference rounds are coins, and the chance that at least agree
// of n fall on one side is at most level/rows. It is n+1 if even n of n are more likely.
func agree(n, rows int) int {
	tail := 0.0                   // the chance that so many at most are on a given side
	log := -float64(n) * math.Ln2 // of the chance of exactly so many, which is 0 from 1075 rounds on

	for against := range n {
		tail += math.Exp(log)
		if 2*tail > level/float64(rows) { // on either: one fewer may be against
			return n + 1 - against
		}
		log += math.Log(float64(n-against) / float64(against+1))
	}
	return n + 1
}

// Quiet reports whether other programs left enough CPU time to compare rows. How much is enough
// depends on what is judged:
//
//	methods whose goroutines contend   ContendShare
//	elapsed time                       measure.QuietShare
//	CPU time                           any: the rows take turns beside the other programs
func (g *Group) Quiet() bool {
	switch {
	case g.Contends:
		return g.Share >= ContendShare
	case g.judgesClock():
		return g.Share.Quiet()
	}
	return true
}

// judgesClock reports whether the judged column, or any if none is judged, is elapsed time.
func (g *Group) judgesClock() bool {
	if column := g.judged(); column >= 0 {
		return g.Columns[column].Clock
	}
	return slices.ContainsFunc(g.Columns, func(c Column) bool { return c.Clock })
}

// Tells reports whether the figures of a column may be compared.
func (g *Group) Tells(column int) bool {
	c := g.Columns[column]
	if c.Judged && !g.Quiet() {
		return false
	}
	return !c.Clock || g.Share.Quiet()
}

// hasRatios reports whether a row was judged.
func (g *Group) hasRatios() bool {
	return slices.ContainsFunc(g.Rows, func(r Row) bool { return r.Verdict != nil && r.Verdict.Is != NotJudged })
}

// ratio returns the ratio of a row for a reader: 1 for a base, else as Times does.
func (g *Group) ratio(row int) string {
	r := g.Rows[row]
	if r.Base == row && r.figure(g.judged()) != nil {
		return "1"
	}
	return r.Verdict.Times()
}

// Times returns the ratio for a reader: - if it was not judged, ~ if undecided.
func (v *Verdict) Times() string {
	switch {
	case v == nil || v.Is == NotJudged:
		return "-"
	case v.Is == Undecided:
		return "~"
	}
	return show.Figure(v.Ratio.Value, "")
}

// Fewer returns how many times the row's figure the base's is, as Times does.
func (v *Verdict) Fewer() string {
	if v != nil {
		v = &Verdict{Figure{Value: 1 / v.Ratio.Value}, v.Is}
	}
	return v.Times()
}
