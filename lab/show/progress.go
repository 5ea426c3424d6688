// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package show

// A line that is rewritten in place.

import (
	"fmt"
	"io"
	"strings"
)

// A Progress is one line that is rewritten in place. It overwrites with spaces, which every terminal understands. It is
// used by one goroutine; a nil *Progress shows nothing.
type Progress struct {
	w     io.Writer
	width int
	shown string // on the screen
}

// NewProgress returns a Progress on a terminal of that style.
func NewProgress(w io.Writer, s Style) *Progress {
	return &Progress{w: w, width: s.Width}
}

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
