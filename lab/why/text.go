// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

import (
	"fmt"
	"path"

	"fount/lab/show"
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
		t.Rows = append(t.Rows, []string{fmt.Sprintf("(%d) %s", i+1, u.Family), percent(u.Share), percent(u.Low) + " to " + percent(u.High), saves, u.where()})
		call := short(u.Call)
		if u.Through != "" && u.Through != u.Call {
			call += " through " + short(u.Through)
		}
		advice += show.Paragraph(fmt.Sprintf("%s: %s", call, u.Advice), s.Width, fmt.Sprintf("(%d) ", i+1), "    ")
	}
	if c := r.Costs; c != nil {
		advice += "\n" + show.Paragraph(fmt.Sprintf("Here crypto/rand takes %s ns for 16 bytes, fount %s; a UUID of google/uuid %s, of fount %s; as text %s and %s; "+
			"of bcrypts that queue a pool makes %s in the time of one.", show.NS(c.Draw.From), show.NS(c.Draw.To), show.NS(c.UUID.From), show.NS(c.UUID.To),
			show.NS(c.UUIDText.From), show.NS(c.UUIDText.To), show.Ratio(c.Bcrypt.From/c.Bcrypt.To)), s.Width, "", "")
	}
	return show.Printable(text + t.Fit(s.Width, "95 %").String("") + "\n" + advice)
}

// where is the line as editors take it, or what is known of it.
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

// short is a function's name without the directories of its package, unless that is of the standard library.
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
