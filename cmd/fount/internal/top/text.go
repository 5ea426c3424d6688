// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

// Figures and foreign names as text, and text of known width.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"fount/lab/show"

	"github.com/charmbracelet/x/ansi"
)

// mostName is how many characters of a foreign name or message are shown.
const mostName = 300

// clean makes another process's words fit to be shown: a terminal would obey control characters, and others turn the direction of
// what follows, or leave no mark.
func clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > mostName {
			b.WriteString("...")
			break
		}
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			r = '?'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unknown stands for a figure that there is none of.
const unknown = "-"

// perSecond writes a rate, or any number, in at most six characters.
func perSecond(rate *float64) string {
	if rate == nil {
		return unknown
	}
	x := *rate
	switch {
	case x <= 0:
		return "0"
	case x < 0.05:
		return "<0.1"
	case x < 9999.5:
		return show.PerSecond(x)
	}
	for _, unit := range "kMGT" {
		if x /= 1000; x < 999.5 {
			return show.Digits(x) + string(unit)
		}
	}
	return strconv.FormatFloat(*rate, 'e', 0, 64)
}

// seconds writes a time to three digits.
func seconds(s *float64) string {
	switch {
	case s == nil:
		return unknown
	case *s <= 0:
		return "0 s"
	case *s < 1e-3:
		return show.Digits(*s*1e6) + " µs"
	case *s < 1:
		return show.Digits(*s*1e3) + " ms"
	case *s < 100_000:
		return show.Digits(*s) + " s"
	}
	return fmt.Sprintf("%.0e s", *s)
}

// share writes a ratio of time.
func share(x *float64) string {
	if x == nil {
		return unknown
	}
	return strconv.FormatFloat(min(*x, 9999), 'f', 2, 64)
}

// size writes bytes.
func size(bytes float64) string { return show.Size(min(bytes, 1<<60)) }

// A Role says what a part of a line is, which a terminal may colour.
type Role int

const (
	plain Role = iota
	title      // what stands out
	faint      // labels
	good
	warn
	bad
)

// sgr are the colours of roles (ISO 6429).
var sgr = map[Role]string{title: "\x1b[1m", faint: "\x1b[2m", good: "\x1b[32m", warn: "\x1b[33m", bad: "\x1b[1;31m"}

// A Span is a part of a line.
type Span struct {
	Text string
	Role Role
}

// A Line is a line of the screen, without an end.
type Line []Span

// String is the line without colour, and without space at its end.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return strings.TrimRight(b.String(), " ")
}

// Colored is the line for a terminal.
func (l Line) Colored() string {
	var b strings.Builder
	for _, s := range l {
		if code := sgr[s.Role]; code != "" && s.Text != "" {
			b.WriteString(code + s.Text + "\x1b[m")
		} else {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// fit cuts the line to width columns.
func (l Line) fit(width int, more string) Line {
	left := width
	for i, s := range l {
		w := ansi.StringWidth(s.Text)
		if w > left || w == left && i < len(l)-1 && l[i+1:].String() != "" {
			cut := append(Line{}, l[:i]...)
			return append(cut, Span{ansi.Truncate(s.Text+" ", left, more), s.Role})
		}
		left -= w
	}
	return l
}

// left and right pad text to width columns, and cut what is longer.
func left(s string, width int) string {
	s = ansi.Truncate(s, width, "")
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}

func right(s string, width int) string {
	s = ansi.Truncate(s, width, "")
	return strings.Repeat(" ", max(0, width-ansi.StringWidth(s))) + s
}
