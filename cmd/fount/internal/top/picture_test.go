// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

// A terminal's screen as a picture, for the documentation.

import (
	"flag"
	"fmt"
	"html"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var (
	captured = flag.String("captured", "", "the screen, as tmux capture-pane -e -p prints it")
	picture  = flag.String("picture", "", "the SVG that TestPicture makes of it")
)

// A cell's size in pixels.
const cellWidth, cellHeight = 8.4, 17

// A look is what SGR codes make of text.
type look struct {
	bold, dim bool
	color     string
}

var palette = map[string]string{"31": "#ff7b72", "32": "#56d364", "33": "#e3b341"}

func (l *look) change(codes string) {
	for code := range strings.SplitSeq(codes, ";") {
		switch code {
		case "", "0":
			*l = look{}
		case "1":
			l.bold = true
		case "2":
			l.dim = true
		case "22":
			l.bold, l.dim = false, false
		case "39":
			l.color = ""
		default:
			if c := palette[code]; c != "" {
				l.color = c
			}
		}
	}
}

func (l *look) style() string {
	style := ""
	if l.bold {
		style += "font-weight:bold;"
	}
	if l.dim {
		style += "fill:#8b949e;"
	}
	if l.color != "" {
		style += "fill:" + l.color + ";"
	}
	return style
}

// pictureOf draws lines of text with SGR codes. Each span stands where its column is, whatever font the reader has.
func pictureOf(screen string) string {
	lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
	width := 0
	for _, line := range lines {
		width = max(width, ansi.StringWidth(line))
	}
	var b strings.Builder
	w, h := float64(width)*cellWidth+24, len(lines)*cellHeight+24
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d">`+"\n", w, h, w, h)
	b.WriteString(`<rect width="100%" height="100%" rx="6" fill="#0d1117"/>` + "\n")
	b.WriteString(`<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" fill="#e6edf3" xml:space="preserve">` + "\n")
	now := look{} // which goes on at the next line
	for i, line := range lines {
		column := 0
		for _, part := range strings.Split(line, "\x1b[") {
			codes, text, found := strings.Cut(part, "m")
			if found && strings.Trim(codes, "0123456789;") == "" {
				now.change(codes)
			} else {
				text = part
			}
			if strings.TrimSpace(text) != "" {
				n := ansi.StringWidth(text)
				fmt.Fprintf(&b, `<text x="%.1f" y="%d" textLength="%.1f" style="%s">%s</text>`+"\n", 12+float64(column)*cellWidth,
					12+i*cellHeight+13, float64(n)*cellWidth, now.style(), html.EscapeString(text))
			}
			column += ansi.StringWidth(text)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// TestPicture makes a picture where it is asked for one.
func TestPicture(t *testing.T) {
	if got := pictureOf("a\x1b[1;31mb<\x1b[0mc\n"); strings.Count(got, "<text") != 3 || !strings.Contains(got, `x="20.4" y="25" textLength="16.8" style="font-weight:bold;fill:#ff7b72;">b&lt;<`) {
		t.Errorf("%s", got)
	}
	if *picture == "" {
		return
	}
	screen, err := os.ReadFile(*captured)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*picture, []byte(pictureOf(string(screen))), 0o644); err != nil {
		t.Fatal(err)
	}
}
