// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

import (
	"bytes"
	"strings"
	"testing"
)

// Plots stand side by side, each within its half, and a line is broken where its points are far apart.
func TestGrid(t *testing.T) {
	series := func(gap float64) Series {
		return Series{"a", []Point{{0, 1}, {1, 2}, {5, 2}, {6, 1}}, Look{Color: Blue, Plain: true, Gap: gap}}
	}
	plot := func(gap float64) Lines {
		return Lines{Title: "plot", X: Axis{Label: "seconds", Max: 6}, Y: Axis{Label: "ms", Max: 2}, Series: []Series{series(gap)}}
	}
	g := Grid{Title: "board", Numbers: []Stat{{"refused", "22 %", Vermilion}}, Panels: []Lines{plot(0), plot(2), plot(0)}, Caption: []string{"below"}}
	svg, err := g.SVG()
	text := string(drawn(t, "grid", svg, err))
	for _, want := range []string{`width="1600"`, ">board<", ">refused<", ">22 %<", ">below<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the grid has no %s", want)
		}
	}
	const stroke = `" fill="none" stroke="` + string(Blue) + `"`
	if n := strings.Count(text, stroke); n != 3+3+1 { // three keys, three lines, of which one is in two parts
		t.Errorf("%d blue lines, want 7", n)
	}
	var right int
	for line := range bytes.Lines(svg) {
		if bytes.Contains(line, []byte(`<path d="M872 `)) { // Width + leftSpace
			right++
		}
	}
	if right == 0 {
		t.Error("no plot begins in the right half")
	}
	g.Panels[1].Series[0].Points = nil
	if _, err := g.SVG(); err == nil {
		t.Error("a series without points is drawn")
	}
}
