// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

import (
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
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

// equals is two groups of methods that cost the same, with a second pass where one is wide.
func equals(m disturbed, rng *rand.Rand) []Group {
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
			for k, rounds := range m.rounds(rng, len(groups)*rows, usualRounds, leastRound/(2*rows)) {
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

// Of results on methods that cost the same, at most one in twenty says of any that it does not,
// whatever disturbs the machine. Each ratio judged by itself, the control, does so in more.
func TestEqualMethods(t *testing.T) {
	trials := 200
	if os.Getenv("FOUNT_LONG") == "1" {
		trials = 4_000
	}
	most, caught := mostOf(trials, level), false
	for _, m := range machines {
		now := count(trials, func(rng *rand.Rand) bool {
			groups := equals(m, rng)
			decide(groups)
			return anyIs(groups, func(v *Verdict) bool { return v.Is != Undecided })
		})
		if now > most {
			t.Errorf("on a machine that is %s %d of %d are false, want at most %d", m.name, now, trials, most)
		}
		caught = caught || count(trials, func(rng *rand.Rand) bool {
			groups := equals(m, rng)
			decide(groups)
			return anyIs(groups, func(v *Verdict) bool { return *v.Ratio.Low > 1 || *v.Ratio.High < 1 })
		}) > most
	}
	if !caught {
		t.Error("ratios judged one by one are caught on no machine")
	}
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

// A row that costs 5 % less is told on a quiet machine, beside 13 that cost the same; where other
// programs run nothing by the clock is; and of five rounds nothing is.
func TestUnequalMethods(t *testing.T) {
	const trials = 100
	quiet := machines[0]
	cheaper := func(g []Group) Row {
		r := &g[1].Rows[5]
		for k := range r.Figures[0].Rounds {
			r.Figures[0].Rounds[k] *= 0.95
		}
		return *r
	}
	told := count(trials, func(rng *rand.Rand) bool {
		g := equals(quiet, rng)
		cheaper(g)
		decide(g)
		return g[1].Rows[5].Verdicts[0].Is == Below
	})
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
	base := machines[0].rounds(rng, 2, LeastRounds*2, time.Millisecond)
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

// Critical values of NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, "Critical Values
// of the Student's t Distribution", and t of one degree, which is Cauchy's: 2·atan(x)/π.
func TestStudent(t *testing.T) {
	for free, want := range map[int]float64{1: 12.706, 2: 4.303, 5: 2.571, 9: 2.262, 30: 2.042, 100: 1.984} {
		if got := critical(free); math.Abs(got-want) > 0.0005 {
			t.Errorf("t of %d degrees of freedom: %.4f, want %.3f", free, got, want)
		}
	}
	for _, x := range []float64{0.01, 0.5, 1, 3, 12.706, 1e4} {
		if got, want := tails(x, 1), 1-2*math.Atan(x)/math.Pi; math.Abs(got-want) > 1e-12 {
			t.Errorf("beyond ±%v with one degree: %v, want %v", x, got, want)
		}
	}
	for _, c := range []struct {
		x, p float64
		free int
	}{{2.015, 0.1, 5}, {2.821, 0.02, 9}, {4.297, 0.002, 9}, {3.174, 0.002, 100}} {
		if got := tails(c.x, c.free); math.Abs(got/c.p-1) > 0.002 {
			t.Errorf("beyond ±%v with %d degrees: %v, want %v", c.x, c.free, got, c.p)
		}
	}
}

func TestSplit(t *testing.T) {
	rounds := make([]float64, 31)
	for i := range rounds {
		rounds[i] = float64(i)
	}
	for n := range len(rounds) + 1 {
		r := split(rounds[:n])
		if got := slices.Concat(r...); !slices.Equal(got, rounds[:n]) || len(r) != min(n, 10) {
			t.Errorf("%d rounds are %v", n, r)
		}
		for _, run := range r {
			if len(run) < n/10 || len(run) > (n+9)/10 {
				t.Errorf("%d rounds: a run of %d", n, len(run))
			}
		}
	}
}

// Gosset's sleep data, "Student", The Probable Error of a Mean, 1908: ten differences with mean
// 1.58 and p = 0.00283, which R's documentation of t.test prints too (interval 0.70 to 2.46).
func TestEstimate(t *testing.T) {
	e := split([]float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}).estimate()
	low, high := e.interval()
	if math.Abs(e.center-1.58) > 1e-9 || math.Abs(low-0.7001142) > 1e-6 || math.Abs(high-2.4598858) > 1e-6 || math.Abs(e.p(0)-0.002833) > 1e-6 {
		t.Errorf("%v (%v to %v), p = %v; want 1.58 (0.7001142 to 2.4598858), 0.002833", e.center, low, high, e.p(0))
	}
	for _, few := range []runs{nil, split([]float64{1, 2, 3, 4, 5}), {{1, 2, 3}, {4, 5, 6}}, split([]float64{1, 1.1, 1, 1.1, 1, math.Inf(1)})} {
		if e := few.estimate(); e.free != 0 || e.p(0) != 1 {
			t.Errorf("%v says something: p = %v", few, e.p(0))
		}
	}
	if e := split([]float64{2, 2, 2, 2, 2, 2}).estimate(); e.p(2) != 1 || e.p(1) != 0 {
		t.Errorf("six times 2: p = %v of 2 and %v of 1, want 1 and 0", e.p(2), e.p(1))
	}
}

// Rounds that share what differs from run to run are no independent witnesses. Ten runs are wrong
// in one trial in 20; who counts all 60 rounds, the control, is in nearly half of them.
func TestSharedByRuns(t *testing.T) {
	const trials = 1000
	false5 := func(of func([]float64) runs) int {
		return count(trials, func(rng *rand.Rand) bool {
			var values []float64
			for range 10 {
				shared := rng.NormFloat64()
				for range 6 {
					values = append(values, shared+0.2*rng.NormFloat64())
				}
			}
			return of(values).estimate().p(0) <= level
		})
	}
	byRuns, byRounds := false5(split), false5(func(values []float64) runs { return slices.Collect(slices.Chunk(values, 1)) })
	if byRuns < 30 || byRuns > 75 || byRounds < 300 { // 50, deviation 7
		t.Errorf("of %d, %d are false by runs and %d by rounds; want about 50, and many", trials, byRuns, byRounds)
	}
}

// Runs that lie apart are wide; the same values in shuffled order are not.
func TestWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var values []float64
	for range 10 {
		center := rng.NormFloat64()
		for range 5 {
			values = append(values, center+0.2*rng.NormFloat64())
		}
	}
	if !split(values).wide() {
		t.Error("runs five times as far apart as their rounds are not wide")
	}
	rng.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
	if split(values).wide() || split(values[:10]).wide() {
		t.Error("shuffled rounds, or runs of one round, are wide")
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

// A disturbed machine is one on which methods cost 1 but for these deviations of logarithms.
type disturbed struct {
	name string

	noise  float64 // of each turn
	spikes float64 // share of turns that take longer, up to three times
	wander float64 // of the machine's speed, with 0.9 of it kept from turn to turn
	phase  float64 // of each method in each phase of 200 ms
	beat   float64 // that each turn takes longer that something periodic meets
}

// machines are a quiet one and those whose noise has a form of its own.
var machines = []disturbed{
	{name: "quiet", noise: 0.01},
	{name: "spiky", noise: 0.01, spikes: 0.05},
	{name: "wandering", noise: 0.01, wander: 0.05},
	{name: "beating", noise: 0.01, beat: 0.03},
	{name: "in phases", noise: 0.01, phase: 0.03},
	{name: "all of it", noise: 0.02, spikes: 0.05, wander: 0.05, beat: 0.02, phase: 0.02},
}

// rounds are the costs of so many equal methods in so many rounds, by method. In each round every
// method has a turn, in shuffled order.
func (m disturbed) rounds(rng *rand.Rand, methods, rounds int, turnTime time.Duration) [][]float64 {
	values, phases := make([][]float64, methods), make([]float64, methods)
	speed, turn, next := m.wander*rng.NormFloat64(), rng.IntN(1000), 0
	for range rounds {
		for _, i := range rng.Perm(methods) {
			if next--; next < 0 {
				next = int(200 * time.Millisecond / turnTime)
				for k := range phases {
					phases[k] = m.phase * rng.NormFloat64()
				}
			}
			log := speed + phases[i] + m.noise*rng.NormFloat64()
			if rng.Float64() < m.spikes {
				log += rng.Float64() * math.Log(3)
			}
			if turn++; turn%max(2, methods-1) == 0 {
				log += m.beat
			}
			values[i] = append(values[i], math.Exp(log))
			speed = 0.9*speed + math.Sqrt(1-0.81)*m.wander*rng.NormFloat64()
		}
	}
	return values
}

// count makes trials on all cores, each with a fixed seed of its own, so that a test which holds
// once always does, and counts those of which something is so.
func count(trials int, is func(*rand.Rand) bool) (n int) {
	var ended sync.WaitGroup
	var mu sync.Mutex
	for k := range runtime.GOMAXPROCS(0) {
		ended.Go(func() {
			for trial := k; trial < trials; trial += runtime.GOMAXPROCS(0) {
				if is(rand.New(rand.NewPCG(uint64(trial), 17))) {
					mu.Lock()
					n++
					mu.Unlock()
				}
			}
		})
	}
	ended.Wait()
	return n
}

// mostOf is how many trials may hold a false claim of that probability, but in one of 1,000.
func mostOf(trials int, level float64) int {
	term := math.Exp(float64(trials) * math.Log1p(-level))
	for n, sum := 0, term; ; n++ {
		if sum >= 0.999 {
			return n
		}
		term *= float64(trials-n) / float64(n+1) * level / (1 - level)
		sum += term
	}
}
