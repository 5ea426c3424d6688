// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package seeds

// The result for people.

import (
	"fmt"

	"fount/lab/show"
)

// Text is the tables and sentences, without the command and the machine.
func (r *Result) Text(s show.Style) string {
	text := show.Paragraph("Seeds of 31 bits, as math/rand keeps them: the probability that two clients begin alike", s.Width, "", show.Indent)
	trials := show.Table{Head: []string{"clients", "computed", "tried", "95 %", "trials"}}
	for _, t := range r.Trials {
		trials.Rows = append(trials.Rows, []string{show.Count(int64(t.Clients)), percent(t.Computed), percent(float64(t.Collided) / float64(t.Count)),
			percent(t.Low) + " to " + percent(t.High), show.Count(int64(t.Count))})
	}
	text += trials.Fit(s.Width-len(show.Indent), "trials", "95 %").String(show.Indent)
	text += "\n" + show.Paragraph("Seeds from the clock: clients that have another's, of those that start together", s.Width, "", show.Indent)
	places := show.Table{Head: []string{"", "clients", "span", "ns", "31 bits", "µs", "ms", "s"}}
	for _, p := range r.Places {
		row := []string{p.Name, "-", "-", "-", "-", "-", "-", "-"}
		if p.Seeds > 0 {
			row = []string{p.Name, show.Count(int64(p.Seeds)), show.MS(p.SpanMS) + " ms", p.part(p.NS), p.part(p.Source), p.part(p.US), p.part(p.MS), p.part(p.S)}
		}
		places.Rows = append(places.Rows, row)
	}
	text += places.Fit(s.Width-len(show.Indent), "31 bits", "s", "clients", "span").String(show.Indent)
	for i, p := range r.Places {
		note := p.Name + ": " + about[i].text
		if p.Skipped != "" {
			note += "; not here: " + p.Skipped
		}
		text += s.Items(note + ".")
	}
	return text + "\nConclusion\n" + s.Items(r.Conclusion...)
}

func (p *Place) part(n int) string {
	if n == 0 {
		return "0"
	}
	return percent(float64(n) / float64(p.Seeds))
}

// sentence says what a place shows.
func (p *Place) sentence() string {
	return fmt.Sprintf("Of %s seeds of the clock in %d rounds (%s) another client had %d in ns, %d in µs and %d in ms.",
		show.Count(int64(p.Seeds)), p.Rounds, p.Name, p.NS, p.US, p.MS)
}

// percent writes a share to three digits.
func percent(x float64) string { return show.Digits(100*x) + " %" }
