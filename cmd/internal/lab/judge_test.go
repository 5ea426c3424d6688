// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"fount/cmd/internal/lab/measure"
)

// The places of the interval's lower end in a table of the sign test, by number of rounds.
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

// How many of 16 coins must agree, by the tails of the binomial distribution: 697, 137, 17 and 1 of
// 65,536 on each side.
func TestAgree(t *testing.T) {
	if many := agree(1100, 1); many != 583 {
		t.Errorf("%d of 1100 rounds must agree, want 583", many)
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
	for _, c := range []struct {
		above int
		share measure.Share
		clock bool
		many  bool // goroutines
		is    string
	}{
		{13, 0.5, false, false, Above},
		{12, 0, false, false, Undecided},
		{3, 0, false, false, Below},
		{4, 0, false, false, Undecided},
		{16, measure.QuietShare - 0.01, true, false, NotJudged},
		{16, measure.QuietShare, true, false, Above},
		{16, 0, true, false, NotJudged},
		{16, ContendShare - 0.01, false, true, NotJudged},
		{16, ContendShare, true, true, Above},
	} {
		base, own := make([]float64, Rounds), make([]float64, Rounds)
		for i := range base {
			base[i] = 1 + rand.Float64()
			own[i] = base[i] / 2
			if i < c.above {
				own[i] = base[i] * 2
			}
		}
		g := Group{Share: c.share, Contends: c.many, Columns: []Column{{}, {Judged: true, Clock: c.clock}}, Rows: []Row{
			{Figures: []*Figure{nil, Of(base...)}},
			{Figures: []*Figure{nil, Of(own...)}},
		}}
		g.judge()
		if v := g.Rows[1].Verdict; v.Is != c.is || (v.Ratio.Low == nil) != (c.is == NotJudged) {
			t.Errorf("%+v: %+v", c, v)
		}
	}
	five := []Row{{Figures: []*Figure{Of(1, 1, 1, 1, 1)}}, {Figures: []*Figure{Of(2, 2, 2, 2, 2)}}}
	few := Group{Columns: []Column{{Judged: true}}, Rows: five}
	if few.judge(); five[1].Verdict.Is != NotJudged || five[1].Verdict.Ratio.Value != 2 {
		t.Errorf("five rounds: %+v", five[1].Verdict)
	}
}

// found counts the tables in which some row that costs as much as the base is told from it, and
// those in which a row is that costs 5, 10 and 30 % more.
type found struct{ tables, false, five, ten, thirty int }

func (f *found) add(g Group) {
	f.tables++
	wrong := false
	for i, r := range g.Rows[1:] {
		told := r.Verdict.Is != Undecided
		switch i {
		case 0:
			f.five += count(told)
		case 1:
			f.ten += count(told)
		case 2:
			f.thirty += count(told)
		default:
			wrong = wrong || told && r.Name != measure.Empty().Name
		}
	}
	f.false += count(wrong)
}

func count(told bool) int {
	if told {
		return 1
	}
	return 0
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
var dearer = []float64{1.05, 1.1, 1.3, 1, 1, 1, 1, 1, 1, 1}

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
		g := Group{Columns: []Column{{Unit: coreUnit, Judged: true}}, Rows: []Row{{Figures: []*Figure{rounds(1)}}}}
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
		p.Turn, p.Warmup = 2*time.Millisecond, time.Millisecond/2
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

// Figures for 5 and 0 of 10 of Brown, Cai and DasGupta, "Interval Estimation for a Binomial
// Proportion" (2001), as R's prop.test(correct=FALSE) gives them. What rounding and empty profiles
// make of shares has an interval too: within 0 and 1, with the share in it.
func TestWilson(t *testing.T) {
	for _, test := range []struct{ p, n, low, high float64 }{{0.5, 10, 0.2366, 0.7634}, {0, 10, 0, 0.2775}, {1, 10, 0.7225, 1}} {
		low, high := Wilson(test.p, test.n)
		if math.Abs(low-test.low) > 1e-4 || math.Abs(high-test.high) > 1e-4 {
			t.Errorf("Wilson(%v, %v) = %.4f, %.4f, want %.4f, %.4f", test.p, test.n, low, high, test.low, test.high)
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, p := range []float64{nan, -0.01, -1e-17, -1e-9, 0, 0.5, 1, 1 + 1e-12, inf} {
		for _, n := range []float64{nan, -1, 0, 5e-324, 0.5, 1, 2.5, 10, 1e12} {
			low, high := Wilson(p, n)
			in := max(0, min(p, 1))
			if !(0 <= low && low <= high && high <= 1) || p == p && (in < low || in > high) {
				t.Errorf("Wilson(%v, %v) = %v, %v", p, n, low, high)
			}
		}
	}
}
