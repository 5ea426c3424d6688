// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package show

// Text filled into lines, tables, and bars.

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Printable replaces the control characters in a text but the ends of its lines: a terminal would
// obey them, and names in the text may be a stranger's.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || 0x7f <= r && r <= 0x9f { // C0 and C1 of ISO 6429
			return '?'
		}
		return r
	}, text)
}

// Paragraph fills text into lines of at most width columns, each with a newline. first stands
// before the first line, rest before the others. Too long a word has a line to itself.
func Paragraph(text string, width int, first, rest string) string {
	var b strings.Builder
	line := first
	isEmpty := true

	for _, word := range strings.Fields(text) {
		if !isEmpty && columns(line)+1+columns(word) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = rest
			isEmpty = true
		}

		if !isEmpty {
			line += " "
		}
		line += word
		isEmpty = false
	}

	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}

// Row is a name in the first n columns and text beside it.
func Row(name, text string, n, width int) string {
	return Paragraph(text, width, fmt.Sprintf("%-*s", n, name), strings.Repeat(" ", n))
}

// Fill wraps the paragraphs of a text at width columns. Lines that are indented or between code
// fences stay as they are.
func Fill(text string, width int) string {
	var b strings.Builder
	paragraph := ""
	inCode := false

	for line := range strings.SplitSeq(strings.TrimSpace(text)+"\n", "\n") {
		isFence := strings.HasPrefix(line, "```")
		isProse := line != "" && line[0] != ' ' && !isFence && !inCode
		if isProse {
			paragraph += line + " "
			continue
		}

		if paragraph != "" {
			b.WriteString(Paragraph(paragraph, width, "", ""))
			paragraph = ""
		}

		name, meaning, isRow := strings.Cut(strings.TrimSpace(line), "  ")
		switch {
		case isFence:
			inCode = !inCode
		case isRow && !inCode:
			column := strings.LastIndex(line, strings.TrimSpace(meaning))
			b.WriteString(Row("  "+name, meaning, column, width))
		default:
			b.WriteString(line + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
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

// Choice joins alternatives as in a sentence: a, b or c.
func Choice(words []string) string {
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " or " + words[last]
	}
	return strings.Join(words, "")
}

// eighths are the block characters U+258F to U+2588, from one eighth of a column to a whole one.
var eighths = []rune("▏▎▍▌▋▊▉█")

// Bar draws value as a bar that is width columns long at the value full, in eighths of a column.
// What is above zero is seen. The bar is as long as it must be, not padded.
func Bar(value, full float64, width int) string {
	if !(value > 0) || !(full > 0) || width <= 0 {
		return ""
	}

	n := max(1, int(math.Round(min(value/full, 1)*float64(width)*8)))
	bar := strings.Repeat("█", n/8)
	if n%8 > 0 {
		bar += string(eighths[n%8-1])
	}
	return bar
}

// A Table is rows of cells below a head. Its first column and a Last one are aligned left, the
// others right: a name, figures, a bar or remark.
type Table struct {
	Head []string
	Rows [][]string
	Last bool // the last column is text

	width  int      // that Fit was asked for; 0: any
	narrow bool     // names have lines of their own
	cut    []string // the heads of columns without room
}

// gap is the space between two columns.
const gap = "  "

// String lays the table out, each line after indent, without space at the end of a line. Of a table
// that Fit has narrowed, a Last cell without room has lines of its own.
func (t Table) String(indent string) string {
	width := t.width + len(indent)
	wide := t.widths()

	text, _ := t.line(indent, wide, t.Head)
	for _, row := range t.Rows {
		if t.narrow {
			text += Paragraph(row[0], width, indent, indent)
		}

		line, rest := t.line(indent, wide, row)
		text += line
		if rest != "" {
			text += Paragraph(rest, width, indent+gap+gap, indent+gap+gap)
		}
	}

	if len(t.cut) > 0 {
		text += Paragraph("no room for: "+strings.Join(t.cut, ", "), width, indent, indent)
	}
	return text
}

// line lays out the cells of a row that stand side by side, and returns a Last cell without room.
func (t Table) line(indent string, wide []int, row []string) (line, rest string) {
	line = indent
	for i, cell := range row {
		if i > 0 {
			line += gap
		}

		isLast := t.Last && i == len(t.Head)-1
		hasRoom := t.width == 0 || columns(line)+columns(cell) <= t.width+len(indent)
		switch {
		case i == 0 && t.narrow:
		case i == 0:
			line += fmt.Sprintf("%-*s", wide[i], cell)
		case !isLast:
			line += fmt.Sprintf("%*s", wide[i], cell)
		case hasRoom:
			line += cell
		default:
			rest = cell
		}
	}
	return strings.TrimRight(line, " ") + "\n", rest
}

// without returns the table without its i-th column.
func (t Table) without(i int) Table {
	rows := t.Rows
	t.Head = slices.Delete(slices.Clone(t.Head), i, i+1)
	t.Rows = nil
	for _, row := range rows {
		t.Rows = append(t.Rows, slices.Delete(slices.Clone(row), i, i+1))
	}
	return t
}

// Fit returns the table without as many of the columns of these heads as it must lose, the first
// named first, to be at most width columns wide; below it they are named. Where that is not enough
// names have lines of their own, and columns are left out only for what room there is then.
func (t Table) Fit(width int, heads ...string) Table {
	fitted := t.drop(width, heads)
	if fitted.Width() > width {
		t.narrow = true
		fitted = t.drop(width, heads)
	}

	isShown := func(head string) bool { return slices.Contains(fitted.Head, head) }
	fitted.width = width
	fitted.cut = slices.DeleteFunc(slices.Clone(t.Head), isShown)
	return fitted
}

// drop returns the table without the columns of these heads, one after the other until it fits.
func (t Table) drop(width int, heads []string) Table {
	for _, head := range heads {
		if i := slices.Index(t.Head, head); i >= 0 && t.Width() > width {
			t = t.without(i)
		}
	}
	return t
}

// Width is how many columns the table takes without indent, and without a Last column.
func (t Table) Width() int {
	wide := t.widths()

	sum := len(gap) * (len(wide) - 1)
	for _, w := range wide {
		sum += w
	}
	if t.Last {
		sum -= wide[len(wide)-1]
	}
	return sum
}

func (t Table) widths() []int {
	wide := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for i, cell := range row {
			wide[i] = max(wide[i], columns(cell))
		}
	}
	if t.narrow {
		wide[0] = 0
	}
	return wide
}
