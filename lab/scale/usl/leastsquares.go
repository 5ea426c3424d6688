// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package usl

import "math"

// dependent is the share of a column's length below which what the columns before it leave of it is rounding.
const dependent = 1e-13

// leastSquares finds the x for which the sum of columns, each times its x, is nearest to b. It fails if a column is a sum of those
// before it. It overwrites its arguments. This is a QR decomposition by modified Gram-Schmidt, which solves least squares as
// accurately as Householder's (Björck, Numerical Methods for Least Squares Problems, 1996, section 2.4).
func leastSquares(columns [][]float64, b []float64) (x []float64, ok bool) {
	n := len(columns)
	x = make([]float64, n)
	r := make([][]float64, n) // upper triangle
	for i, q := range columns {
		r[i] = make([]float64, n)
		before := 0.0 // squared length of the column as it was given
		for k := range i {
			before += r[k][i] * r[k][i]
		}
		left := dot(q, q)
		if !(left > dependent*dependent*(before+left)) {
			return nil, false
		}
		r[i][i] = math.Sqrt(left)
		for k := range q {
			q[k] /= r[i][i]
		}
		for j := i + 1; j < n; j++ {
			r[i][j] = takeOut(q, columns[j])
		}
		x[i] = takeOut(q, b)
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			x[i] -= r[i][j] * x[j]
		}
		x[i] /= r[i][i]
	}
	return x, true
}

// takeOut takes the direction of q, whose length is 1, out of v, and returns how much of it v had.
func takeOut(q, v []float64) float64 {
	d := dot(q, v)
	for k := range v {
		v[k] -= d * q[k]
	}
	return d
}

func dot(a, b []float64) (sum float64) {
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}
