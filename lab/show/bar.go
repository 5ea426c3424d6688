// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package show

// Bars, in eighths of a column.

import (
	"math"
	"strings"
)

// eighths are the block characters U+258F to U+2588, from one eighth of a column to a whole one.
var eighths = []rune("▏▎▍▌▋▊▉█")

// Bar draws value as a bar that is width columns long at the value full. What is above zero is seen: it gets an eighth of
// a column at least, or one '#' where the style has no Unicode. The bar is as long as it must be, not padded.
func (s Style) Bar(value, full float64, width int) string {
	if !(value > 0) || !(full > 0) || width <= 0 {
		return ""
	}
	long := math.Min(value/full, 1) * float64(width)
	if !s.Unicode {
		return strings.Repeat("#", max(1, int(math.Round(long))))
	}
	n := max(1, int(math.Round(long*8)))
	bar := strings.Repeat("█", n/8)
	if n%8 > 0 {
		bar += string(eighths[n%8-1])
	}
	return bar
}
