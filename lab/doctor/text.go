// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package doctor

// The sections for a terminal.

import (
	"fmt"
	"strings"

	"fount/lab/machine"
	"fount/lab/nonce"
	"fount/lab/show"
)

// indent is what stands before each line of a section.
const indent = "  "

// machineText is the findings: level and name, the value, and what it means.
func machineText(findings []machine.Finding, s show.Style) string {
	name, below := "%-13s", 23
	if s.Width < 60 {
		name, below = "%s: ", 10 // names and sentences in one column
	}
	var b strings.Builder
	b.WriteString("\nMachine\n")
	for _, f := range findings {
		first := fmt.Sprintf(indent+"%-8s"+name, f.Level, f.Name)
		b.WriteString(show.Paragraph(f.Value+". "+f.Means, s.Width, first, strings.Repeat(" ", below)))
	}
	return b.String()
}

// text is the table of methods, a bar for each, and below it what finds no room there: what the nonces of
// some are not good for, and why some were not measured. Columns that a narrow screen can't hold are left out.
func (r Randomness) text(s show.Style) string {
	if len(r.Methods) == 0 {
		return ""
	}
	t := r.table()
	for len(indent)+t.Width() > s.Width && len(t.Head) > 3 {
		t = t.Without(len(t.Head) - 2)
	}
	full := 0.0
	for _, m := range r.Methods {
		full = max(full, m.OneCoreNS)
	}
	var notes []string
	room := s.Width - len(indent) - t.Width()
	for i, m := range r.Methods {
		last := &t.Rows[i][len(t.Head)-1]
		switch {
		case m.Error == "":
			*last = s.Bar(m.OneCoreNS, full, room)
		case len(m.Error) <= room:
			*last = m.Error
		default:
			notes = append(notes, m.Name+": "+m.Error+".")
		}
		if m.Weakness != "" && !short(m.Weakness) {
			notes = append(notes, m.Name+": "+m.Weakness+".")
		}
	}
	title := fmt.Sprintf("Randomness: a 16-byte nonce, median of %d rounds", r.Rounds)
	text := "\n" + show.Paragraph(title, s.Width, "", indent) + t.String(indent)
	if len(notes) > 0 {
		text += show.Paragraph(strings.Join(notes, " "), s.Width, indent, indent)
	}
	return text
}

// table has a row for each method and an empty last column. Its columns stand in the order of their weight.
func (r Randomness) table() show.Table {
	t := show.Table{Head: []string{"ns per nonce", "1 core", "ratio"}, Last: true}
	if r.Cores > 1 {
		t.Head = append(t.Head, fmt.Sprintf("%d cores", r.Cores), "ratio")
	}
	t.Head = append(t.Head, "")
	for _, m := range r.Methods {
		name := m.Name
		if m.Weakness != "" && short(m.Weakness) {
			name += " (" + m.Weakness + ")"
		}
		row := []string{name, show.NS(m.OneCoreNS), show.Ratio(m.OneCoreRatio)}
		if r.Cores > 1 {
			row = append(row, show.NS(m.AllCoresNS), show.Ratio(m.AllCoresRatio))
		}
		for i := range row {
			if i > 0 && m.Error != "" {
				row[i] = "-"
			}
		}
		t.Rows = append(t.Rows, append(row, ""))
	}
	return t
}

// short reports whether a weakness finds room beside the method's name.
func short(weakness string) bool { return len(weakness) <= len("not secret") }

func verdictText(v nonce.Verdict, s show.Style) string {
	text := "\nVerdict\n"
	for _, sentence := range v.Sentences {
		text += show.Paragraph(sentence, s.Width, indent, indent+indent)
	}
	return text
}
