// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package usl

// How sure a fit is.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// An Interval is where a figure lies with 95 % confidence.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A Sample is the throughputs measured with one number of threads, one of each round. The i-th of all samples are of
// the same round.
type Sample struct {
	N float64
	X []float64
}

// Bounds are the intervals of a fit's figures.
type Bounds struct {
	Lambda Interval `json:"lambda"`
	Sigma  Interval `json:"sigma"`
	Kappa  Interval `json:"kappa"`
}

const (
	resamples = 400
	leastRuns = 6 // fewer have no 95 % interval of a median either

	leastCounts = 4 // numbers of threads: through three the law's three figures always pass
)

// FitSamples fits the medians, of 4 numbers of threads at least. bounds is nil with fewer than 6 runs, of so many rounds
// each. The intervals are the percentiles 2.5 and 97.5 of a bootstrap over runs, so that what makes runs differ is in them:
// whole runs are drawn with replacement, their medians fitted, 400 times, from a fixed seed.
func FitSamples(samples []Sample, each int) (m Model, bounds *Bounds, err error) {
	if len(samples) < leastCounts {
		return Model{}, nil, fmt.Errorf("%w: %d of them; want %d or more", ErrFew, len(samples), leastCounts)
	}
	rounds := -1
	for _, s := range samples {
		if rounds >= 0 && len(s.X) != rounds {
			err := fmt.Errorf("%v threads have %d rounds and others %d; want the same", s.N, len(s.X), rounds)
			return Model{}, nil, err
		}
		rounds = len(s.X)
	}
	if m, err = Fit(medians(samples, nil)); err != nil {
		return Model{}, nil, err
	}
	each = max(1, each)
	runs := rounds / each
	if runs < leastRuns {
		return m, nil, nil
	}
	var lambda, sigma, kappa []float64
	random := rand.New(rand.NewPCG(1, 2))
	for range resamples {
		var chosen []int
		for range runs {
			run := random.IntN(runs)
			for i := range each {
				chosen = append(chosen, run*each+i)
			}
		}
		again := refine(m, medians(samples, chosen), all)
		lambda, sigma, kappa = append(lambda, again.Lambda), append(sigma, again.Sigma), append(kappa, again.Kappa)
	}
	return m, &Bounds{middle(lambda), middle(sigma), middle(kappa)}, nil
}

// all figures are free.
var all = [3]bool{true, true, true}

// refine finds the model nearest to points that differ little from those of m, in the figures that are free: Gauss-Newton steps,
// 20 µs. A figure that a step makes negative is 0 from then on.
func refine(m Model, points []Point, free [3]bool) Model {
	for range 20 {
		step, ok := newton(m, points, free)
		if !ok {
			return m
		}
		next := Model{m.Lambda + step[0], m.Sigma + step[1], m.Kappa + step[2]}
		if next.Sigma < 0 || next.Kappa < 0 {
			free[1], free[2] = free[1] && next.Sigma >= 0, free[2] && next.Kappa >= 0
			m.Sigma, m.Kappa = max(0, next.Sigma), max(0, next.Kappa)
			continue
		}
		done := math.Abs(step[0]) < 1e-9*m.Lambda && math.Abs(step[1]) < 1e-9 && math.Abs(step[2]) < 1e-11
		if m = next; done {
			break
		}
	}
	return m
}

// newton is one step of least squares in the figures that are free.
func newton(m Model, points []Point, free [3]bool) (step [3]float64, ok bool) {
	var columns []int
	for i, is := range free {
		if is {
			columns = append(columns, i)
		}
	}
	a, b := mat.NewDense(len(points), len(columns), nil), mat.NewVecDense(len(points), nil)
	for r, p := range points {
		x := m.At(p.N)
		slow := x / (m.Lambda * p.N) // 1 / (1 + σ(N-1) + κN(N-1))
		slopes := [3]float64{x / m.Lambda, -x * slow * (p.N - 1), -x * slow * p.N * (p.N - 1)}
		for c, i := range columns {
			a.Set(r, c, slopes[i])
		}
		b.SetVec(r, p.X-x)
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		return step, false
	}
	for c, i := range columns {
		step[i] = x.AtVec(c)
	}
	return step, true
}

// medians are the points to fit, of the chosen rounds; nil is all.
func medians(samples []Sample, chosen []int) []Point {
	points := make([]Point, len(samples))
	for i, s := range samples {
		values := slices.Clone(s.X)
		if chosen != nil {
			values = values[:0]
		}
		for _, round := range chosen {
			values = append(values, s.X[round])
		}
		points[i] = Point{s.N, median(values)}
	}
	return points
}

// median sorts its argument.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return 0 // which Fit refuses
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}

// middle is where the middle 95 % lie.
func middle(values []float64) Interval {
	slices.Sort(values)
	cut := len(values) / 40
	return Interval{values[cut], values[len(values)-1-cut]}
}
