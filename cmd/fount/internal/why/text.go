// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// The report as text.

import (
	"fmt"
	"path"

	"fount/cmd/internal/lab/show"
)

// mostRows is how many uses the text has; JSON has all.
const mostRows = 12

// Text is the report for a terminal.
func (r *Report) Text(s show.Style) string {
	text := fmt.Sprintf("%s: %.2f s of CPU time", r.Program, r.CPUSeconds)
	if r.Seconds > 0 {
		text += fmt.Sprintf(" in %.1f s", r.Seconds)
	}
	text += fmt.Sprintf(", %s samples\n\n", show.Count(r.Samples))

	if len(r.Uses) == 0 {
		return show.Printable(text + "No sample was in random values or password hashes. Keep it as it is.\n")
	}

	t := show.Table{Head: []string{"", "CPU", "95 %", "saves", "line"}, Last: true}
	advice := ""
	for i, u := range r.Uses[:min(len(r.Uses), mostRows)] {
		saves := "-"
		if u.Saves > 0 {
			saves = percent(u.Saves)
		}
		number := fmt.Sprintf("(%d) ", i+1)
		interval := percent(u.Low) + " to " + percent(u.High)
		t.Rows = append(t.Rows, []string{number + u.Family, percent(u.Share), interval, saves, u.where()})

		call := short(u.Call)
		if u.Through != "" && u.Through != u.Call {
			call += " through " + short(u.Through)
		}
		advice += show.Paragraph(call+": "+u.Advice, s.Width, number, "    ")
	}

	if c := r.Costs; c != nil {
		advice += "\n" + show.Paragraph(c.String(), s.Width, "", "")
	}
	return show.Printable(text + t.Fit(s.Width, "95 %").String("") + "\n" + advice)
}

// String is a sentence for each cost.
func (c *Costs) String() string {
	return fmt.Sprintf("Here crypto/rand takes %s ns of a core for 16 bytes, fount %s; a UUID of google/uuid %s, "+
		"of fount %s; a bcrypt of cost 6 %s ms, and in a pool's lanes %s. %s", show.Ratio(c.Draw.From), show.Ratio(c.Draw.To),
		show.Ratio(c.UUID.From), show.Ratio(c.UUID.To), show.Ratio(c.Bcrypt.From/1e6), show.Ratio(c.Bcrypt.To/1e6), c.Share)
}

// where returns the line as editors take it, or what is known of it.
func (u *Use) where() string {
	switch {
	case u.Func == "":
		return "unknown"
	case u.File == "":
		return short(u.Func)
	}
	dir, file := path.Split(u.File)
	return fmt.Sprintf("%s:%d", path.Join(path.Base(dir), file), u.Line)
}

// short returns a function's name, without directories unless it is of the standard library.
func short(function string) string {
	pkg, name := split(function)
	if pkg == "" || isStandard(pkg) {
		return function // there is a math/rand too
	}
	return path.Base(pkg) + "." + name
}

// percent writes a share with two digits.
func percent(share float64) string {
	if share > 0.095 {
		return fmt.Sprintf("%.0f%%", 100*share)
	}
	return fmt.Sprintf("%.2g%%", 100*share)
}
