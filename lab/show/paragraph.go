// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package show

// Text filled into lines.

import (
	"fmt"
	"strings"
)

// Printable replaces the control characters in a text but the ends of its lines: a terminal would obey them, and names in
// the text may be a stranger's.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || 0x7f <= r && r <= 0x9f { // C0 and C1 of ISO 6429
			return '?'
		}
		return r
	}, text)
}

// Paragraph fills text into lines of at most width columns and ends each with a newline. first stands before the first
// line, rest before the others. A word that is too long for a line has one to itself.
func Paragraph(text string, width int, first, rest string) string {
	var b strings.Builder
	line, empty := first, true
	for _, word := range strings.Fields(text) {
		if !empty && columns(line)+1+columns(word) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}

// Row is a name in the first n columns and text beside it.
func Row(name, text string, n, width int) string {
	return Paragraph(text, width, fmt.Sprintf("%-*s", n, name), strings.Repeat(" ", n))
}

// Indent stands before each line of a section.
const Indent = "  "

// Items fills each sentence into lines, indented, and the second line of each more than the first.
func (s Style) Items(sentences ...string) string {
	var b strings.Builder
	for _, sentence := range sentences {
		b.WriteString(Paragraph(sentence, s.Width, Indent, Indent+Indent))
	}
	return b.String()
}

// Sentence gives a clause a capital and a full stop.
func Sentence(clause string) string {
	if clause == "" {
		return ""
	}
	return strings.ToUpper(clause[:1]) + strings.TrimSuffix(clause[1:], ".") + "."
}

// Choice joins alternatives as in a sentence: a, b or c.
func Choice(words []string) string {
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " or " + words[last]
	}
	return strings.Join(words, "")
}
