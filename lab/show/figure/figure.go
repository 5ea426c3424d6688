// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package figure draws plots as SVG: lines over axes, and bars. It knows nothing of what is plotted, and it draws for a
// page or a file; package show is for terminals.
//
// What it returns is one svg element without a prolog, to be written to a file as it is or put into HTML. It needs no
// script and no font of its own. It is drawn for white paper; where the reader's screen is dark, a rule in it replaces
// each colour by one that can be told from black. Printers get the light one.
package figure

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Width is that of figures, in CSS pixels, as all lengths here are; their heights differ. NarrowWidth is for the screens of
// telephones.
const (
	Width       = 800
	NarrowWidth = 350
)

// A Figure is what can be drawn.
type Figure interface {
	SVG() ([]byte, error)       // Width wide
	NarrowSVG() ([]byte, error) // the same, laid out anew to be NarrowWidth wide, with letters of the same size
}

// The sizes of text.
const (
	titleSize   = 20
	titleLine   = 24
	headSize    = 15 // of one panel of several
	labelSize   = 14
	tickSize    = 13
	captionSize = 11.5
	captionLine = 15
)

// A Sheet is white paper to draw on. x grows to the right and y downwards.
type Sheet struct {
	width, height float64
	b             strings.Builder
}

// NewSheet returns an empty sheet of that height.
func NewSheet(height float64) *Sheet { return newSheet(Width, height) }

func newSheet(width, height float64) *Sheet {
	s := &Sheet{width: width, height: height}
	s.Rect(White, 0, 0, width, height)
	return s
}

// Rect fills a rectangle, whose upper left corner is at x and y.
func (s *Sheet) Rect(c Color, x, y, width, height float64) {
	fmt.Fprintf(&s.b, "<rect x=%q y=%q width=%q height=%q fill=%q/>\n", px(x), px(y), px(width), px(height), c)
}

// Fill fills a polygon.
func (s *Sheet) Fill(c Color, corners ...Point) {
	fmt.Fprintf(&s.b, "<path d=\"%sZ\" fill=%q/>\n", path(corners), c)
}

// A Stroke is how a line is drawn.
type Stroke struct {
	Color  Color
	Width  float64
	Dashed bool
}

// Line draws a line through points.
func (s *Sheet) Line(k Stroke, points ...Point) {
	dashes := ""
	if k.Dashed {
		dashes = ` stroke-dasharray="6.7 4"`
	}
	fmt.Fprintf(&s.b, "<path d=%q fill=\"none\" stroke=%q stroke-width=%q%s/>\n", path(points), k.Color, px(k.Width), dashes)
}

// path is the data of a path through points.
func path(points []Point) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + px(p.X) + " " + px(p.Y))
	}
	return b.String()
}

// px is a length to a hundredth of a pixel.
func px(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

// An Anchor is the part of a text that stands at its place.
type Anchor string

// The anchors.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// A Font is how text is written. The zero Color is Black, the zero Anchor Start.
type Font struct {
	Size   float64
	Color  Color
	Anchor Anchor
	Bold   bool
	Upward bool // turned to the left
}

// Text writes a line, with its baseline at y.
func (s *Sheet) Text(f Font, x, y float64, text string) {
	more := ""
	if f.Anchor != "" && f.Anchor != Start {
		more += fmt.Sprintf(" text-anchor=%q", f.Anchor)
	}
	if f.Bold {
		more += ` font-weight="bold"`
	}
	if f.Upward {
		more += fmt.Sprintf(" transform=\"rotate(-90 %s %s)\"", px(x), px(y))
	}
	if f.Color == "" {
		f.Color = Black
	}
	fmt.Fprintf(&s.b, "<text x=%q y=%q font-size=%q fill=%q%s>%s</text>\n", px(x), px(y), px(f.Size), f.Color, more,
		html.EscapeString(text))
}

// Title writes a line in the middle of the top edge, and lines at the bottom edge. A title that is too wide goes on in the
// next line.
func (s *Sheet) Title(title string, caption []string) {
	for i, line := range titleLines(s.width, title) {
		s.Text(Font{Size: titleSize, Anchor: Middle}, s.width/2, 29+titleLine*float64(i), line)
	}
	for i, line := range caption {
		s.Text(Font{Size: captionSize, Color: Gray}, 12, s.height-8-captionLine*float64(len(caption)-1-i), line)
	}
}

func titleLines(width float64, title string) []string {
	return wrap(Font{Size: titleSize}, width-24, title)
}

// wrapAll is lines that are no wider than width.
func wrapAll(f Font, width float64, texts []string) (lines []string) {
	for _, text := range texts {
		lines = append(lines, wrap(f, width, text)...)
	}
	return lines
}

// wrap fills text into lines that are no wider than width; a word that is wider has one to itself.
func wrap(f Font, width float64, text string) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case TextWidth(f, line+" "+word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// SVG is the sheet, with a name for screen readers.
func (s *Sheet) SVG(name string) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" class="fount-figure" role="img" aria-label="%s"`+
		` width="%s" height="%s" viewBox="0 0 %[2]s %[3]s" font-family="Liberation Sans,Arial,Helvetica,sans-serif">`+
		"\n<style>%[4]s</style>\n%[5]s</svg>\n", html.EscapeString(name), px(s.width), px(s.height), rules, s.b.String())
}

// TextWidth is how wide a text is at most in the fonts that a reader is likely to have: Arial, and Helvetica and Liberation Sans,
// which have its metrics, or DejaVu Sans, the sans-serif of many a Linux, which is an eighth wider.
func TextWidth(f Font, text string) float64 {
	sum := 0
	for _, r := range text {
		if r >= ' ' && int(r-' ') < len(widths) {
			sum += widths[r-' ']
		} else {
			sum += 838 // × and ≥ in DejaVu Sans; most are narrower
		}
	}
	w := f.Size * float64(sum) / 1000
	if f.Bold {
		w *= 1.13
	}
	return w
}

// widths are those of ASCII's characters from the space on, in thousandths of the size: of DejaVu Sans 2.37 and Adobe's metrics of
// Helvetica the greater.
var widths = [...]int{
	318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, // to /
	636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 556, // to ?
	1015, 684, 686, 722, 770, 667, 611, 778, 752, 295, 500, 667, 557, 863, 748, 787, // to O
	667, 787, 722, 667, 611, 732, 684, 989, 685, 667, 685, 390, 337, 390, 838, 556, // to _
	500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, // to o
	635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838, // to ~
}
