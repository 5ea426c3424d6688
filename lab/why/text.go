// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// The report for people.

import (
	"fmt"
	"strings"

	"fount/lab/show"
)

const indent = "  "

// Text is the report below its title.
func (r *Report) Text(s show.Style) string {
	var b strings.Builder
	row := func(name, text string) {
		b.WriteString(show.Paragraph(text, s.Width, fmt.Sprintf(indent+"%-9s", name), strings.Repeat(" ", 11)))
	}
	b.WriteString("\nProgram\n")
	row("source", r.Source)
	if r.Go != "" {
		row("built by", r.Go)
	}
	row("CPU time", r.cpuText())
	if l := r.Lateness; l != nil {
		row("late", fmt.Sprintf("%s %s ms late (p50), %s (p99), %s at most; counted %d", l.Of, millis(l.P50MS), millis(l.P99MS), millis(l.MaxMS), l.Count))
	}
	if len(r.Uses) > 0 {
		b.WriteString("\n" + show.Paragraph("Random values and password hashes in it", s.Width, "", indent) + r.table(s))
	}
	if len(r.Waits) > 0 {
		b.WriteString("\nWaiting\n" + r.waits(s))
	}
	b.WriteString("\nVerdict\n")
	for _, sentence := range r.Verdict.Sentences {
		b.WriteString(show.Paragraph(sentence, s.Width, indent, indent+indent))
	}
	if c := r.Costs; c != nil && c.Draw.From > 0 {
		b.WriteString(show.Paragraph(fmt.Sprintf("Measured here: 16 bytes of crypto/rand cost %s ns, of %s %s ns; a UUID of google/uuid %s ns, of fount %s ns; "+
			"as text %s and %s ns. Draws/s are the CPU time by that cost.", show.NS(c.Draw.From), orFount(c.Use), show.NS(c.Draw.To), show.NS(c.UUID.From),
			show.NS(c.UUID.To), show.NS(c.UUIDText.From), show.NS(c.UUIDText.To)), s.Width, indent, indent+indent))
	}
	if c := r.Costs; c != nil && c.Lanes > 0 {
		b.WriteString(show.Paragraph(fmt.Sprintf("Measured here: in a second of CPU time the Pool makes %s times the bcrypts of goroutines.", show.Ratio(c.Lanes)),
			s.Width, indent, indent+indent))
	}
	if len(r.Notes) > 0 {
		b.WriteString("\nNot known\n")
		for _, n := range r.Notes {
			b.WriteString(show.Paragraph(n, s.Width, indent, indent+indent))
		}
	}
	return show.Printable(b.String())
}

func orFount(use string) string {
	if use == CryptoRand {
		return Fount
	}
	return use
}

// millis writes ms with two digits, or whole.
func millis(ms float64) string {
	if ms < 10 {
		return fmt.Sprintf("%.2g", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

func (r *Report) cpuText() string {
	text := fmt.Sprintf("%d samples", r.Samples)
	if r.CPUSeconds > 0 {
		text = fmt.Sprintf("%.2f s, %s", r.CPUSeconds, text)
		if r.Seconds > 0 {
			text = fmt.Sprintf("%.2f s in %.1f s, %.2f cores, %d samples", r.CPUSeconds, r.Seconds, r.Cores, r.Samples)
		}
	}
	return text
}

// mostRows is how many uses the table has; the JSON has all.
const mostRows = 12

func (r *Report) table(s show.Style) string {
	t := show.Table{Head: []string{"", "CPU", "95 %", "draws/s", "saves", "call and line"}, Last: true}
	for _, u := range r.Uses[:min(len(r.Uses), mostRows)] {
		rate, saves := "", ""
		if u.PerSecond > 0 {
			rate = show.Rate(u.PerSecond)
		}
		if u.Saves > 0 {
			saves = percent(u.Saves)
		}
		t.Rows = append(t.Rows, []string{u.Family, percent(u.Share), strings.TrimSuffix(percent(u.Low), " %") + " to " + strings.TrimSuffix(percent(u.High), " %"),
			rate, saves, ""})
	}
	t = t.Fit(s.Width-len(indent)-20, "95 %", "draws/s", "saves")
	room := s.Width - len(indent) - t.Width()
	var below strings.Builder
	for i, u := range r.Uses[:min(len(r.Uses), mostRows)] {
		text := short(u.Call) + ", " + u.Site.String()
		if u.Through != "" && u.Through != u.Call && !strings.HasSuffix(u.Site.Func, u.Through) {
			text = short(u.Call) + " through " + short(u.Through) + ", " + u.Site.String()
		}
		if len(text) <= room {
			t.Rows[i][len(t.Head)-1] = text
			continue
		}
		t.Rows[i][len(t.Head)-1] = fmt.Sprintf("(%d)", i+1)
		below.WriteString(show.Paragraph(text, s.Width, fmt.Sprintf(indent+"(%d) ", i+1), indent+indent))
	}
	text := t.String(indent) + below.String()
	if more := len(r.Uses) - mostRows; more > 0 {
		text += fmt.Sprintf(indent+"and %d more\n", more)
	}
	return text
}

func (r *Report) waits(s show.Style) string {
	var b strings.Builder
	for _, w := range r.Waits[:min(len(r.Waits), mostRows)] {
		b.WriteString(show.Paragraph(fmt.Sprintf("%s: %.2f s of goroutines' time, %s of all in the %s profile, %s, %s", w.Family, w.Seconds,
			percent(w.Share), w.Kind, short(w.Call), w.Site), s.Width, indent, indent+indent))
	}
	return b.String()
}
