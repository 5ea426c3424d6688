// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Figures as text.

import (
	"fmt"
	"strings"

	"fount/lab/measure"
)

// times writes a time in ns with three digits: "57.3 ns", "2.03 µs".
func times(ns float64) string {
	for _, unit := range []string{"ns", "µs", "ms"} {
		switch {
		case ns < 9.995:
			return fmt.Sprintf("%.2f %s", ns, unit)
		case ns < 99.95:
			return fmt.Sprintf("%.1f %s", ns, unit)
		case ns < 999.5:
			return fmt.Sprintf("%.0f %s", ns, unit)
		}
		ns /= 1000
	}
	return fmt.Sprintf("%.2f s", ns)
}

// plusMinus writes how far the interval goes from the median: "± 2 %".
func plusMinus(s *measure.Sample) string {
	if _, _, ok := s.Interval(); !ok {
		return "± ∞"
	}
	return "± " + strings.ReplaceAll(s.Percent(), "%", " %")
}

// between writes a ratio with so many decimals and its interval, if it has one: "0.74 (0.73 to 0.75)".
func between(decimals int, s *measure.Sample) string {
	low, high, ok := s.Interval()
	if !ok {
		return fmt.Sprintf("%.*f", decimals, s.Median)
	}
	return fmt.Sprintf("%.*f (%.*f to %.*f)", decimals, s.Median, decimals, low, decimals, high)
}
