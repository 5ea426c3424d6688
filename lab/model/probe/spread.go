// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package probe

// What windows gave.

import "slices"

// A series is the windows of one figure.
type series struct {
	run    func() (ns float64, undisturbed bool) // a window
	values []float64
}

// tries is how often a window is measured until it is undisturbed.
const tries = 20

// measure adds an undisturbed window, if there is one.
func (s *series) measure() {
	for range tries {
		if ns, undisturbed := s.run(); undisturbed {
			s.values = append(s.values, ns)
			return
		}
	}
}

// A Spread is the middle of many windows, in ns.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // a quarter of the windows is below
	High   float64 `json:"high"` // a quarter is above
}

func (s *series) spread() Spread {
	v := slices.Sorted(slices.Values(s.values))
	n := len(v)
	return Spread{Median: v[n/2], Low: v[n/4], High: v[n-1-n/4]}
}
