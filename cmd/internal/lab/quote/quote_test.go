// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"testing"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/measure"
)

// A document has the figures of the report, and none that is not told.
func TestRewrite(t *testing.T) {
	low, high := 0.25, 0.75
	report := func(share measure.Share) []lab.Result {
		return []lab.Result{{Study: "made", Groups: []lab.Group{{Name: "a x/y", Share: share,
			Columns: []lab.Column{{Name: "core ns", Judged: true}, {Name: "late", Unit: "sec", Clock: true}},
			Rows: []lab.Row{{Name: "base"}, {Name: "own, 2", Figures: []*lab.Figure{lab.Once(5), lab.Once(0.5)},
				Verdict: &lab.Verdict{Ratio: lab.Figure{Value: 0.5, Low: &low, High: &high}, Is: lab.Below}}}}}}}
	}
	mark := func(name, figure string) string { return "|<!--fount:" + name + "-->" + figure + "<!---->" }
	for share, late := range map[measure.Share]string{1: "500 ms", 0.5: "-"} {
		old, want := "", ""
		for name, figure := range map[string]string{"core_ns": "5", "late": late, "ratio": "0.50", "interval": "0.25 to 0.75"} {
			old += mark("made/x_y/own,_2/"+name, "?")
			want += mark("made/x_y/own,_2/"+name, figure)
		}
		if got, err := rewrite("page", old, report(share)); err != nil || got != want {
			t.Errorf("%v, %s\nwant %s", err, got, want)
		}
	}
	for what, text := range map[string]string{
		"a row that is not there": mark("made/x_y/own/late", "7"),
		"a mark without an end":   "<!--fount:machine-->here " + mark("machine", "there"),
	} {
		if got, err := rewrite("page", text, report(1)); err == nil {
			t.Errorf("%s: %s", what, got)
		}
	}
}
