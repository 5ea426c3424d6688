// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package show

// Numbers as people read them.

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Figure writes a number in a unit as benchstat writes it: times in a unit that fits, great rates
// with two digits, others with three.
func Figure(x float64, unit string) string {
	switch {
	case unit == "sec" || strings.HasSuffix(unit, "sec/op"):
		return Seconds(x)
	case unit == "op/s" && x >= 100:
		return Rate(x)
	case math.Abs(x) >= 1e9:
		return strconv.FormatFloat(x, 'g', 3, 64)
	case 0 < math.Abs(x) && math.Abs(x) < 0.1:
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	return Ratio(x)
}

// Ratio writes a number with three digits, and at most two decimals; 0 has none.
func Ratio(x float64) string {
	if x == 0 {
		return "0"
	}
	decimals := 2
	for limit := 9.995; decimals > 0 && math.Abs(x) >= limit; limit *= 10 {
		decimals--
	}
	return group(strconv.FormatFloat(x, 'f', decimals, 64))
}

// Known is Ratio of a number that may not be known: - for nil.
func Known(x *float64) string {
	if x == nil {
		return "-"
	}
	return Ratio(*x)
}

// Seconds writes a time in a unit that fits.
func Seconds(v float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if math.Abs(v) >= 0.9995*u.size {
			return Ratio(v/u.size) + " " + u.name
		}
	}

	if v == 0 {
		return "0 s"
	}
	return Ratio(v*1e9) + " ns"
}

// Rate writes a number of events with two significant digits: 357142.8 is 360,000.
func Rate(x float64) string {
	if x <= 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	unit := math.Pow(10, math.Max(0, math.Floor(math.Log10(x))-1))
	return group(strconv.FormatFloat(math.Round(x/unit)*unit, 'f', 0, 64))
}

// Size writes a number of bytes to three digits, in binary units.
func Size(n float64) string {
	if n < 1000 {
		return fmt.Sprintf("%.0f B", n)
	}

	const prefixes = "KMGTPE"
	i := 0
	for n /= 1024; n >= 1000 && i+1 < len(prefixes); i++ { // 1010 KiB had four digits
		n /= 1024
	}
	return fmt.Sprintf("%s %ciB", Ratio(n), prefixes[i])
}

// Count writes a whole number: 1234567 is 1,234,567.
func Count(n int64) string { return group(strconv.FormatInt(n, 10)) }

// group puts a comma after each three digits left of the point.
func group(number string) string {
	whole, fraction, point := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + fraction
	}
	return whole
}
