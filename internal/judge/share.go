// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package judge

import "math"

// Wilson is the 95 % interval of a share of which k of n samples tell (Wilson, 1927).
func Wilson(k, n int64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	const z = 1.96
	p, m := float64(k)/float64(n), float64(n)
	center := p + z*z/(2*m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, (center-half)/(1+z*z/m)), min(1, (center+half)/(1+z*z/m))
}
