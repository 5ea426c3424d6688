// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Runs and studies for people.

import (
	"fmt"
	"slices"
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
	for _, sentence := range r.sentences() {
		text += show.Paragraph(sentence, s.Width, "", show.Indent)
	}
	t := show.Table{Head: []string{"ms", "count", "p50", "p99", "p99.9", "greatest"}}
	for _, row := range []struct {
		name string
		of   *Summary
	}{
		{"latency", r.Latency}, {"wait", r.Wait}, {"service", r.Service}, {"refusal", r.Refusal},
		{"heartbeat late", r.Heartbeat}, {"endpoint late", r.Endpoint},
	} {
		if of := row.of; of != nil {
			t.Rows = append(t.Rows, []string{row.name, strconv.FormatInt(of.Count, 10),
				millis(of.P50), millis(of.P99), millis(of.P999), millis(of.Max)})
		}
	}
	return text + "\n" + t.Fit(s.Width-len(show.Indent), "p99.9", "count").String(show.Indent)
}

// sentences say what became of the requests, and what that took.
func (r *Report) sentences() []string {
	rate, deadline := show.PerSecond, r.Config.Deadline
	within := fmt.Sprintf("Of %s requests/s, %s/s were answered within %v", rate(r.Offered), rate(r.Goodput), deadline)
	switch {
	case !r.Config.Open():
		within = fmt.Sprintf("%s compares/s until the last had ended, %s/s within %v.", rate(*r.Finished), rate(r.Goodput), deadline)
	case r.Finished == nil:
		within += fmt.Sprintf("; %d compares were under way at the end.", r.Unanswered)
	default:
		within += fmt.Sprintf("; %s compares/s ended.", rate(*r.Finished))
	}
	counts := fmt.Sprintf("%d submitted: %d in time, %d late, %d refused, %d given up, %d failed, "+
		"%d without an answer at the end.",
		r.Submitted, r.Good, r.Late, r.Refused, r.Expired, r.Failed, r.Unanswered)
	used := fmt.Sprintf("GOMAXPROCS %d", r.GOMAXPROCS)
	if r.Cores > 0 {
		used += fmt.Sprintf(", %.2f cores used", r.Cores)
	}
	if r.Memory.Peak > 0 {
		used += fmt.Sprintf(", memory %s at its peak", show.Size(float64(r.Memory.Peak)))
	}
	if r.Memory.Peak > 0 && r.Memory.Base > 0 {
		used += fmt.Sprintf(", %s before", show.Size(float64(r.Memory.Base)))
	}
	return []string{within, counts, used + "."}
}

// leastOfStudy are the columns of a study's table that a narrow screen loses, the first to go first.
var leastOfStudy = []string{"RSS", "cores", "late", "p50", "endpoint", "heartbeat", "refused", "finished/s", "w"}

// Heading is the title, and made, which says how the study is made.
func (p Plan) Heading(made string, s show.Style) string {
	return show.Paragraph(show.Sentence(p.About), s.Width, "", "") + show.Paragraph(made, s.Width, "", "")
}

// Text is what stands below the heading: the table and the conditions.
func (f *Finding) Text(s show.Style) (text string) {
	if len(f.table.Rows) > 0 {
		text += "\n" + f.table.Fit(s.Width-len(show.Indent), leastOfStudy...).String(show.Indent)
	}
	for _, note := range f.notes {
		text += "\n" + show.Paragraph(note, s.Width, show.Indent, show.Indent)
	}
	if len(f.Conditions) > 0 {
		text += "\nConditions\n"
	}
	for _, c := range f.Conditions {
		text += s.Items(c.String())
	}
	return text
}

// table has a row for each run.
func (s *Study) table() show.Table {
	t := show.Table{Head: []string{"", "calls", "b", "w", "s", "compares", "post", "finished/s", "goodput/s", "refused", "late",
		"p50", "p99", "heartbeat", "endpoint", "cores", "RSS"}}
	for i, r := range s.Runs {
		name, calls, buffer, workers, post, finished := r.Config.Mechanism, strconv.Itoa(r.Config.Callers), "-", "-", "-", "-"
		if r.Config.Mechanism == Buffered {
			buffer = strconv.Itoa(r.Config.Buffer)
		}
		if r.Config.FanIn {
			name += ", fan in"
		}
		if s.Name == tableName && i < len(postRuns) {
			post = strconv.FormatInt(postRuns[i].compares, 10)
		}
		if r.Config.Open() {
			calls = show.PerSecond(r.Config.Rate) + "/s"
		}
		if r.Config.Engine != "" {
			name += ", " + r.Config.Engine
		}
		if r.Config.HangUp {
			name += ", hang up"
		}
		if r.Finished != nil {
			finished = show.PerSecond(*r.Finished)
		}
		if r.Config.Workers > 0 {
			workers = strconv.Itoa(r.Config.Workers)
		}
		t.Rows = append(t.Rows, []string{
			name, calls, buffer, workers, show.PerSecond(r.Seconds), fmt.Sprint(r.Compares), post, finished,
			show.PerSecond(r.Goodput), share(r.Refused, r.Submitted), share(r.Submitted-r.Refused-r.Good, r.Submitted),
			millis(r.Latency.p50()), millis(r.Latency.p99()), millis(r.Heartbeat.p99()), millis(r.Endpoint.p99()),
			fmt.Sprintf("%.2f", r.Cores), show.Size(float64(r.Memory.Peak)),
		})
	}
	for _, head := range []string{"b", "post"} { // which most studies have no use for
		i := slices.Index(t.Head, head)
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "-" }) {
			t = t.Without(i)
		}
	}
	return t
}

func share(n, of int64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(of))
}

const studyLegend = `calls: callers of a closed loop, or requests per second of an open one. b: room in the
channel. w: workers or places, - for
GOMAXPROCS or no limit. s: seconds counted. compares: answered with a match in that time. post: those that the post counted in its run. finished/s: of a closed
loop, all compares of the run by the time until the last had ended; of an open one, those that ended, - if goroutines
without a bound had some under way. goodput/s: those answered within %v. late: neither refused nor answered in time, unanswered at the end included.
p50, p99: latency in ms of what was not refused. heartbeat, endpoint: p99 in ms of how late a 1 ms tick and an
HTTP answer were. cores: CPU time by elapsed time. RSS: peak.`

// notes explain the table.
func (s *Study) notes() []string {
	notes := []string{fmt.Sprintf(studyLegend, Post().Deadline)}
	for _, c := range s.Capacity {
		notes = append(notes, fmt.Sprintf("capacity of %s: %s/s, %.2f cores used (%s)",
			c.Mechanism, show.PerSecond(c.PerSecond), c.Cores, c.Command))
	}
	return notes
}

// millis is a time in ms, "-" for none.
func millis(v *float64) string {
	if v == nil {
		return "-"
	}
	return show.MS(*v)
}
