// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The result for people.

import (
	"fmt"

	"fount/lab/show"
)

// Text is the tables and sentences, without the command and the machine.
func (r *Result) Text(s show.Style) string {
	title := fmt.Sprintf("%d processes start together, and each needs %d bytes", r.Procs, r.Bytes)
	text := show.Paragraph(title, s.Width, "", show.Indent)
	text += r.table().Fit(s.Width-len(show.Indent), "exec", "max", "rate", "p99").String(show.Indent)
	text += show.Paragraph("median, p99, max: from the opening of the gate to having the bytes. exec: from exec to the "+
		"gate, before that. rate: bytes/s of all processes together; of the device, of its clock.", s.Width, show.Indent, show.Indent)
	for _, source := range r.Sources {
		text += s.Items(source.note())
	}
	text += "\nPublished\n"
	for _, p := range r.Published {
		text += s.Items(p.String())
	}
	if len(r.Conclusion) > 0 {
		text += "\nConclusion\n"
	}
	return text + s.Items(r.Conclusion...)
}

// table has a row for each source.
func (r *Result) table() show.Table {
	t := show.Table{Head: []string{"", "got", "median", "p99", "max", "exec", "rate"}}
	for _, s := range r.Sources {
		if s.Delay == nil {
			t.Rows = append(t.Rows, []string{s.Name, "-", "-", "-", "-", "-", "-"})
			continue
		}
		t.Rows = append(t.Rows, []string{s.Name, fmt.Sprintf("%d of %d", s.Got, s.Processes), s.Delay.Median.String(),
			s.Delay.P99.String(), s.Delay.Max.String(), Time{MS: s.ExecMS}.String(), rate(s.BytesPerS)})
	}
	return t
}

// note says what a source is, and how it was started or why it was skipped.
func (s *Source) note() string {
	text := s.Name + ": " + s.About
	if s.StartS > 0 {
		text += fmt.Sprintf("; its server started in %v", Time{MS: s.StartS * 1e3})
	}
	if s.Skipped != "" {
		text += "; skipped: " + s.Skipped
	}
	return text + "."
}

// String is the figure in one sentence.
func (p Published) String() string {
	text := fmt.Sprintf("%s: %s took %v, and %v %s: %s times", p.Where, p.What, Time{MS: p.SlowS * 1e3},
		Time{MS: p.FastS * 1e3}, p.How, show.Ratio(p.SlowS/p.FastS))
	if p.BytesPerS > 0 {
		text += fmt.Sprintf("; the device gave %s", rate(p.BytesPerS))
	}
	return text + "."
}

// String is the time with its unit, to three digits, after >= if it is a lower bound.
func (t Time) String() string {
	if t.AtLeast {
		return ">= " + Time{MS: t.MS}.String()
	}
	value, unit := t.MS, "ms"
	switch {
	case value >= 999.5:
		value, unit = value/1e3, "s"
	case value < 0.9995:
		value, unit = value*1e3, "µs"
	}
	return show.Digits(value) + " " + unit
}

// words is the time for a sentence.
func (t Time) words() string {
	if t.AtLeast {
		return Time{MS: t.MS}.String() + " or more"
	}
	return t.String()
}

// rate is bytes per second with a unit, "-" for 0.
func rate(bytes float64) string {
	if bytes == 0 {
		return "-"
	}
	units := []string{"B/s", "kB/s", "MB/s", "GB/s"}
	i := 0
	for bytes >= 999.5 && i < len(units)-1 {
		bytes, i = bytes/1e3, i+1
	}
	return show.Digits(bytes) + " " + units[i]
}
