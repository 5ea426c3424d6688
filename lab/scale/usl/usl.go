// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package usl fits Gunther's Universal Scalability Law (N. Gunther, Guerrilla Capacity Planning, 2007) to measured
// throughput. It is no simulation: a fit says what was measured in three figures and proves nothing about the cause.
//
// With N threads a system does
//
//	X(N) = λN / (1 + σ(N-1) + κN(N-1))
//
// operations a second: λ is what one thread does, σ (contention) the share that is done one after the other, and κ
// (crosstalk) what each thread costs each other. Both are at least 0 here; a system whose threads help each other has
// σ = κ = 0 and a λ above what one thread was measured to do.
package usl

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Point is a measured throughput.
type Point struct {
	N float64 // threads, at least 1
	X float64 // operations a second, above 0
}

// A Model is the law with its three figures.
type Model struct {
	Lambda float64 `json:"lambda"` // operations a second of one thread
	Sigma  float64 `json:"sigma"`
	Kappa  float64 `json:"kappa"`
}

// At is the throughput of n threads.
func (m Model) At(n float64) float64 { return m.Lambda * n / (1 + m.Sigma*(n-1) + m.Kappa*n*(n-1)) }

// Peak is the number of threads with the greatest throughput, +Inf if more threads always do more.
func (m Model) Peak() float64 {
	if m.Kappa == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(max(0, 1-m.Sigma) / m.Kappa)
}

// ErrFew says that there are too few points for what was asked.
var ErrFew = errors.New("too few numbers of threads")

// Fit finds the model whose throughputs are nearest to the points by least squares. It needs three different N: three
// figures go through fewer points in infinitely many ways, and the error is an [ErrFew] then.
func Fit(points []Point) (Model, error) {
	if err := check(points); err != nil {
		return Model{}, err
	}
	if n := different(points); n < 3 {
		return Model{}, fmt.Errorf("%w: %d, the law has three figures", ErrFew, n)
	}
	// From several starts, with all figures free and with σ, κ, or both at 0: steps that cross 0 stay there.
	best, least := Model{}, math.Inf(1)
	for _, start := range []Model{linear(points), {1, 1e-3, 1e-6}, {1, 0.02, 1e-4}, {1, 0.1, 1e-3}, {1, 0.5, 0.02}} {
		for _, free := range [][3]bool{all, {true, true, false}, {true, false, true}, {true, false, false}} {
			m := Model{1, start.Sigma, start.Kappa}
			if !free[1] {
				m.Sigma = 0
			}
			if !free[2] {
				m.Kappa = 0
			}
			m.Lambda = scale(m, points)
			m = refine(m, points, free)
			if r := residual(m, points); r < least*(1-1e-9) {
				best, least = m, r
			}
		}
	}
	return best, nil
}

func check(points []Point) error {
	for _, p := range points {
		if !(p.N >= 1) || !(p.X > 0) || math.IsInf(p.X, 0) || math.IsInf(p.N, 0) {
			return fmt.Errorf("throughput %v of %v threads; want numbers above 0 and threads from 1", p.X, p.N)
		}
	}
	return nil
}

// different counts the numbers of threads.
func different(points []Point) int {
	seen := map[float64]bool{}
	for _, p := range points {
		seen[p.N] = true
	}
	return len(seen)
}

// scale is the best λ for the σ and κ of a model whose λ is 1.
func scale(m Model, points []Point) float64 {
	up, down := 0.0, 0.0
	for _, p := range points {
		f := m.At(p.N)
		up += p.X * f
		down += f * f
	}
	return up / down
}

// residual is the sum of squares, relative to that of the points.
func residual(m Model, points []Point) float64 {
	sum, all := 0.0, 0.0
	for _, p := range points {
		d := p.X - m.At(p.N)
		sum += d * d
		all += p.X * p.X
	}
	return sum / all
}

// linear is where the search begins: N/X(N) is linear in 1/λ, σ/λ and κ/λ. Each point counts by its relative error.
func linear(points []Point) Model {
	a, b := mat.NewDense(len(points), 3, nil), mat.NewVecDense(len(points), nil)
	for i, p := range points {
		w := p.X / p.N
		a.SetRow(i, []float64{w, w * (p.N - 1), w * p.N * (p.N - 1)})
		b.SetVec(i, 1)
	}
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil || !(x.AtVec(0) > 0) {
		return Model{Lambda: points[0].X / points[0].N, Sigma: 0.01, Kappa: 1e-4}
	}
	inverse := x.AtVec(0)
	return Model{Lambda: 1 / inverse, Sigma: max(0, x.AtVec(1)/inverse), Kappa: max(0, x.AtVec(2)/inverse)}
}
