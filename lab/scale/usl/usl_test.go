// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the fit: laws that are known, data that others have fitted, and noise.

package usl

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// near fails the test unless got is want to a relative tolerance.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s is %v, want %v to %v", what, got, want, tolerance)
	}
}

func points(m Model, ns ...float64) (list []Point) {
	for _, n := range ns {
		list = append(list, Point{n, m.At(n)})
	}
	return list
}

// Points that lie on a law give that law back, to 0.1 % and where a figure is 0 to 1e-6.
func TestFitRecovers(t *testing.T) {
	for _, want := range []Model{
		{1000, 0.02, 1e-4}, {1e8, 0.3, 0.01}, {5e7, 0.9, 0.05}, {2.5, 0.05, 1e-6},
		{1e6, 0, 0.002}, {1e6, 0.1, 0}, {1e6, 0, 0}, {3e6, 1, 0.2},
	} {
		for _, ns := range [][]float64{{1, 2, 4}, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64}} {
			got, err := Fit(points(want, ns...))
			if err != nil {
				t.Fatal(err)
			}
			near(t, "λ", got.Lambda, want.Lambda, 1e-3)
			for _, c := range []struct {
				name      string
				got, want float64
			}{{"σ", got.Sigma, want.Sigma}, {"κ", got.Kappa, want.Kappa}} {
				if !(math.Abs(c.got-c.want) <= 1e-6+1e-3*c.want) {
					t.Errorf("%+v at %v: %s is %v, want %v", want, ns, c.name, c.got, c.want)
				}
			}
		}
	}
}

// cisco is the benchmark of a Cisco UCS server of 2014 (threads, queries a second) in B. Schwartz, Practical
// Scalability Analysis with the Universal Scalability Law, 2015, which gives the figures of its least-squares fit.
var cisco = []Point{
	{1, 955.16}, {2, 1878.91}, {3, 2688.01}, {4, 3548.68}, {5, 4315.54}, {6, 5130.43}, {7, 5931.37}, {8, 6531.08},
	{9, 7219.8}, {10, 7867.61}, {11, 8278.71}, {12, 8646.7}, {13, 9047.84}, {14, 9426.55}, {15, 9645.37}, {16, 9897.24},
	{17, 10097.6}, {18, 10240.5}, {19, 10532.39}, {20, 10798.52}, {21, 11151.43}, {22, 11518.63}, {23, 11806}, {24, 12089.37},
	{25, 12075.41}, {26, 12177.29}, {27, 12211.41}, {28, 12158.93}, {29, 12155.27}, {30, 12118.04}, {31, 12140.4}, {32, 12074.39},
}

func TestFitPublished(t *testing.T) {
	got, err := Fit(cisco)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "λ", got.Lambda, 995.6486, 1e-4)
	near(t, "σ", got.Sigma, 0.02671591, 1e-4)
	near(t, "κ", got.Kappa, 7.690945e-4, 1e-4)
	near(t, "the peak", got.Peak(), 35, 0.02) // the book rounds 35.57 down
	near(t, "the throughput there", got.At(math.Floor(got.Peak())), 12341, 1e-3)
}

// From figures that are near, the steps of the bootstrap come to what the search finds.
func TestRefine(t *testing.T) {
	for _, data := range [][]Point{cisco, points(Model{1e7, 0.2, 0}, 1, 2, 4, 8), points(Model{1e7, 0, 0.01}, 1, 2, 3, 4)} {
		want, err := Fit(data)
		if err != nil {
			t.Fatal(err)
		}
		got := refine(Model{want.Lambda * 1.1, want.Sigma*0.9 + 0.01, want.Kappa*1.1 + 1e-4}, data, all)
		near(t, "λ", got.Lambda, want.Lambda, 1e-4)
		if math.Abs(got.Sigma-want.Sigma) > 1e-5+1e-3*want.Sigma || math.Abs(got.Kappa-want.Kappa) > 1e-6+1e-3*want.Kappa {
			t.Errorf("refined to %+v, found %+v", got, want)
		}
	}
}

// The negative control: the same data with its threads reversed is not that law.
func TestFitNotices(t *testing.T) {
	wrong := append([]Point(nil), cisco...)
	for i := range wrong {
		wrong[i].N = 33 - wrong[i].N
	}
	got, err := Fit(wrong)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.Sigma-0.02671591) < 0.1 {
		t.Errorf("reversed data have σ = %v too", got.Sigma)
	}
}

func TestFew(t *testing.T) {
	law := Model{100, 0.1, 0.01}
	for _, ns := range [][]float64{nil, {1}, {1, 2}, {1, 2, 2, 1}} {
		if m, err := Fit(points(law, ns...)); !errors.Is(err, ErrFew) {
			t.Errorf("a fit through %v threads: %+v, %v; want ErrFew", ns, m, err)
		}
	}
	for _, p := range []Point{{0, 1}, {1, 0}, {1, -1}, {1, math.NaN()}, {math.NaN(), 1}, {1, math.Inf(1)}} {
		if m, err := Fit([]Point{p, {2, 1}, {3, 1}, {4, 1}}); err == nil {
			t.Errorf("a fit through %+v: %+v, want an error", p, m)
		}
	}
}

// samples are throughputs of a law with noise, which is the same in a round for all numbers of threads (a slow phase of
// the machine) and 2 % more for each.
func samples(m Model, rounds int, ns ...float64) []Sample {
	random := rand.New(rand.NewPCG(3, 4))
	list := make([]Sample, len(ns))
	for range rounds {
		phase := 1 - 0.2*random.Float64()
		for i, n := range ns {
			list[i].N = n
			list[i].X = append(list[i].X, m.At(n)*phase*(1+0.02*random.NormFloat64()))
		}
	}
	return list
}

func TestBootstrap(t *testing.T) {
	law := Model{1e7, 0.2, 0.01}
	m, bounds, err := FitSamples(samples(law, 30, 1, 2, 3, 4, 6, 8), 1)
	if err != nil || bounds == nil {
		t.Fatalf("bounds %v, %v", bounds, err)
	}
	near(t, "σ", m.Sigma, law.Sigma, 0.15)
	near(t, "κ", m.Kappa, law.Kappa, 0.3)
	for _, c := range []struct {
		name       string
		in         Interval
		fit, truth float64
	}{{"σ", bounds.Sigma, m.Sigma, law.Sigma}, {"κ", bounds.Kappa, m.Kappa, law.Kappa}} {
		if !(c.in.Low <= c.fit && c.fit <= c.in.High && c.in.Low <= c.truth && c.truth <= c.in.High) {
			t.Errorf("%s = %v is in %+v, the truth %v", c.name, c.fit, c.in, c.truth)
		}
		if width := c.in.High - c.in.Low; !(width > 0 && width < c.truth) {
			t.Errorf("the interval of %s is %v wide", c.name, width)
		}
	}
	again, same, _ := FitSamples(samples(law, 30, 1, 2, 3, 4, 6, 8), 1)
	if again != m || *same != *bounds {
		t.Error("the same samples gave another fit")
	}
}

func TestNoInterval(t *testing.T) {
	law := Model{1e7, 0.2, 0.01}
	for _, c := range []struct{ rounds, each int }{{5, 1}, {10, 2}} {
		if _, bounds, err := FitSamples(samples(law, c.rounds, 1, 2, 3, 4), c.each); err != nil || bounds != nil {
			t.Errorf("%+v: bounds %v, %v; want none of 5 runs", c, bounds, err)
		}
	}
	for _, few := range [][]float64{{1, 2}, {1, 2, 4}} {
		if _, _, err := FitSamples(samples(law, 6, few...), 1); !errors.Is(err, ErrFew) {
			t.Errorf("numbers of threads %v: %v, want ErrFew", few, err)
		}
	}
	odd := samples(law, 6, 1, 2, 4, 8)
	odd[1].X = odd[1].X[:5]
	if _, _, err := FitSamples(odd, 1); err == nil {
		t.Error("rounds that differ in number: want an error")
	}
}

// What makes runs differ is in the interval: runs that have a σ of their own give a wider one than their rounds, each
// taken for a run, do.
func TestBootstrapOfRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var list []Sample
	for _, n := range []float64{1, 2, 3, 4, 6, 8} {
		list = append(list, Sample{N: n})
	}
	for range 8 {
		law := Model{1e7, 0.2 * math.Exp(0.3*random.NormFloat64()), 0.01}
		for range 5 {
			for i, s := range list {
				list[i].X = append(s.X, law.At(s.N)*(1+0.01*random.NormFloat64()))
			}
		}
	}
	width := func(each int) float64 {
		_, bounds, err := FitSamples(list, each)
		if err != nil || bounds == nil {
			t.Fatal(bounds, err)
		}
		return bounds.Sigma.High - bounds.Sigma.Low
	}
	if rounds, runs := width(1), width(5); runs < 1.5*rounds {
		t.Errorf("sigma's interval is %.3f wide by runs and %.3f by rounds; want it wider", runs, rounds)
	}
}
