// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Figures as text.

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/perf/benchmath"
)

// seconds writes a time with three digits: "57.3 ns", "2.03 µs".
func seconds(s float64) string {
	for _, unit := range []struct {
		name string
		size float64
	}{{"ns", 1e-9}, {"µs", 1e-6}, {"ms", 1e-3}} {
		if v := s / unit.size; v < 999.5 {
			return digits(v) + " " + unit.name
		}
	}
	return digits(s) + " s"
}

// digits writes a number with three digits, and all of its digits before the point.
func digits(v float64) string {
	switch {
	case v < 9.995:
		return fmt.Sprintf("%.2f", v)
	case v < 99.95:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// plusMinus writes how far the interval goes from the median: "± 2 %".
func plusMinus(s benchmath.Summary) string {
	return "± " + strings.ReplaceAll(s.PctRangeString(), "%", " %")
}

// between writes a ratio and its interval, if it has one: "0.74 (0.73 to 0.75)".
func between(s benchmath.Summary) string { return betweenTo(2, s) }

// betweenTo is between with so many decimals.
func betweenTo(decimals int, s benchmath.Summary) string {
	if math.IsInf(s.Hi, 0) {
		return fmt.Sprintf("%.*f", decimals, s.Center)
	}
	return fmt.Sprintf("%.*f (%.*f to %.*f)", decimals, s.Center, decimals, s.Lo, decimals, s.Hi)
}
