// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"fount/cmd/internal/lab/measure"
)

// How many of 16 coins must agree, by the tails of the binomial distribution: 697, 137, 17 and 1 of
// 65,536 on each side.
func TestAgree(t *testing.T) {
	if got := agree(1100, 1); got != 583 {
		t.Errorf("%d of 1100 rounds must agree, want 583", got)
	}
	for rows, want := range map[int]int{1: 13, 2: 13, 3: 14, 11: 14, 12: 15, 96: 15, 97: 16, 1638: 16, 1639: 17} {
		if got := agree(Rounds, rows); got != want {
			t.Errorf("%d rows: %d of 16 must agree, want %d", rows, got, want)
		}
	}
	if least := agree(MinRounds, 1); least != MinRounds || agree(MinRounds-1, 1) <= MinRounds-1 {
		t.Errorf("%d of the least number of rounds must agree", least)
	}
}

// As many rounds as must agree decide, one fewer do not; and where it is not quiet nothing does.
func TestVerdict(t *testing.T) {
	const busy = measure.QuietShare - 0.01
	for name, test := range map[string]struct {
		rounds   int // usual if 0
		dearer   int // of them; in the others it is cheaper
		clock    bool
		contends bool
		share    measure.Share
		want     string
	}{
		"13 rounds dearer":                  {dearer: 13, share: 0.5, want: Above},
		"12 rounds dearer":                  {dearer: 12, want: Undecided},
		"13 rounds cheaper":                 {dearer: 3, want: Below},
		"12 rounds cheaper":                 {dearer: 4, want: Undecided},
		"five rounds":                       {rounds: 5, dearer: 5, want: NotJudged},
		"elapsed time, quiet":               {dearer: 16, clock: true, share: measure.QuietShare, want: Above},
		"elapsed time, beside programs":     {dearer: 16, clock: true, share: busy, want: NotJudged},
		"elapsed time, share not known":     {dearer: 16, clock: true, want: NotJudged},
		"goroutines, quiet":                 {dearer: 16, clock: true, contends: true, share: ContendShare, want: Above},
		"goroutines, beside a few programs": {dearer: 16, contends: true, share: ContendShare - 0.01, want: NotJudged},
	} {
		t.Run(name, func(t *testing.T) {
			base := make([]float64, cmp.Or(test.rounds, Rounds))
			own := make([]float64, len(base))
			for i := range base {
				base[i] = 1 + rand.Float64()
				own[i] = base[i] / 2
				if i < test.dearer {
					own[i] = base[i] * 2
				}
			}

			g := Group{
				Share:    test.share,
				Contends: test.contends,
				Columns:  []Column{{}, {Judged: true, Clock: test.clock}},
				Rows:     []Row{{Figures: []*Figure{nil, Of(base...)}}, {Figures: []*Figure{nil, Of(own...)}}},
			}
			g.judge()
			if v := g.Rows[1].Verdict; v.Is != test.want || v.Ratio.Value == 0 || (v.Ratio.Low == nil) != (v.Is == NotJudged) {
				t.Errorf("%+v, want %s", v, test.want)
			}
		})
	}
}

// found counts the tables in which some row that costs as much as the base is told from it, and
// those in which a row is that costs 10 and 30 % more.
type found struct{ tables, false, ten, thirty int }

func (f *found) add(g Group) {
	f.tables++
	isWrong := false
	for i, r := range g.Rows[1:] {
		if r.Verdict.Is == Undecided || r.Name == measure.Empty().Name {
			continue
		}
		switch dearer[i] {
		case 1.1:
			f.ten++
		case 1.3:
			f.thirty++
		default:
			isWrong = true
		}
	}
	if isWrong {
		f.false++
	}
}

// limit is how many of the tables may hold a false mark, but once in a million runs.
func (f found) limit() int {
	n := float64(f.tables)
	term := math.Exp(n * math.Log1p(-level))
	for k, sum := 0.0, term; ; k++ {
		if sum >= 1-1e-6 {
			return int(k)
		}
		term *= (n - k) / (k + 1) * level / (1 - level)
		sum += term
	}
}

// dearer are the rows of a table beside the base, by what they cost.
var dearer = []float64{1.1, 1.3, 1, 1, 1, 1, 1, 1, 1, 1}

// Ten rows whose rounds deviate by 1 % and, in one of 20, take up to three times as long.
func TestSimulated(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	rounds := func(cost float64) *Figure {
		list := make([]float64, Rounds)
		for i := range list {
			log := 0.01 * rng.NormFloat64()
			if rng.Float64() < 0.05 {
				log += rng.Float64() * math.Log(3)
			}
			list[i] = cost * math.Exp(log)
		}
		return Of(list...)
	}
	var f found
	for range 1000 {
		g := Group{Columns: []Column{{Judged: true}}, Rows: []Row{{Figures: []*Figure{rounds(1)}}}}
		for _, cost := range dearer {
			g.Rows = append(g.Rows, Row{Figures: []*Figure{rounds(cost)}})
		}
		g.judge()
		f.add(g)
	}
	t.Logf("%+v", f)
	if f.false > f.limit() || f.ten < 950 {
		t.Errorf("%+v; want at most %d false ones, and 950 with 10 %%", f, f.limit())
	}
}

// Loops that run, of which four take as many steps. A machine may be busy: what is told then is so
// all the same.
func TestLoops(t *testing.T) {
	if measure.ProcessCPU == nil {
		t.Skip("this system does not tell the CPU time of a process")
	}
	tables := 6
	if os.Getenv("FOUNT_LONG") == "1" {
		tables = 100
	}
	loops := Study{Name: "loops", Run: func(r *Run) {
		p := r.Plan().By(1)
		p.Turn = 2 * time.Millisecond
		p.Warmup = p.Turn / 4
		methods := []measure.Method{spins("base", 100, func(string) {})}
		for i, cost := range dearer[:6] {
			methods = append(methods, spins(fmt.Sprint(i), int(100*cost), func(string) {}))
		}
		r.Compare("loops", p, methods)
	}}
	var f found
	for range tables {
		r, err := loops.Measure(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		f.add(r.Groups[0])
	}
	t.Logf("%+v", f)
	if f.false > f.limit() || f.thirty < tables/2 {
		t.Errorf("%+v; want at most %d false ones, and half with 30 %%", f, f.limit())
	}
}
