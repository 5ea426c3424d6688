// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package judge

// Student's t distribution.

import "math"

// tails is the probability of a t beyond ±x with so many degrees of freedom: the regularised incomplete beta function
// I(free/(free+x²); free/2, 1/2), DLMF 8.17.
func tails(x, free float64) float64 {
	return beta(free/(free+x*x), free/2, 0.5)
}

// quantile is the t below which the share q of all lie, 0.5 ≤ q < 1.
func quantile(free, q float64) float64 {
	low, high := 0.0, 1.0
	for tails(high, free) > 2*(1-q) {
		high *= 2
	}
	for range 100 {
		if mid := (low + high) / 2; tails(mid, free) > 2*(1-q) {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// beta is the regularised incomplete beta function.
func beta(x, a, b float64) float64 {
	if x <= 0 || x >= 1 {
		return min(max(x, 0), 1)
	}
	if x > (a+1)/(a+b+2) { // where the fraction converges slowly
		return 1 - beta(1-x, b, a)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) * fraction(x, a, b) / a
}

// fraction is the continued fraction of DLMF 8.17.22, by Lentz's algorithm.
func fraction(x, a, b float64) float64 {
	const tiny = 1e-300
	f, c, d := 1.0, 1.0, 0.0
	for m := range 300 {
		k := float64(m / 2)
		var part float64
		switch {
		case m == 0:
			part = 1
		case m%2 == 0:
			part = k * (b - k) * x / ((a + 2*k - 1) * (a + 2*k))
		default:
			part = -(a + k) * (a + b + k) * x / ((a + 2*k) * (a + 2*k + 1))
		}
		d = 1 / nonzero(1+part*d, tiny)
		c = nonzero(1+part/c, tiny)
		f *= c * d
		if m > 1 && math.Abs(1-c*d) < 1e-15 {
			break
		}
	}
	return f - 1
}

func nonzero(x, tiny float64) float64 {
	if math.Abs(x) < tiny {
		return tiny
	}
	return x
}
