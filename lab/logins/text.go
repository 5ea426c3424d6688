// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// One run for people.

import (
	"fmt"
	"strconv"
	"time"

	"fount/lab/show"
)

// String says how far the run is, and what became of its requests so far.
func (p Progress) String() string {
	line := fmt.Sprintf("%.0f of %.0f s: %d in time, %d late", p.Elapsed.Seconds(), p.Of.Seconds(), p.Good, p.Late)
	if p.Refused > 0 {
		line += fmt.Sprintf(", %d refused", p.Refused)
	}
	if p.Expired > 0 {
		line += fmt.Sprintf(", %d gave up", p.Expired)
	}
	if p.Left > 0 {
		line += fmt.Sprintf("; %d under way", p.Left)
	}
	return line
}

// Text is the post's two lines, and what else was measured.
func (r *Report) Text(s show.Style) string {
	took := time.Duration(r.Seconds * float64(time.Second)).Round(time.Millisecond)
	text := fmt.Sprintf("number of compares: %d\ntime taken: %v\n\n", r.Compares, took)
	rates := show.Table{Head: []string{"", "calls", "/s"}}
	add := func(name string, n int64, perSecond string) {
		rates.Rows = append(rates.Rows, []string{name, strconv.FormatInt(n, 10), perSecond})
	}
	finished := ""
	if r.Finished != nil {
		finished = show.PerSecond(*r.Finished)
	}
	add("submitted", r.Submitted, show.PerSecond(r.Offered))
	add("in time", r.Good, show.PerSecond(r.Goodput))
	add("late", r.Late, "")
	add("refused", r.Refused, "")
	add("given up", r.Expired, "")
	add("failed", r.Failed, "")
	add("unanswered", r.Unanswered, "")
	rates.Rows = append(rates.Rows, []string{"compares that ended", "", finished})
	times := show.Table{Head: []string{"ms", "count", "p50", "p99", "p99.9", "greatest"}}
	for _, row := range []struct {
		name string
		of   *Summary
	}{
		{"latency", r.Latency}, {"wait", r.Wait}, {"service", r.Service}, {"refusal", r.Refusal},
		{"heartbeat late", r.Heartbeat}, {"HTTP late", r.Endpoint},
	} {
		if of := row.of; of != nil {
			times.Rows = append(times.Rows, []string{row.name, strconv.FormatInt(of.Count, 10),
				millis(of.P50), millis(of.P99), millis(of.P999), millis(of.Max)})
		}
	}
	return text + rates.String(show.Indent) + "\n" + times.Fit(s.Width-len(show.Indent), "p99.9", "count").String(show.Indent)
}

// millis is a time in ms, "-" for none.
func millis(v *float64) string {
	if v == nil {
		return "-"
	}
	return show.MS(*v)
}
