// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// peers-values.svg: the cost of single values, in bars.

import (
	"fmt"
	"strings"

	"fount/bench/peers"
	"fount/lab/measure"
	"fount/lab/show/figure"
)

// longest is the ratio at which a bar ends, so that the others can be told apart.
const longest = 1.5

// drawValues draws the plot, nil if no single value was measured.
func drawValues(r *Result) ([]byte, error) {
	b := figure.Bars{
		Title:   "Single values: the cost of one, to that of the usual way",
		Unit:    "cost to that of the peer that has 1",
		Keys:    []figure.Key{{Name: "one core", Color: figure.Blue}},
		Mark:    1,
		Caption: append([]string{fmt.Sprintf("Bars end at %.1f; the figures beside them are costs on one core, %s.", longest, clockOf(r))}, captions(r)...),
	}
	draws := []bool{false} // on all cores?
	if r.Cores > 1 {
		b.Keys = append(b.Keys, figure.Key{Name: fmt.Sprintf("%d cores at once", r.Cores), Color: figure.SkyBlue})
		draws = append(draws, true)
	}
	for _, task := range peers.Values {
		base := peer(task.Base)
		if !r.has(task, base) {
			continue
		}
		for _, p := range r.measured(task) {
			row := figure.Row{Label: task.Name + ": " + p.Name, Strong: strings.HasPrefix(p.Name, "fount"), Text: times(r.cost(task, p, false).Median)}
			for _, all := range draws {
				ratio := measure.Of(measure.Over(r.costs(task, p, all), r.costs(task, base, false))...).Median
				row.Values = append(row.Values, min(ratio, longest))
			}
			b.Rows = append(b.Rows, row)
		}
	}
	if b.Rows == nil {
		return nil, nil
	}
	return b.SVG()
}

func clockOf(r *Result) string {
	if r.cpu() {
		return "CPU time"
	}
	return "time by the clock"
}
