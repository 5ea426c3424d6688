// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package judge

import "math"

// Wilson is the 95 % interval of a share that is p among n samples (Wilson, 1927). n need not be whole: samples of unequal
// weight tell as much as fewer of equal weight.
func Wilson(p, n float64) (low, high float64) {
	if !(n >= 0.5) || math.IsNaN(p) { // nothing is told: one sample is 1, but for rounding
		return 0, 1
	}
	const z = 1.96
	p = max(0, min(p, 1)) // sums round
	center := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, min(p, (center-half)/(1+z*z/n))), min(1, max(p, (center+half)/(1+z*z/n))) // p itself, where rounding leaves it out
}
