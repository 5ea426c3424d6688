// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"math"
	"testing"
)

// Every client is in a slot, every case expects all of them, and each keeps to what
// it is drawn to show.
func TestSimulate(t *testing.T) {
	cases := simulate()
	for _, s := range cases {
		total, expected := 0, 0.0
		for i := range s.counts {
			total += s.counts[i]
			expected += s.expected[i]
		}
		if total != clients || math.Abs(expected-clients) > 1e-6 || len(s.counts) != len(s.expected) {
			t.Errorf("%s: %d clients in %d slots, %v expected in %d; want %d", s.name, total, len(s.counts), expected, len(s.expected), clients)
		}
		if s.allowed == 0 && s.peak() != clients {
			t.Errorf("%s: the fullest slot holds %d; want all %d", s.name, s.peak(), clients)
		}
		// The odds are in TestFullJitterSpreads and TestDecorrelatedJitterSpreads.
		if most := s.allowed * s.mean(); s.allowed != 0 && float64(s.peak()) > most {
			t.Errorf("%s: the fullest slot holds %d; want at most %v", s.name, s.peak(), most)
		}
	}
}
