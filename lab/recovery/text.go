// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

// The study as text and as a picture.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fount/lab/logins"
	"fount/lab/show"
	"fount/lab/show/figure"
)

// Text is a table of all runs, and what its columns mean.
func (s Study) Text(style show.Style) string {
	var b strings.Builder
	t := show.Table{Head: []string{"service", "delays", "capacity/s", "clients", "attempts", "each", "wasted", "given up", "peak", "recovered"}}
	for _, r := range s.Runs {
		t.Rows = append(t.Rows, r.row())
	}
	b.WriteString(swap(t).Fit(style.Width, "capacity/s", "clients", "given up").String(""))
	c := s.Runs[0].Config
	b.WriteString("\n" + show.Paragraph(fmt.Sprintf("Logins arrive at %[1]g of the service's own capacity, for %[2]v at %[3]g times it, and then at %[1]g again. "+
		"An attempt ends after %[4]v. each: attempts of a login. wasted: attempts that were hashed, or part of that, for a client that had left. "+
		"given up: clients without an answer when the run ended. peak: most attempts in 100 ms after the overload, in multiples of the usual rate. "+
		"recovered: seconds from the end of the overload to the last new client whose first attempt failed; > if some failed in the last %[5]v of the run. "+
		"What the overload leaves undone takes %.0[6]f s more at least; new logins may work before that.",
		c.Usual, c.During, c.Over, c.Timeout, c.quiet(), c.least().Seconds()), style.Width, "", ""))
	return b.String()
}

// swap makes the first two columns one, as a table aligns only its first to the left.
func swap(t show.Table) show.Table {
	join := func(row []string, wide int) []string {
		return append([]string{fmt.Sprintf("%-*s  %s", wide, row[0], row[1])}, row[2:]...)
	}
	wide := len(t.Head[0])
	for _, row := range t.Rows {
		wide = max(wide, len(row[0]))
	}
	t.Head = join(t.Head, wide)
	for i, row := range t.Rows {
		t.Rows[i] = join(row, wide)
	}
	return t
}

// recovered is the time to recovery.
func (r Result) recovered() string {
	if r.Recovery == nil {
		return fmt.Sprintf(">%.0f s", (r.After - r.quiet()).Seconds())
	}
	return fmt.Sprintf("%.1f s", *r.Recovery)
}

func (r Result) row() []string {
	return []string{r.Service, r.Config.policy(), show.Ratio(r.Capacity), show.Count(int64(r.Clients)), show.Count(int64(r.Attempts)),
		show.Ratio(float64(r.Attempts) / float64(max(1, r.Clients))), show.Count(int64(r.Wasted)), show.Count(int64(r.GaveUp)), show.Ratio(r.Peak), r.recovered()}
}

// ErrNoRuns is the error of SVG for a study without runs.
var ErrNoRuns = errors.New("the study has no runs")

// colors are those of Policies.
var colors = []figure.Color{figure.Vermilion, figure.Orange, figure.Purple, figure.Blue, figure.BluishGreen}

// whatTheyAre are the services, for those who have not read about them.
var whatTheyAre = map[string]string{
	logins.MaxOut:    "A goroutine for each login",
	logins.Semaphore: "A semaphore, a place for each core",
	logins.PoolLanes: "fount/password's Pool",
}

// SVG draws a plot for each service: the attempts that began in each half second.
func (s Study) SVG() ([]byte, error) {
	if len(s.Runs) == 0 {
		return nil, ErrNoRuns
	}
	var panels []figure.Lines
	for _, service := range Services {
		for _, obey := range []bool{false, true} {
			p := figure.Lines{Title: whatTheyAre[service], X: figure.Axis{Label: "time (s)"},
				Y: figure.Axis{Label: "attempts, to the usual", Log: true}}
			if obey {
				p.Title += "; clients obey Retry-After"
			}
			for _, r := range s.Runs {
				if r.Service == service && r.Obey == obey {
					p.Series = append(p.Series, r.series())
				}
			}
			if len(p.Series) > 0 {
				panels = append(panels, p)
			}
		}
	}
	low, high, end := 1.0, 1.0, 0.0
	for _, p := range panels {
		for _, series := range p.Series {
			for _, at := range series.Points {
				low, high, end = min(low, at.Y), max(high, at.Y), max(end, at.X)
			}
		}
	}
	c := s.Runs[0].Config
	low, high = low/1.2, 1.2*high
	overload := figure.Series{Name: "overloaded", Look: figure.Look{Plain: true, Dashed: true, Color: figure.Black}, Points: []figure.Point{
		{X: c.Before.Seconds(), Y: low}, {X: c.Before.Seconds(), Y: high},
		{X: (c.Before + c.During).Seconds(), Y: high}, {X: (c.Before + c.During).Seconds(), Y: low}}}
	for i := range panels {
		p := &panels[i]
		p.X.Max, p.Y.Min, p.Y.Max = max(end, (c.Before+c.During).Seconds()), low, high
		p.Series = append(p.Series, overload)
	}
	return figure.Stack{
		Title:  "Clients that retry while a login service is overloaded, and after",
		Panels: panels,
		Caption: []string{
			fmt.Sprintf("%s, GOMAXPROCS %d, %s. bcrypt cost %d. Logins at %g of the capacity, overloaded at %g; an attempt ends after %v.",
				s.CPU, s.GOMAXPROCS, s.GoVersion, c.Cost, c.Usual, c.Over, c.Timeout),
			"Lines: attempts in each half second, in multiples of the usual ones. In the key: time until new logins work again;",
			"part of the hashes that were made for clients that had left.",
		},
	}.SVG()
}

// wastedPart is the part of the hashes that were made for nobody.
func (r Result) wastedPart() float64 {
	return float64(r.Wasted) / float64(max(1, r.Wasted+r.LoggedIn))
}

// series is the attempts of a run, in multiples of the usual rate; at least 0.1, as the axis is logarithmic.
func (r Result) series() figure.Series {
	const part = int(500 * time.Millisecond / slot)
	line := figure.Series{Name: fmt.Sprintf("%s: %s, %.0f %%", r.Policy, r.recovered(), 100*r.wastedPart()), Look: figure.Look{Plain: true, Color: colors[max(0, slices.Index(Policies, r.Policy))%len(colors)]}}
	for i := 0; i+part <= len(r.Slots); i += part {
		n := 0
		for _, s := range r.Slots[i : i+part] {
			n += s.Attempts
		}
		rate := float64(n) / 0.5 / (r.Usual * r.Capacity)
		line.Points = append(line.Points, figure.Point{X: float64(i) * slot.Seconds(), Y: max(rate, 0.1)})
	}
	return line
}
