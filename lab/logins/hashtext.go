// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Ways to hash, as a table, a chart and sentences.

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"fount/lab/clib"
	"fount/lab/measure"
	"fount/lab/show"
)

// A HashReport is what was measured of ways to hash. Names of fields stay; fields may be added.
type HashReport struct {
	Argon2id  string         `json:"argon2id"`            // the policy
	Libraries []clib.Library `json:"libraries,omitempty"` // of C that were found, if one was measured
	measure.Report
}

// LibrariesText says which code the rows of C libraries are of.
func (r *HashReport) LibrariesText(s show.Style) (text string) {
	if len(r.Libraries) > 0 {
		text = "\nLibraries\n"
	}
	for _, l := range r.Libraries {
		line := filepath.Base(l.Name) + ": " + l.File
		if l.SIMD != "" {
			line += ", which has argon2 in " + l.SIMD
		}
		text += s.Items(strings.Replace(line, "in none", "without SIMD", 1))
	}
	return text
}

// HashTable judges the rows: each against serial, and against fount's argon2id.
func HashTable(rows []measure.Row, procs, goroutines int) measure.Table {
	var bases []measure.Row
	for _, r := range rows {
		switch r.Name {
		case Serial, Argon2id, Argon2id + InPool:
			bases = append(bases, r)
		}
	}
	d := measure.EnterCosts(bases, rows)
	t := measure.Table{GOMAXPROCS: procs, Goroutines: goroutines, Methods: measure.Against(Serial, rows, d.Costs)}
	t.Conclusion.Sentences = append(hashSentences(t), argon2idSentence(t, d)...)
	return t
}

// hashColumns are those of the table, which has rates too, unlike those of other benchmarks.
var hashColumns = []measure.Column{
	{Head: "ms", Cell: milliseconds(measure.Cost)}, measure.Columns("95 %")[0], {Head: "hashes/s", Cell: hashesPerSecond}, measure.Columns("ratio")[0],
	{Head: "core", Cell: milliseconds(func(r measure.Row) *measure.Sample { return r.CoreNS })},
}

func milliseconds(of func(measure.Row) *measure.Sample) func(measure.Row) string {
	return func(r measure.Row) string {
		f := of(r)
		if f == nil {
			return "-"
		}
		return show.MS(f.Median / 1e6)
	}
}

func hashesPerSecond(r measure.Row) string {
	if r.NS == nil {
		return "-"
	}
	return show.PerSecond(1e9 / r.NS.Median)
}

// HashText is the table, a chart of the rates, and what they say.
func HashText(t measure.Table, s show.Style) string {
	table := show.Table{Head: []string{"per hash"}}
	for _, c := range hashColumns {
		table.Head = append(table.Head, c.Head)
	}
	var bars []show.Bar
	for _, r := range t.Methods {
		cells := []string{r.Name}
		for _, c := range hashColumns {
			cells = append(cells, c.Cell(r))
		}
		table.Rows = append(table.Rows, cells)
		if r.NS != nil {
			bars = append(bars, show.Bar{Label: r.Name, Value: 1e9 / r.NS.Median, Text: hashesPerSecond(r) + "/s"})
		}
	}
	text := "\n" + show.Paragraph(fmt.Sprintf("GOMAXPROCS %d", t.GOMAXPROCS), s.Width, "", show.Indent) +
		table.Fit(s.Width-len(show.Indent), "core", "95 %").String(show.Indent)
	if notes := append(measure.Notes(t.Methods), errorNotes(t.Methods)...); len(notes) > 0 {
		text += show.Paragraph(strings.Join(notes, " "), s.Width, show.Indent, show.Indent)
	}
	text += "\n" + s.Chart(bars, show.Indent)
	if len(t.Conclusion.Sentences) > 0 {
		text += "\n" + t.Conclusion.Text(s)
	}
	return text
}

// errorNotes say what was not measured, each reason once.
func errorNotes(rows []measure.Row) (notes []string) {
	names := map[string][]string{}
	var reasons []string
	for _, r := range rows {
		if r.Error == "" {
			continue
		}
		if names[r.Error] == nil {
			reasons = append(reasons, r.Error)
		}
		names[r.Error] = append(names[r.Error], r.Name)
	}
	for _, why := range reasons {
		notes = append(notes, strings.Join(names[why], ", ")+": "+why+".")
	}
	return notes
}

// argon2idSentence compares fount's quicker argon2id with x/crypto's and with the quickest of the C libraries'.
func argon2idSentence(t measure.Table, d *measure.Docket) []string {
	var own, xCrypto, other *measure.Row
	quicker := func(best **measure.Row, r *measure.Row) {
		if *best == nil || r.NS.Median < (*best).NS.Median {
			*best = r
		}
	}
	for i := range t.Methods {
		r := &t.Methods[i]
		switch {
		case r.NS == nil || !strings.HasPrefix(r.Name, Argon2id):
		case r.Name == Argon2id, r.Name == Argon2id+InPool:
			quicker(&own, r)
		case r.Name == Argon2id+ByXCrypto:
			xCrypto = r
		default:
			quicker(&other, r)
		}
	}
	var parts []string
	for _, r := range []*measure.Row{xCrypto, other} {
		switch {
		case own == nil || r == nil:
		case d.Costs(own.Name, r.Name):
			parts = append(parts, fmt.Sprintf("takes %s of the time of %s", show.Ratio(own.NS.Median/r.NS.Median), r.Name))
		default:
			parts = append(parts, "can't be told from "+r.Name)
		}
	}
	if parts == nil {
		return nil
	}
	return []string{own.Name + " " + strings.Join(parts, " and ") + "."}
}

// hashSentences say what the pair and the lanes show, of what was measured: a ratio only where the table has one.
func hashSentences(t measure.Table) (sentences []string) {
	var serial, many, lanes *measure.Row
	for i := range t.Methods {
		r := &t.Methods[i]
		switch {
		case r.NS == nil:
		case r.Name == Serial:
			serial = r
		case strings.HasSuffix(r.Name, AllAtOnce):
			many = r
		case strings.Contains(r.Name, "-lane") && (lanes == nil || r.NS.Median < lanes.NS.Median):
			lanes = r
		}
	}
	if serial == nil {
		return nil
	}
	if many != nil {
		n, _ := strconv.ParseFloat(strings.TrimSuffix(many.Name, AllAtOnce), 64)
		text := fmt.Sprintf("%s do %.2f times the hashes per second of one after the other", many.Name, 1/many.Ratio)
		if !many.Differs {
			text = fmt.Sprintf("Of %s and one after the other, neither can be told to do more hashes per second", many.Name)
		}
		sentences = append(sentences, fmt.Sprintf("%s. Of %s each waits for all: %.0f ms in place of %.0f ms.",
			text, many.Name, n*many.NS.Median/1e6, serial.NS.Median/1e6))
	}
	if lanes != nil {
		text := fmt.Sprintf("%s on one core do %.2f times the hashes per second of serial.", lanes.Name, 1/lanes.Ratio)
		if !lanes.Differs {
			text = fmt.Sprintf("%s on one core can't be told from serial by their hashes per second.", lanes.Name)
		}
		sentences = append(sentences, text)
	}
	return sentences
}
