// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// The test of two samples, as benchstat makes it, and the interval that belongs to it.

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// alpha is benchstat's.
const alpha = 0.05

// compared compares two figures. Two values or more on each side are tested by the Mann-Whitney U test; the change is then
// Hodges and Lehmann's estimate, the median of the ratios of all pairs, with the interval that this test inverts to (Hollander
// and Wolfe, Nonparametric Statistical Methods, section 4.3). Otherwise it is the ratio of the medians.
func compared(before, after measured) Compared {
	c := Compared{
		Section: after.section, Unit: after.unit, Name: after.name,
		Old: Side{before.median, len(before.values)}, New: Side{after.median, len(after.values)},
	}
	change := func(ratio float64) *float64 {
		if math.IsNaN(ratio) || math.IsInf(ratio, 0) {
			return nil
		}
		ratio--
		return &ratio
	}
	c.Change = change(after.median / before.median)
	if len(before.values) < 2 || len(after.values) < 2 || slices.Min(before.values) <= 0 || slices.Min(after.values) <= 0 {
		return c
	}
	sample := func(v []float64) *benchmath.Sample {
		return benchmath.NewSample(slices.Clone(v), &benchmath.DefaultThresholds)
	}
	p := benchmath.AssumeNothing.Compare(sample(before.values), sample(after.values)).P
	c.P, c.Differs = &p, p < alpha
	ratios := make([]float64, 0, len(before.values)*len(after.values))
	for _, b := range before.values {
		for _, a := range after.values {
			ratios = append(ratios, a/b)
		}
	}
	slices.Sort(ratios)
	n := len(ratios)
	c.Change = change(math.Sqrt(ratios[(n-1)/2] * ratios[n/2]))
	if k := uncertain(len(before.values), len(after.values)); k > 0 {
		c.Low, c.High = change(ratios[k-1]), change(ratios[n-k])
	}
	return c
}

// uncertain is how many of the m*n ratios lie outside the 95 % interval on each side, and one: the greatest k for which the U
// statistic is below k with a probability of at most 2.5 %; 0 if there is none. U's distribution is that of the coefficients
// of the Gaussian binomial of m+n over n.
func uncertain(m, n int) int {
	ways := make([]float64, m*n+1)
	ways[0] = 1
	for i := 1; i <= n; i++ {
		for u := len(ways) - 1; u >= m+i; u-- {
			ways[u] -= ways[u-m-i]
		}
		for u := i; u < len(ways); u++ {
			ways[u] += ways[u-i]
		}
	}
	all := 0.0
	for _, w := range ways {
		all += w
	}
	below := 0.0
	for k, w := range ways {
		if below += w / all; below > alpha/2 {
			return k
		}
	}
	return 0
}
