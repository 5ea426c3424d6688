// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package judge

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Critical values of NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, "Critical Values of the Student's t
// Distribution", and beyond its table t = 1 and ±12.706 of one degree, which is Cauchy's: 2·atan(x)/π.
func TestStudent(t *testing.T) {
	for _, c := range []struct{ free, q, want float64 }{
		{1, 0.975, 12.706}, {2, 0.975, 4.303}, {5, 0.95, 2.015}, {5, 0.975, 2.571}, {9, 0.975, 2.262}, {9, 0.99, 2.821},
		{9, 0.995, 3.250}, {9, 0.999, 4.297}, {30, 0.975, 2.042}, {100, 0.999, 3.174},
	} {
		if got := quantile(c.free, c.q); math.Abs(got-c.want) > 0.0005 {
			t.Errorf("t of %v, %v degrees of freedom: %.4f, want %.3f", c.q, c.free, got, c.want)
		}
	}
	for _, x := range []float64{0.01, 0.5, 1, 3, 12.706, 1e4} {
		if got, want := tails(x, 1), 1-2*math.Atan(x)/math.Pi; math.Abs(got-want) > 1e-12 {
			t.Errorf("beyond ±%v with one degree: %v, want %v", x, got, want)
		}
		if got, want := tails(x, 2), 1-x/math.Sqrt(2+x*x); math.Abs(got-want) > 1e-12 {
			t.Errorf("beyond ±%v with two degrees: %v, want %v", x, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	rounds := make([]float64, 31)
	for i := range rounds {
		rounds[i] = float64(i)
	}
	for n := range len(rounds) + 1 {
		r := Split(rounds[:n])
		if got := slices.Concat(r...); !slices.Equal(got, rounds[:n]) || len(r) != min(n, 10) {
			t.Errorf("%d rounds are %v", n, r)
		}
		for _, run := range r {
			if len(run) < n/10 || len(run) > (n+9)/10 {
				t.Errorf("%d rounds: a run of %d", n, len(run))
			}
		}
	}
	if r := Every(rounds, 5); len(r) != 7 || len(r[6]) != 1 {
		t.Errorf("runs of 5: %v", r)
	}
}

// Gosset's sleep data, "Student", The Probable Error of a Mean, 1908: ten differences with mean 1.58 and p = 0.00283,
// which R's documentation of t.test prints too (interval 0.70 to 2.46).
func TestEstimate(t *testing.T) {
	e := Split([]float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}).Estimate()
	low, high, ok := e.Interval()
	if !ok || math.Abs(e.Center-1.58) > 1e-9 || math.Abs(low-0.7001142) > 1e-6 || math.Abs(high-2.4598858) > 1e-6 {
		t.Errorf("%v (%v to %v), want 1.58 (0.7001142 to 2.4598858)", e.Center, low, high)
	}
	if p := e.P(0); math.Abs(p-0.002833) > 1e-6 {
		t.Errorf("p = %v, want 0.002833", p)
	}
	for _, few := range []Runs{nil, Split([]float64{1, 2, 3, 4, 5}), {{1, 2, 3}, {4, 5, 6}}} {
		e := few.Estimate()
		if _, _, ok := e.Interval(); ok || e.P(0) != 1 {
			t.Errorf("%v has an interval or is sure: p = %v", few, e.P(0))
		}
	}
	if e := Split([]float64{2, 2, 2, 2, 2, 2}).Estimate(); e.P(2) != 1 || e.P(1) != 0 {
		t.Errorf("six times 2: p = %v of 2 and %v of 1, want 1 and 0", e.P(2), e.P(1))
	}
}

// Rounds that share what differs from run to run are no independent witnesses. Split counts the ten runs, and is wrong in one
// trial in 20; who counts all 60 rounds, the control, in nearly half of them.
func TestSharedByRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	const trials = 1000
	runs, rounds := 0, 0
	for range trials {
		var values []float64
		for range 10 {
			shared := rng.NormFloat64()
			for range 6 {
				values = append(values, shared+0.2*rng.NormFloat64())
			}
		}
		if Split(values).Estimate().P(0) <= Level {
			runs++
		}
		if Every(values, 1).Estimate().P(0) <= Level {
			rounds++
		}
	}
	if runs < 30 || runs > 75 || rounds < 300 { // 50, deviation 7
		t.Errorf("of %d, %d are false by runs and %d by rounds; want about 50, and many", trials, runs, rounds)
	}
}

// A figure that is no number, as after a division by 0, is no evidence: nothing is sure of it, and it takes nothing from
// the others of its family.
func TestNoNumber(t *testing.T) {
	for _, odd := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64} {
		var f Family
		v := f.Add(Split([]float64{1, 1.1, 1, 1.1, 1, odd}).Estimate(), 5)
		low := f.Add(Split([]float64{1, 1.1, 1, 1.1, 1, 1.1}).Estimate(), 2)
		f.Decide()
		if v.Sure || v.P(5) != 1 || !low.Below() {
			t.Errorf("%v: sure %v, p = %v; beside it, below %v", odd, v.Sure, v.P(5), low.Below())
		}
		if from, to, ok := v.Interval(); ok {
			t.Errorf("%v: an interval, %v to %v", odd, from, to)
		}
	}
}

// Of m comparisons the least p is held against 0.05/m, the next against 0.05/(m-1); the first above its bar ends it.
func TestHolm(t *testing.T) {
	at := func(p float64) Estimate { // an estimate above 0 with this p
		return Estimate{Center: quantile(9, 1-p/2), err: 1, free: 9}
	}
	for _, c := range []struct {
		p    []float64
		sure int
	}{
		{[]float64{0.01, 0.013, 0.014, 0.19, 0.35, 0.5, 0.63, 0.67, 0.75, 0.81}, 0},
		{[]float64{0.03, 0.001, 0.006, 0.026}, 2}, // 0.0125, 0.0167, 0.025
		{[]float64{0.03, 0.001, 0.006, 0.02}, 4},
		{[]float64{0.049}, 1}, {[]float64{0.051}, 0}, {nil, 0},
	} {
		var f Family
		var all []*Verdict
		for _, p := range c.p {
			all = append(all, f.Add(at(p), 0))
		}
		f.Decide()
		sure := 0
		for i, v := range all {
			if v.Above() {
				sure++
			}
			if v.Below() || math.Abs(v.P(0)-c.p[i]) > 1e-9 {
				t.Errorf("p = %v, below the bar %v", v.P(0), v.Below())
			}
		}
		if sure != c.sure {
			t.Errorf("%v: %d are sure, want %d", c.p, sure, c.sure)
		}
	}
}

// Runs that lie apart are wide; the same values in shuffled order are not.
func TestWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var values []float64
	for range 8 {
		center := rng.NormFloat64()
		for range 5 {
			values = append(values, center+0.2*rng.NormFloat64())
		}
	}
	if !Every(values, 5).Wide() {
		t.Error("runs five times as far apart as their rounds are not wide")
	}
	rng.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
	if Every(values, 5).Wide() || Every(values, 1).Wide() {
		t.Error("shuffled rounds, or runs of one round, are wide")
	}
}
