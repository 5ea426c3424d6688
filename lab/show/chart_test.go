// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of charts, and of tables that lose columns.

package show

import (
	"math"
	"strings"
	"testing"
)

func TestChart(t *testing.T) {
	bars := []Bar{{"one", 10, "10.0"}, {"three", 30, "30.0"}, {"größe", 15, "15"}, {"none", 0, "-"}, {"odd", math.NaN(), ""}}
	for _, test := range []struct {
		style Style
		want  string
	}{
		{Style{Width: 26, Unicode: true}, "" +
			"  one    ████ 10.0\n" +
			"  three  ████████████ 30.0\n" +
			"  größe  ██████ 15\n" +
			"  none   -\n" +
			"  odd\n"},
		{Style{Width: 26}, "" +
			"  one    #### 10.0\n" +
			"  three  ############ 30.0\n" +
			"  größe  ###### 15\n" +
			"  none   -\n" +
			"  odd\n"},
		{Style{Width: 14}, "  one    10.0\n  three  30.0\n  größe  15\n  none   -\n  odd\n"}, // no room for bars
	} {
		got := test.style.Chart(bars, "  ")
		if got != test.want {
			t.Errorf("%+v: got\n%swant\n%s", test.style, got, test.want)
		}
		for line := range strings.Lines(got) {
			if n := columns(strings.TrimSuffix(line, "\n")); n > test.style.Width {
				t.Errorf("%d columns of %d: %q", n, test.style.Width, line)
			}
		}
	}
	if got := (Style{Width: 80}).Chart(nil, "  "); got != "" {
		t.Errorf("a chart of nothing is %q", got)
	}
}

func TestFit(t *testing.T) {
	table := Table{Head: []string{"name", "a", "b", "c", ""}, Rows: [][]string{{"x", "1", "2", "3", "a remark that is long"}}, Last: true}
	for width, want := range map[int]string{15: "name a b c ", 14: "name a c ", 12: "name a c ", 11: "name a ", 3: "name a "} {
		if got := strings.Join(table.Fit(width, "b", "nothing", "c").Head, " "); got != want {
			t.Errorf("in %d columns the head is %q, want %q", width, got, want)
		}
	}
	if len(table.Head) != 5 {
		t.Error("the table itself lost columns")
	}
}
