// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package show lays figures out for a terminal: numbers, bars, tables, paragraphs, and a line of
// progress. It writes no colours or other escape codes.
package show

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// A Style says what the reader's screen can show.
type Style struct {
	Width int // columns
}

// Widths outside these are not used: narrower can't hold a table, wider is hard to read.
const (
	minWidth     = 40
	defaultWidth = 80
	maxWidth     = 100
)

// StyleOf is the style for what is written to w: as wide as its terminal, else $COLUMNS, else 80.
func StyleOf(w any) Style {
	columns := 0
	if f, ok := w.(*os.File); ok {
		columns, _, _ = term.GetSize(int(f.Fd())) // 0 if it is no terminal
	}

	if columns <= 0 {
		columns, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	}

	if columns <= 0 {
		columns = defaultWidth
	}

	return Style{Width: min(max(columns, minWidth), maxWidth)}
}

// columns is how many columns s takes: one a character, which holds for all that is printed.
func columns(s string) int { return utf8.RuneCountInString(s) }

// A Progress is one line that is rewritten in place. It overwrites with spaces, which every
// terminal understands. It is used by one goroutine; a nil *Progress shows nothing.
type Progress struct {
	w     io.Writer
	width int
	shown string // on the screen
}

// NewProgress returns a Progress on a terminal of that style.
func NewProgress(w io.Writer, s Style) *Progress { return &Progress{w: w, width: s.Width} }

// Show replaces the line. What does not fit is cut: a line that wraps can't be rewritten.
func (p *Progress) Show(line string) {
	if p == nil {
		return
	}

	if r := []rune(line); len(r) >= p.width {
		line = string(r[:p.width-1])
	}

	if line == p.shown {
		return
	}

	pad := max(0, columns(p.shown)-columns(line))
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", pad))
	p.shown = line
}

// Clear takes the line away.
func (p *Progress) Clear() {
	if p == nil || p.shown == "" {
		return
	}
	fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", columns(p.shown)))
	p.shown = ""
}
