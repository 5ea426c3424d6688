// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package figure draws the program's plots as SVG: lines over an axis, and bars. It knows nothing of what is plotted,
// and it draws for a page or a file, not for a terminal.
//
// What it returns is one svg element without a prolog, to be written to a file as it is or put into HTML. It needs no
// script and no font of its own. It is drawn for white paper; where the reader's screen is dark, a rule in it replaces
// each colour by one that can be told from black. Printers get the light one.
package figure

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Pixel is a CSS pixel, 3/4 of a point.
const Pixel = 0.75 * vg.Length(1)

// Width is that of all figures; their heights differ.
const Width = 800 * Pixel

// A canvas is a white sheet for one SVG.
type canvas struct {
	draw.Canvas
	svg *vgsvg.Canvas
}

// newCanvas returns an empty canvas, and sets the fonts of all plots that are made after it.
func newCanvas(width, height vg.Length) *canvas {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
	svg := vgsvg.New(width, height)
	c := &canvas{draw.New(svg), svg}
	c.FillPolygon(color.White, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	return c
}

// style is black text of a size in points, to the right of and above the point where it is drawn.
func style(size vg.Length) text.Style {
	return text.Style{Color: Black, Font: font.From(plot.DefaultFont, size), Handler: plot.DefaultTextHandler}
}

// title writes a line in the middle of the top edge.
func (c *canvas) title(s string) {
	st := style(15)
	st.XAlign, st.YAlign = draw.XCenter, draw.YTop
	c.FillText(st, vg.Point{X: c.Max.X / 2, Y: c.Max.Y - 10}, s)
}

// captionLine is the height of a caption's line.
const captionLine = 11

// caption writes small lines at the bottom edge.
func (c *canvas) caption(lines []string) {
	st := style(8.5)
	st.Color = Gray
	for i, s := range lines {
		c.FillText(st, vg.Point{X: 9, Y: 6 + captionLine*vg.Length(len(lines)-1-i)}, s)
	}
}

var (
	rootPattern  = regexp.MustCompile(`(?s)^.*?<svg width="([^"]*)" height="([^"]*)" viewBox="([^"]*)"[^>]*>\n`)
	shapePattern = regexp.MustCompile(`<(?:text|path) [^>]*>`)
	stylePattern = regexp.MustCompile(`\s+style="([^"]*)"`)
)

// bytes is the SVG, named for those who don't see it.
func (c *canvas) bytes(name string) ([]byte, error) {
	var b bytes.Buffer
	if _, err := c.svg.WriteTo(&b); err != nil {
		return nil, err
	}
	root := rootPattern.FindSubmatch(b.Bytes())
	if root == nil {
		return nil, fmt.Errorf("gonum/plot's SVG begins with %.60q; want an svg element", b.String())
	}
	drawn := stylePattern.ReplaceAllFunc(b.Bytes()[len(root[0]):], func(s []byte) []byte {
		return []byte(attributes(string(stylePattern.FindSubmatch(s)[1])))
	})
	drawn = shapePattern.ReplaceAllFunc(drawn, func(s []byte) []byte {
		if bytes.Contains(s, []byte(" fill=")) {
			return s
		}
		// SVG's default, which vgsvg does not write and no rule would find.
		return bytes.Replace(s, []byte(" "), []byte(` fill="#000000" `), 1)
	})
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" class="fount-figure" role="img" aria-label="%s"`+
		` width="%s" height="%s" viewBox="%s">`+"\n<style>%s</style>\n%s",
		html.EscapeString(name), root[1], root[2], root[3], rules, drawn), nil
}

// attributes are CSS declarations as attributes of SVG: a rule in a style element has precedence over those, and where
// style sheets are ignored they stand.
func attributes(css string) string {
	var b strings.Builder
	for declaration := range strings.SplitSeq(css, ";") {
		name, value, ok := strings.Cut(declaration, ":")
		if !ok || value == "normal" {
			continue
		}
		if name == "font-family" {
			// Arial and Helvetica have the metrics of Liberation Sans, by which the text was laid out.
			value += ",Arial,Helvetica,sans-serif"
		}
		fmt.Fprintf(&b, " %s=\"%s\"", name, value)
	}
	return b.String()
}
