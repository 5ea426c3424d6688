// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The formula is what users do who sign in at times of their own: 100,000 of them, whose rates have a gamma
// distribution of shape 0.5, which the square of a normal number has.
func TestForecastIsTheModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const users = 100_000
	first := make([]float64, users) // logins that the mean user has had when this one first comes
	seldom, often := 0, 0
	for i := range first {
		z := rng.NormFloat64()
		rate := z * z
		first[i] = rng.ExpFloat64() / rate
		if rate < 0.1 {
			seldom++
		}
		if rate > 2.7 {
			often++
		}
	}
	differs := false
	for _, n := range []float64{0.01, 0.1, 1, 10, 100, 10_000} {
		left := 0
		for _, at := range first {
			if at > n {
				left++
			}
		}
		got, want := float64(left)/users, unmoved(n, shape)
		sigma := math.Sqrt(want * (1 - want) / users)
		if math.Abs(got-want) > 5*sigma {
			t.Errorf("after %v logins of the mean user %v are left, the formula has %v", n, got, want)
		}
		differs = differs || math.Abs(got-math.Exp(-n)) > 5*sigma // the control: all alike
	}
	if !differs {
		t.Error("users who are all alike are not told from these")
	}
	if seldom < users*24/100 || seldom > users*26/100 || often < users*9/100 || often > users*11/100 {
		t.Errorf("%d sign in less than a tenth as often as the mean, %d more than 2.7 times as often; want a quarter and a tenth", seldom, often)
	}
}

func TestUntil(t *testing.T) {
	for _, left := range []float64{0.999, 0.5, 0.1, 0.01, 1e-6} {
		if got := unmoved(until(left, shape), shape); math.Abs(got/left-1) > 1e-9 {
			t.Errorf("%v are left when %v should be", got, left)
		}
	}
}

func TestForecast(t *testing.T) {
	f := forecast(500, 1000, 800)
	if f.Mean != 0.5 || math.Abs(f.Half-3) > 1e-9 || math.Abs(f.Most-99) > 1e-9 || math.Abs(f.Nearly-9999) > 1e-6 {
		t.Errorf("%+v; want a half after 3 days, 90 %% after 99, 99 %% after 9999", f)
	}
	if d := f.Days[0]; d.Day != 1 || d.Left != int64(math.Round(800/math.Sqrt2)) {
		t.Errorf("%+v; want 800 by the root of 2 left", d)
	}
}
