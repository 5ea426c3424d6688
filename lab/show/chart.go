// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package show

// Bar charts.

import "strings"

// A Bar is one line of a chart.
type Bar struct {
	Label string
	Value float64 // what the bar shows; none is drawn for a value that is not above 0
	Text  string  // stands after the bar
}

// Chart draws the bars below each other, each line after indent. The greatest value fills the width.
func (s Style) Chart(bars []Bar, indent string) string {
	label, text, full := 0, 0, 0.0
	for _, b := range bars {
		label, text = max(label, columns(b.Label)), max(text, columns(b.Text))
		if b.Value > full { // which NaN is not
			full = b.Value
		}
	}
	room := s.Width - columns(indent) - label - len(gap) - len(" ") - text
	var b strings.Builder
	for _, bar := range bars {
		line := indent + bar.Label + strings.Repeat(" ", label-columns(bar.Label)) + gap
		if drawn := s.Bar(bar.Value, full, room); drawn != "" {
			line += drawn + " "
		}
		b.WriteString(strings.TrimRight(line+bar.Text, " ") + "\n")
	}
	return b.String()
}
