// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

// relativeInGo is the time of k lanes of Go code, relative to one, by k: medians
// on one core (docs/design/0008-lanes.md).
var relativeInGo = [MaxLanes + 1]float64{1: 1, 2: 1.10, 3: 1.22, 4: 1.44, 5: 1.85}

// Best returns the number of lanes with the least time for each hash.
func Best() int {
	best := 1
	for k := 2; k <= MaxLanes; k++ {
		if Relative(k)/float64(k) < Relative(best)/float64(best) {
			best = k
		}
	}
	return best
}

// Relative returns the time of k lanes side by side, 1 to MaxLanes, relative
// to that of one alone.
func Relative(k int) float64 { return relative[k] }
