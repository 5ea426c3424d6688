// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fount/cmd/internal/lab/show"
)

// A View shows what a process did between its last two samples. It must be used by one goroutine at
// a time.
type View struct {
	Source   *Source
	Interval time.Duration
	Err      error // of the last look

	now     interval             // between the last two samples; zero before the first
	demand  map[string][]float64 // rates of the pools in the past intervals
	goodput map[string][]float64
}

// Look adds a sample of the process.
func (v *View) Look(ctx context.Context) { v.add(v.Source.read(ctx)) }

// add adds a sample, or the error of reading it. Lines shows the error, as the process may come
// back.
func (v *View) add(s *sample, err error) {
	v.Err = err
	if err != nil {
		return
	}

	v.now = intervalOf(v.now.is, s)
	if v.now.length == 0 {
		return
	}

	if v.demand == nil {
		v.demand = make(map[string][]float64)
		v.goodput = make(map[string][]float64)
	}
	for _, pool := range s.pools() {
		v.demand[pool] = lastOf(append(v.demand[pool], v.now.rate(pool, submitted)))
		v.goodput[pool] = lastOf(append(v.goodput[pool], v.now.outcomes(pool)[answered]))
	}
}

// submitted counts the calls of a pool.
const submitted = "fount_password_calls_submitted_total"

// lastOf returns as many of the last rates as a line has room for.
func lastOf(rates []float64) []float64 { return rates[max(0, len(rates)-40):] }

// Lines returns the lines to show.
func (v *View) Lines() []string {
	lines := []string{fmt.Sprintf("fount top  %s  every %v  %s", v.Source.Address, v.Interval, time.Now().Format(time.TimeOnly))}
	switch {
	case v.Err != nil:
		lines = append(lines, "gone: "+v.Err.Error())
	case v.now.length == 0:
		lines = append(lines, "figures since the start of the process; rates after "+v.Interval.String())
	}

	if v.now.is != nil {
		lines = append(lines,
			fmt.Sprintf("random     %s, %.0f reseeds", v.now.is.mode, v.now.is.of("", "fount_random_reseeds_total")),
			"goroutines late "+v.now.quantiles("", "fount_scheduler_lateness_seconds"))
		for _, pool := range v.now.is.pools() {
			lines = append(lines, v.pool(pool)...)
		}
		lines = append(lines, v.principals()...)
	}

	for i, line := range lines { // names are the process's, and may have any characters
		lines[i] = show.Printable(strings.ReplaceAll(line, "\n", "?"))
	}
	return lines
}

// pool returns the lines about a pool.
func (v *View) pool(pool string) []string {
	of := func(name string) float64 { return v.now.is.of(pool, "fount_password_"+name) }
	outcomes := v.now.outcomes(pool)
	full := 0.0
	for _, rate := range v.demand[pool] {
		full = max(full, rate)
	}

	return []string{
		"",
		"pool " + pool,
		fmt.Sprintf("  demand   %6.1f/s  %s", v.now.rate(pool, submitted), bars(v.demand[pool], full)),
		fmt.Sprintf("  goodput  %6.1f/s  %s", outcomes[answered], bars(v.goodput[pool], full)),
		"  others   " + others(outcomes),
		"  wait     " + v.now.quantiles(pool, "fount_password_wait_seconds") + "  limit " + show.Seconds(of("max_wait_seconds")),
		"  answer   " + v.now.quantiles(pool, "fount_password_duration_seconds"),
		fmt.Sprintf("  workers  %.0f of %.0f busy, %.0f hashes wait", of("workers_busy"), of("workers"), of("hashes_queued")),
		fmt.Sprintf("  memory   %s of %s", show.Size(of("memory_in_use_bytes")), show.Size(of("memory_limit_bytes"))),
	}
}

// others returns the rates of calls that got no answer, in the order of outcomes.
func others(rates map[outcome]float64) (text string) {
	byReason := func(a, b outcome) int { return cmp.Compare(a.reason, b.reason) }
	for _, name := range []string{"refused", "dropped", "expired", "canceled", "invalid"} {
		for _, o := range slices.SortedFunc(maps.Keys(rates), byReason) {
			if o.name == name && rates[o] > 0 {
				text += fmt.Sprintf("%s %.1f/s  ", strings.TrimSpace(o.name+" "+o.reason), rates[o])
			}
		}
	}
	return text
}

// principals returns the lines about the principals of a fountd that use most of it.
func (v *View) principals() (lines []string) {
	top := v.now.is.top
	if len(top) > 0 {
		lines = append(lines, "  heaviest principals:")
	}
	for _, p := range top[:min(5, len(top))] {
		lines = append(lines, fmt.Sprintf("    %.16s  %s", p.ID, show.Seconds(p.Weight/1000)))
	}
	return lines
}

// bars draws a bar for each rate, at full height for the rate full.
func bars(rates []float64, full float64) string {
	if full == 0 {
		return ""
	}

	steps := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, rate := range rates {
		height := min(1, rate/full)
		b.WriteRune(steps[int(height*float64(len(steps)-1))])
	}
	return b.String()
}
