// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the statistics.

package nonce

import (
	"math"
	"slices"
	"testing"
)

func TestSample(t *testing.T) {
	for _, test := range []struct {
		s                Sample
		median, min, max float64
	}{
		{Sample{5}, 5, 5, 5},
		{Sample{5, 1}, 3, 1, 5},
		{Sample{9, 1, 5}, 5, 1, 9},
		{Sample{4, 1, 3, 2}, 2.5, 1, 4},
		{Sample{}, math.NaN(), math.NaN(), math.NaN()},
	} {
		before := slices.Clone(test.s)
		for i, got := range []float64{test.s.Median(), test.s.Min(), test.s.Max()} {
			want := []float64{test.median, test.min, test.max}[i]
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%v: median, min, max: %d is %v, want %v", test.s, i, got, want)
			}
		}
		if !slices.Equal(test.s, before) {
			t.Errorf("%v was changed to %v", before, test.s)
		}
	}
}

func TestMinus(t *testing.T) {
	got := Sample{10, 20, 30}.Minus(Sample{1, 2})
	if !slices.Equal(got, Sample{9, 18}) {
		t.Errorf("got %v, want [9 18]", got)
	}
	if s := (Sample{1, 2}); !slices.Equal(s.Times(3), Sample{3, 6}) || s[0] != 1 {
		t.Errorf("Times changed %v", s)
	}
}
