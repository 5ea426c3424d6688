// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"fount/lab/show/figure"

	"golang.org/x/perf/benchfmt"
)

// figures are the goodputs by scenario, then by route: one, or one for each half second.
type figures map[string]map[string][]float64

// read reads results in Go's benchmark format.
func read(r io.Reader, name string) (figures, error) {
	all := figures{}
	for in := benchfmt.NewReader(r, name); in.Scan(); {
		result, ok := in.Result().(*benchfmt.Result)
		if !ok {
			return nil, fmt.Errorf("%s: %v", name, in.Result())
		}
		goodput, ok := result.Value("goodput")
		if !ok {
			return nil, fmt.Errorf("%s: %s has no goodput", name, result.Name)
		}
		part := map[string]string{}
		base, parts := result.Name.Parts()
		for _, p := range parts {
			key, value, _ := strings.Cut(strings.TrimPrefix(string(p), "/"), "=")
			part[key] = value
		}
		scenario := part["scenario"]
		if string(base) == "FleetSlot" {
			scenario += " by time"
		}
		if all[scenario] == nil {
			all[scenario] = map[string][]float64{}
		}
		all[scenario][part["route"]] = append(all[scenario][part["route"]], goodput)
	}
	return all, nil
}

// looks are the routes that are drawn.
var looks = []struct {
	route, name string
	look        figure.Look
}{
	{"two", "better of two (chosen)", figure.Look{Color: figure.Blue, Strong: true}},
	{"tokens", "tokens", figure.Look{Color: figure.BluishGreen}},
	{"all-stale", "best of all, stale news", figure.Look{Color: figure.Vermilion}},
	{"leave", "leave when full", figure.Look{Color: figure.Purple}},
	{"group-second", "queue group, second try", figure.Look{Color: figure.Black, Dashed: true}},
	{"group", "queue group", figure.Look{Color: figure.Black}},
}

// plot draws goodput against the load, against the number of clients, and against the time around a fault.
func plot(all figures) ([]byte, error) {
	load := figure.Lines{
		Title: "Three workers of 1, 0.5 and 0.25 cores, four clients",
		X:     figure.Axis{Label: "load (multiples of the sum of capacities)", Min: 0.4, Max: 4.1},
		Y:     figure.Axis{Label: "goodput, of what can be done", Min: 0.6, Max: 1.02},
	}
	clients := figure.Lines{
		Title: "Sixteen such workers, all that they can do is asked for",
		X:     figure.Axis{Label: "clients", Log: true, Min: 0.9, Max: 70},
		Y:     figure.Axis{Label: "goodput, of what can be done", Min: 0.5, Max: 1.02},
	}
	fault := figure.Lines{
		Title: "The worker of 0.5 cores stands still from 5 to 9 s, 0.7 of what the three can do is asked for",
		X:     figure.Axis{Label: "time (s)", Min: 3, Max: 13},
		Y:     figure.Axis{Label: "goodput, of the sum of capacities", Min: 0, Max: 1.1},
	}
	for _, l := range looks {
		series := func(scenarios []string) (figure.Series, error) {
			s := figure.Series{Name: l.name, Look: l.look}
			for _, name := range scenarios {
				values := all[name][l.route]
				if len(values) != 1 {
					return s, fmt.Errorf("%d figures of scenario %s, route %s; want 1", len(values), name, l.route)
				}
				_, x, _ := strings.Cut(name, "-")
				at, err := strconv.ParseFloat(x, 64)
				if err != nil {
					return s, err
				}
				s.Points = append(s.Points, figure.Point{X: at, Y: values[0]})
			}
			return s, nil
		}
		s, err := series([]string{"load-0.5", "load-0.8", "load-1", "load-1.5", "load-2", "load-3", "load-4"})
		if err != nil {
			return nil, err
		}
		load.Series = append(load.Series, s)
		if s, err = series([]string{"sixteen-1", "sixteen-16", "sixteen-64"}); err != nil {
			return nil, err
		}
		clients.Series = append(clients.Series, s)
		if l.route != "two" && l.route != "tokens" && l.route != "group-second" {
			continue
		}
		s.Points, s.Look.Plain = nil, true
		for i, g := range all["hang by time"][l.route] {
			if at := float64(i) / 2; at >= fault.X.Min && at <= fault.X.Max {
				s.Points = append(s.Points, figure.Point{X: at + 0.25, Y: g})
			}
		}
		fault.Series = append(fault.Series, s)
	}
	fault.X.Max += 0.25
	return figure.Stack{Title: "How a call finds its worker: simulated goodput", Panels: []figure.Lines{load, clients, fault}}.SVG()
}
