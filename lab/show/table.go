// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package show

// Tables.

import (
	"slices"
	"strings"
)

// A Table is rows of cells below a head. Its first column and a Last one are aligned left, the others right: a name,
// figures, a bar or remark.
type Table struct {
	Head []string
	Rows [][]string
	Last bool // the last column is text
}

// gap is the space between two columns.
const gap = "  "

// String lays the table out, each line after indent, without space at the end of a line.
func (t Table) String(indent string) string {
	wide := t.widths()
	var b strings.Builder
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		line := indent
		for i, cell := range row {
			if i > 0 {
				line += gap
			}
			pad := strings.Repeat(" ", wide[i]-columns(cell))
			if i == 0 || t.Last && i == len(t.Head)-1 {
				line += cell + pad
			} else {
				line += pad + cell
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// Without returns the table without its i-th column.
func (t Table) Without(i int) Table {
	cut := Table{Head: slices.Delete(slices.Clone(t.Head), i, i+1), Last: t.Last}
	for _, row := range t.Rows {
		cut.Rows = append(cut.Rows, slices.Delete(slices.Clone(row), i, i+1))
	}
	return cut
}

// Fit returns the table without as many of the columns of these heads as it must lose, the first named first, to be at
// most width columns wide.
func (t Table) Fit(width int, heads ...string) Table {
	for _, head := range heads {
		if t.Width() <= width {
			break
		}
		if i := slices.Index(t.Head, head); i >= 0 {
			t = t.Without(i)
		}
	}
	return t
}

// Width is the number of columns the table takes without indent and without its last column, if Last is set.
func (t Table) Width() int {
	sum := 0
	wide := t.widths()
	if t.Last {
		wide[len(wide)-1] = 0
	}
	for i, w := range wide {
		if i > 0 {
			sum += len(gap)
		}
		sum += w
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
	return wide
}
