// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"context"
	"fmt"
	"maps"
	"math"
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

	was, is *sample
	Err     error                // of the last look
	demand  map[string][]float64 // rates of the pools' past intervals
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

	v.was, v.is = v.is, s
	if v.demand == nil {
		v.demand = make(map[string][]float64)
		v.goodput = make(map[string][]float64)
	}

	if v.was == nil || s.anew(v.was) {
		return
	}

	for _, pool := range s.pools() {
		v.demand[pool] = last(append(v.demand[pool], v.rate(pool, "fount_password_calls_submitted_total")))
		v.goodput[pool] = last(append(v.goodput[pool], v.ended(pool)["answered"]))
	}
}

// last returns as many of the last rates as a line has room for.
func last(rates []float64) []float64 { return rates[max(0, len(rates)-40):] }

// Lines returns the lines to show.
func (v *View) Lines() []string {
	lines := []string{fmt.Sprintf("fount top  %s  every %v  %s", v.Source.Address, v.Interval, time.Now().Format(time.TimeOnly))}
	switch {
	case v.Err != nil:
		lines = append(lines, "gone: "+v.Err.Error())
	case v.was == nil || v.is.anew(v.was):
		lines = append(lines, "figures since the start of the process; rates after "+v.Interval.String())
	}

	if v.is != nil {
		lines = append(lines, fmt.Sprintf("random     %s, %.0f reseeds", v.is.mode, v.is.of("", "fount_random_reseeds_total")),
			"goroutines late "+v.quantiles("", "fount_scheduler_lateness_seconds"))
		for _, pool := range v.is.pools() {
			lines = append(lines, v.pool(pool)...)
		}

		if len(v.is.top) > 0 {
			lines = append(lines, "  heaviest principals:")
		}
		for _, p := range v.is.top[:min(5, len(v.is.top))] {
			lines = append(lines, fmt.Sprintf("    %.16s  %s", p.ID, show.Seconds(p.Weight/1000)))
		}
	}

	for i, line := range lines {
		lines[i] = show.Printable(strings.ReplaceAll(line, "\n", "?"))
	}
	return lines
}

// pool returns the lines about one pool.
func (v *View) pool(pool string) []string {
	of := func(name string) float64 { return v.is.of(pool, "fount_password_"+name) }

	ended := v.ended(pool)
	rates := func(kinds ...string) (text string) {
		for _, kind := range kinds {
			for _, key := range slices.Sorted(maps.Keys(ended)) {
				if name, reason, _ := strings.Cut(key, " "); name == kind && ended[key] > 0 {
					text += fmt.Sprintf("%s %.1f/s  ", strings.TrimSpace(name+" "+reason), ended[key])
				}
			}
		}
		return text
	}

	return []string{
		"",
		"pool " + pool,
		fmt.Sprintf("  demand   %6.1f/s  %s", v.rate(pool, "fount_password_calls_submitted_total"), v.spark(v.demand[pool], v.demand[pool])),
		fmt.Sprintf("  goodput  %6.1f/s  %s", ended["answered"], v.spark(v.goodput[pool], v.demand[pool])),
		"  others   " + rates("refused", "dropped", "expired", "canceled", "invalid"),
		"  wait     " + v.quantiles(pool, "fount_password_wait_seconds") + "  limit " + show.Seconds(of("max_wait_seconds")),
		"  answer   " + v.quantiles(pool, "fount_password_duration_seconds"),
		fmt.Sprintf("  workers  %.0f of %.0f busy, %.0f hashes wait", of("workers_busy"), of("workers"), of("hashes_queued")),
		fmt.Sprintf("  memory   %s of %s", show.Size(of("memory_in_use_bytes")), show.Size(of("memory_limit_bytes"))),
	}
}

// base returns the sample before the last, and the seconds between the two. If there is none, or
// the process restarted, base returns an empty sample and +Inf, so that rates are 0.
func (v *View) base() (was *sample, seconds float64) {
	if v.was == nil || v.is.anew(v.was) {
		return new(sample), math.Inf(1)
	}
	return v.was, v.is.at.Sub(v.was.at).Seconds()
}

// rate returns by how much a counter rose a second. It is 0 for one that fell, as it restarted.
func (v *View) rate(pool, name string) float64 {
	was, seconds := v.base()
	return max(0, v.is.of(pool, name)-was.of(pool, name)) / seconds
}

// ended returns rates of calls by outcome and reason. Calls that compared or made a hash are
// "answered".
func (v *View) ended(pool string) map[string]float64 {
	was, seconds := v.base()
	rates := make(map[string]float64)
	for key, n := range v.is.values {
		if key.name != "fount_password_calls_total" || key.pool != pool {
			continue
		}

		name := strings.TrimSpace(key.outcome + " " + strings.TrimPrefix(key.reason, "none"))
		switch key.outcome {
		case "match", "mismatch", "unknown", "hashed":
			name = "answered"
		}

		rates[name] += max(0, n-was.values[key]) / seconds
	}
	return rates
}

// quantiles returns the quantiles of the last interval. Each is the upper end of a bucket, up to
// twice the true value.
func (v *View) quantiles(pool, name string) string {
	was, _ := v.base()
	key := series{name: name, pool: pool}
	is, before := v.is.times[key], was.times[key]
	return "p50 " + is.quantile(0.5, before) + "  p99 " + is.quantile(0.99, before)
}

// spark draws a bar for each rate, at full height for the greatest rate of scale.
func (v *View) spark(rates, scale []float64) string {
	full := 0.0
	for _, rate := range scale {
		full = max(full, rate)
	}

	if full == 0 {
		return ""
	}

	steps := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, rate := range rates {
		b.WriteRune(steps[int(min(1, rate/full)*float64(len(steps)-1))])
	}
	return b.String()
}
