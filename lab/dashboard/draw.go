// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The picture.

import (
	"context"
	"fmt"

	"fount/lab/show/figure"
)

// units are how much of each unit of Grafana's is 1 in the picture, and what that is called.
var units = map[string]struct {
	of   float64
	name string
}{
	"reqps": {1, "calls/s"}, "ops": {1, "1/s"}, "s": {1e-3, "ms"}, "percentunit": {0.01, "%"}, "bytes": {1 << 20, "MiB"}, "none": {1, ""},
}

var palette = []figure.Color{
	figure.Blue, figure.Vermilion, figure.BluishGreen, figure.Orange, figure.Purple, figure.SkyBlue, figure.Gray, figure.Black,
}

// draw asks the server for all panels, and draws them. The note is below, unless empty.
func (b board) draw(ctx context.Context, c client, s span, note string) ([]byte, error) {
	g := figure.Grid{Title: "Dashboard " + b.Title, Caption: []string{
		"Drawn without Grafana, by lab/dashboard: the queries, legends and units of deploy/grafana/fount.json, with the data of a real Prometheus.",
	}}
	if note != "" {
		g.Caption = append(g.Caption, note)
	}
	for _, p := range b.Panels {
		unit, ok := units[p.FieldConfig.Defaults.Unit]
		if !ok && len(p.Targets) > 0 {
			return nil, fmt.Errorf("panel %q: the unit %q is not known", p.Title, p.FieldConfig.Defaults.Unit)
		}
		plot := figure.Lines{
			Title: p.Title,
			X:     figure.Axis{Label: "seconds", Max: s.end.Sub(s.start).Seconds()},
			Y:     figure.Axis{Label: unit.name, Max: 1},
		}
		most := 0.0
		for _, t := range p.Targets {
			query, err := expanded(t.Expr, s.scrape)
			if err != nil {
				return nil, fmt.Errorf("panel %q: %w", p.Title, err)
			}
			list, err := c.over(ctx, query, s)
			if err != nil {
				return nil, fmt.Errorf("panel %q: %w", p.Title, err)
			}
			for _, one := range list {
				for i := range one.points {
					one.points[i].Y /= unit.of
					most = max(most, one.points[i].Y)
				}
				k := len(plot.Series)
				look := figure.Look{Color: palette[k%len(palette)], Dashed: k >= len(palette), Plain: true, Gap: 2.5 * s.step().Seconds()}
				plot.Series = append(plot.Series, figure.Series{Name: one.name(t.LegendFormat), Points: one.points, Look: look})
			}
		}
		if most > 0 {
			plot.Y.Max = 1.1 * most
		}
		switch p.Type {
		case "timeseries":
			g.Panels = append(g.Panels, plot)
		case "stat":
			g.Numbers = append(g.Numbers, p.number(plot, unit.of, unit.name))
		}
	}
	return g.SVG()
}

// number is the last value of a panel, in the colour of the threshold that it has reached.
func (p panel) number(of figure.Lines, scale float64, unit string) figure.Stat {
	n := figure.Stat{Title: p.Title, Value: "no data"}
	if len(of.Series) == 0 {
		return n
	}
	points := of.Series[0].Points
	last := points[len(points)-1].Y
	n.Value = fmt.Sprintf("%.3g", last)
	switch unit {
	case "":
	case "%":
		n.Value += unit
	default:
		n.Value += " " + unit
	}
	for _, step := range p.FieldConfig.Defaults.Thresholds.Steps {
		if step.Value == nil || last*scale >= *step.Value {
			n.Color = map[string]figure.Color{"red": figure.Vermilion, "orange": figure.Orange, "green": figure.BluishGreen}[step.Color]
		}
	}
	return n
}
