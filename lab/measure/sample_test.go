// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of samples, and of the statistics of golang.org/x/perf as they are used here.

package measure

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		values           []float64
		median, min, max float64
	}{
		{[]float64{5}, 5, 5, 5},
		{[]float64{5, 1}, 3, 1, 5},
		{[]float64{9, 1, 5}, 5, 1, 9},
		{[]float64{4, 1, 3, 2}, 2.5, 1, 4},
	} {
		before := slices.Clone(test.values)
		s := Of(test.values...)
		if s.Median != test.median || s.Min() != test.min || s.Max() != test.max {
			t.Errorf("%v: median %v, from %v to %v", test.values, s.Median, s.Min(), s.Max())
		}
		if !slices.Equal(s.Values, before) {
			t.Errorf("%v was changed to %v", before, s.Values)
		}
	}
	if Of() != nil || ByRun(nil, 3) != nil {
		t.Error("no values are a sample")
	}
}

// The interval from the l-th least to the r-th least of n values misses the median in as many cases as n throws of a coin
// show fewer than l or at least r heads: in at most 5 %.
func TestInterval(t *testing.T) {
	for n := 6; n < 60; n++ {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64((i*37+11)%61) + 1 // 61 is prime: a permutation, so order matters
		}
		before := slices.Clone(values)
		s := Of(values...)
		low, high, ok := s.Interval()
		if !slices.Equal(values, before) || !slices.Equal(s.Values, before) {
			t.Fatal("the sample was sorted: its order is that of the rounds")
		}
		sorted := slices.Sorted(slices.Values(values))
		l, r := slices.Index(sorted, low)+1, slices.Index(sorted, high)+1
		hits := new(big.Int)
		for i := l; i < r; i++ {
			hits.Add(hits, new(big.Int).Binomial(int64(n), int64(i)))
		}
		if all := new(big.Int).Lsh(big.NewInt(1), uint(n)); !ok || l == 0 || hits.Mul(hits, big.NewInt(20)).Cmp(all.Mul(all, big.NewInt(19))) < 0 {
			t.Errorf("n = %d: from the %d. to the %d. value is no 95 %% interval", n, l, r)
		}
	}
	few := Of(1, 2, 3, 4, 5)
	if low, high, ok := few.Interval(); ok {
		t.Errorf("5 values have the interval %v to %v, want none", low, high)
	}
	if few.Percent() != "-" || few.Ratio() != "3.00" || (*Sample)(nil).Ratio() != "-" || (*Sample)(nil).String() != "-" {
		t.Errorf("without an interval: %s, %s", few.Percent(), few.Ratio())
	}
	if s := Of(100, 101, 99, 100, 102, 98); s.Percent() != "2%" || s.Count() != "100 (98.0 to 102)" {
		t.Errorf("%s, %s; want 2%%, 100 (98.0 to 102)", s.Percent(), s.Count())
	}
}

// Six counts of 0 have an interval, from 0 to 0, and have it in JSON too.
func TestIntervalOfZeros(t *testing.T) {
	zeros := make([]float64, 9)
	for name, s := range map[string]*Sample{"Of": Of(zeros...), "ByRun": ByRun(zeros, 3)} {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var decoded Sample
		if err := json.Unmarshal(text, &decoded); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Sample{s, &decoded} {
			if low, high, ok := s.Interval(); low != 0 || high != 0 || !ok || s.Count() != "0.0 (0.0 to 0.0)" {
				t.Errorf("%s: from %v to %v, %v; %s", name, low, high, ok, s.Count())
			}
		}
	}
	if s := ByRun(zeros, 9); s.Count() != "0.0" { // the control: one run has no interval
		t.Errorf("one run: %s", s.Count())
	}
}

// What differs between runs widens the interval of ByRun, which has their mean for its middle.
func TestByRun(t *testing.T) {
	runs := []float64{1, 1, 1, 2, 2, 2, 6, 6, 6}
	s := ByRun(runs, 3)
	low, high, ok := s.Interval()
	if s.Median != 3 || !ok || low > 0 || high < 6 || s.Estimate().Center != 3 {
		t.Errorf("%+v", s)
	}
	text, err := json.Marshal(Of(2, 4))
	if want := `{"median":3,"values":[2,4]}`; string(text) != want || err != nil {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}

func TestRoundByRound(t *testing.T) {
	a, b := []float64{10, 20, 30}, []float64{1, 2}
	if got := Minus(a, b); !slices.Equal(got, []float64{9, 18}) {
		t.Errorf("difference %v, want [9 18]", got)
	}
	if got := Over(a, b); !slices.Equal(got, []float64{10, 10}) {
		t.Errorf("quotient %v, want [10 10]", got)
	}
	if got := Times(b, 3); !slices.Equal(got, []float64{3, 6}) || b[0] != 1 {
		t.Errorf("three times %v are %v", b, got)
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		of   []float64
		want float64
	}{{nil, 0}, {[]float64{7}, 7}, {[]float64{3, 1}, 2}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 9, 2}, 3}} {
		if got := Median(test.of); got != test.want {
			t.Errorf("of %v: %v, want %v", test.of, got, test.want)
		}
	}
}

// A figure that was not measured, as of a report that lacks it.
func TestNoSample(t *testing.T) {
	var none *Sample
	for _, got := range []string{none.String(), none.Percent(), none.Ratio(), none.Count()} {
		if got != "-" {
			t.Errorf("%q, want -", got)
		}
	}
}
