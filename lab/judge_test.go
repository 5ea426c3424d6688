// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"fount/internal/judge"
	"fount/internal/judge/equal"
)

// The places of the interval's lower end in a table of the sign test, for 95 %, by number of rounds.
func TestOrderInterval(t *testing.T) {
	for n, place := range map[int]int{6: 1, 8: 1, 9: 2, 12: 3, 15: 4, 17: 5, 20: 6, 25: 8, 31: 10} {
		rounds := make([]float64, n)
		for i, k := range rand.Perm(n) {
			rounds[i] = float64(k + 1)
		}
		f := Of(rounds...)
		if f.Low == nil || *f.Low != float64(place) || *f.High != float64(n+1-place) || f.Value != float64(n+1)/2 {
			t.Errorf("%d rounds: %+v, want the places %d and %d", n, f, place, n+1-place)
		}
	}
	if f := Of(1, 2, 3, 4, 5); f.Low != nil || f.High != nil {
		t.Errorf("five rounds have an interval: %+v", f)
	}
	for _, odd := range []float64{math.NaN(), math.Inf(1)} {
		if f := Of(1, 2, odd); f != nil {
			t.Errorf("a figure with %v in it: %+v", odd, f)
		}
	}
}

// equals is two groups of methods that cost the same on a machine, with a second pass where the first was wide.
func equals(m equal.Machine, rng *rand.Rand) []Group {
	const rows = 7
	groups := make([]Group, 2)
	for i := range groups {
		groups[i] = Group{Pass: usualRounds, Columns: []Column{{Unit: "ns/op", Judged: true}, {Unit: "core-ns/op", Judged: true}}, Rows: make([]Row, rows)}
		for k := range groups[i].Rows {
			groups[i].Rows[k].Figures = []*Figure{{}, {}}
		}
	}
	pass := func(of func(*Group) bool) {
		for c := range 2 {
			for k, rounds := range m.Rounds(rng, len(groups)*rows, usualRounds, leastRound/(2*rows), true) {
				if g := &groups[k/rows]; of(g) {
					f := g.Rows[k%rows].Figures[c]
					for _, v := range rounds {
						f.Rounds = append(f.Rounds, 100*v)
					}
				}
			}
		}
	}
	pass(func(*Group) bool { return true })
	wide := map[*Group]bool{&groups[0]: groups[0].wide(), &groups[1]: groups[1].wide()}
	pass(func(g *Group) bool { return wide[g] })
	return groups
}

// Of results on methods that cost the same, at most one in twenty says of any that it does not. Each ratio judged by itself, the
// control, does so in more.
func TestEqualMethods(t *testing.T) {
	now := func(m equal.Machine, rng *rand.Rand) []bool {
		groups := equals(m, rng)
		decide(groups)
		return []bool{anyIs(groups, func(v *Verdict) bool { return v.Is != Undecided })}
	}
	was := func(m equal.Machine, rng *rand.Rand) []bool {
		groups := equals(m, rng)
		decide(groups)
		return []bool{anyIs(groups, func(v *Verdict) bool { return *v.Ratio.Low > 1 || *v.Ratio.High < 1 })}
	}
	equal.Test(t, os.Getenv("FOUNT_LONG") == "1", []string{"fount bench: any ratio"}, now, was)
}

func anyIs(groups []Group, is func(*Verdict) bool) bool {
	for _, g := range groups {
		for _, r := range g.Rows {
			for _, v := range r.Verdicts {
				if v != nil && is(v) {
					return true
				}
			}
		}
	}
	return false
}

// A row that costs 5 % less is told on a quiet machine, beside 13 that cost the same; where other programs run nothing by the
// clock is; and of five rounds nothing is.
func TestUnequalMethods(t *testing.T) {
	const trials = 100
	quiet := equal.Machines()[0]
	cheaper := func(g []Group) Row {
		r := &g[1].Rows[5]
		for k := range r.Figures[0].Rounds {
			r.Figures[0].Rounds[k] *= 0.95
		}
		return *r
	}
	told := equal.Count(trials, 1, quiet, func(m equal.Machine, rng *rand.Rand) []bool {
		g := equals(m, rng)
		cheaper(g)
		decide(g)
		return []bool{g[1].Rows[5].Verdicts[0].Is == Below}
	})[0]
	if told < trials*9/10 {
		t.Errorf("5 %% less was told in %d of %d trials", told, trials)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	g := equals(quiet, rng)
	g[1].Columns[0].Clock, g[1].Share = true, QuietShare-0.01
	cheaper(g)
	if decide(g); g[1].Rows[5].Verdicts[0].Is != NotJudged || g[1].Rows[5].Verdicts[1].Is == NotJudged {
		t.Error("elapsed time was judged on a busy machine, or core time was not")
	}
	few := []Group{{Columns: []Column{{Judged: true}}, Rows: []Row{{Figures: []*Figure{Of(1, 1, 1, 1, 1)}}, {Figures: []*Figure{Of(2, 2, 2, 2, 2)}}}}}
	if decide(few); few[0].Rows[1].Verdicts[0].Is != NotJudged || few[0].Rows[1].Verdicts[0].Ratio.Value != 2 {
		t.Errorf("five rounds: %+v", few[0].Rows[1].Verdicts[0])
	}
}

// A bar other than 1 is the study's: a row may be below its base and above its bar.
func TestBar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	base := equal.Machines()[0].Rounds(rng, 2, judge.LeastRounds*2, time.Millisecond, true)
	for i := range base[1] {
		base[1][i] *= 0.5
	}
	row := Row{Figures: []*Figure{Of(base[1]...)}, Verdicts: []*Verdict{{Bar: 0.4}}}
	g := []Group{{Columns: []Column{{Unit: "op/s", Judged: true}}, Rows: []Row{{Figures: []*Figure{Of(base[0]...)}}, row}}}
	decide(g)
	if v := g[0].Rows[1].Verdicts[0]; v.Is != Above || v.Bar != 0.4 || math.Abs(v.Ratio.Value-0.5) > 0.02 {
		t.Errorf("half of the base, with a bar of 0.4: %+v", v)
	}
}
