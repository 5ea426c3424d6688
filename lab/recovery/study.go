// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

// The study: each service with each policy of delays, and with each once more where clients obey Retry-After.

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"fount/lab"
	"fount/lab/child"
	"fount/lab/logins"
)

// Study is fount bench recovery. One round decides nothing between policies: repeat it with --count.
var Study = lab.Study{
	Name: "recovery", About: "how a login service comes back from an overload, while its clients retry", Time: 100 * time.Second,
	Run: study, Child: serve,
}

// serve makes one run in a process of its own.
func serve(in *json.Decoder, out *json.Encoder) error {
	var c Config
	if err := in.Decode(&c); err != nil {
		return err
	}
	r, err := Run(context.Background(), c)
	if err != nil {
		return err
	}
	return out.Encode(r)
}

// plan is all runs, with times divided by divisor.
func plan(divisor time.Duration) (runs []Config) {
	for _, service := range Services {
		for _, obey := range []bool{false, true} {
			for _, policy := range Policies {
				if obey && (service != logins.Pool || policy != Full) {
					continue
				}
				c := Usual(service, policy, obey)
				c.Probe /= divisor
				c.Before /= divisor
				c.During /= divisor
				c.After /= divisor
				c.Calm /= divisor
				runs = append(runs, c)
			}
		}
	}
	return runs
}

// columns are the figures; what each is, Result says.
var columns = []struct {
	lab.Column
	of func(Result) float64
}{
	{lab.Column{Name: "recovered", Unit: "sec"}, nil},
	{lab.Column{Name: "attempts each"}, func(r Result) float64 { return float64(r.Attempts) / float64(max(1, r.Clients)) }},
	{lab.Column{Name: "wasted"}, func(r Result) float64 { return float64(r.Wasted) / float64(max(1, r.Attempts)) }},
	{lab.Column{Name: "gave up"}, func(r Result) float64 { return float64(r.GaveUp) / float64(max(1, r.Clients)) }},
	{lab.Column{Name: "peak by usual"}, func(r Result) float64 { return r.Peak }},
}

func study(r *lab.Run) {
	divisor := time.Duration(1)
	if r.Quick {
		divisor = 3
	}
	const name = "Logins at 0.25 of the capacity, for a while at 2, and at 0.25 again"
	var runs []Config
	for _, c := range plan(divisor) {
		if r.Wants(name, c.Name()) {
			runs = append(runs, c)
		}
	}
	results := make([][]Result, len(runs))
	rounds := max(1, r.Count)
	for round := range rounds {
		for k, i := range rand.Perm(len(runs)) {
			if r.Over() {
				return
			}
			r.Show("%d of %d: %s", round*len(runs)+k+1, rounds*len(runs), runs[i].Name())
			runs[i].Seed = uint64(round + 1) // the same arrivals for all of a round
			result, err := child.Run[Result](r.Context, "recovery", runs[i])
			if err != nil {
				r.Fail(fmt.Errorf("%s: %w", runs[i].Name(), err))
				return
			}
			results[i] = append(results[i], result)
		}
	}
	g := lab.Group{Name: name}
	for _, c := range columns {
		g.Columns = append(g.Columns, c.Column)
	}
	for i, c := range runs {
		g.Rows = append(g.Rows, rowOf(c, i, results[i]))
	}
	if len(g.Rows) > 0 {
		r.Add(g)
	}
}

// rowOf is the row of some runs of one service, compared with none: one has not recovered where its time is not known.
func rowOf(c Config, place int, results []Result) lab.Row {
	row := lab.Row{Name: c.Name(), Base: place}
	var recovered []float64
	for _, r := range results {
		if r.Recovery != nil {
			recovered = append(recovered, *r.Recovery)
		}
	}
	var time *lab.Figure
	if len(recovered) == len(results) {
		time = lab.Of(recovered...)
	}
	row.Figures = append(row.Figures, time)
	for _, of := range columns[1:] {
		var rounds []float64
		for _, r := range results {
			rounds = append(rounds, of.of(r))
		}
		row.Figures = append(row.Figures, lab.Of(rounds...))
	}
	return row
}

// Name is the service and the delays.
func (c Config) Name() string {
	name := c.Service + ", " + c.Policy
	if c.Obey {
		name += ", obeying"
	}
	return name
}
