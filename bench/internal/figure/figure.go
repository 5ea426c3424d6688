// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package figure is what the plots in docs/results have in common: size, colours, fonts, and the
// SVG around them. It knows nothing of what is plotted.
package figure

import (
	"bytes"
	"image/color"
	"io"

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

// The colours are from Okabe and Ito's palette, which the colour-blind can tell apart.
var (
	Black       = color.RGBA{0x00, 0x00, 0x00, 0xff}
	Orange      = color.RGBA{0xe6, 0x9f, 0x00, 0xff}
	SkyBlue     = color.RGBA{0x56, 0xb4, 0xe9, 0xff}
	BluishGreen = color.RGBA{0x00, 0x9e, 0x73, 0xff}
	Blue        = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	Vermilion   = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	Purple      = color.RGBA{0xcc, 0x79, 0xa7, 0xff}

	GridLine = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
	Gray     = color.RGBA{0x59, 0x59, 0x59, 0xff}
)

// A Figure is a white canvas for one SVG file.
type Figure struct {
	draw.Canvas
	svg *vgsvg.Canvas
}

// New returns an empty Figure, and sets the fonts of all plots that are made after it.
func New(width, height vg.Length) *Figure {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
	svg := vgsvg.New(width, height)
	f := &Figure{draw.New(svg), svg}
	f.FillPolygon(color.White, []vg.Point{{}, {X: width}, {X: width, Y: height}, {Y: height}})
	return f
}

// Style is black text of a size in points, to the right of and above the point where it is drawn.
func Style(size vg.Length) text.Style {
	return text.Style{Color: Black, Font: font.From(plot.DefaultFont, size), Handler: plot.DefaultTextHandler}
}

// Title writes a line in the middle of the top edge.
func (f *Figure) Title(s string) {
	style := Style(15)
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	f.FillText(style, vg.Point{X: f.Max.X / 2, Y: f.Max.Y - 10}, s)
}

// Caption writes small lines at the bottom edge.
func (f *Figure) Caption(lines ...string) {
	style := Style(8.5)
	style.Color = Gray
	for i, s := range lines {
		f.FillText(style, vg.Point{X: 9, Y: 6 + 11*vg.Length(len(lines)-1-i)}, s)
	}
}

// Write writes the Figure as SVG.
func (f *Figure) Write(w io.Writer) error {
	var svg bytes.Buffer
	if _, err := f.svg.WriteTo(&svg); err != nil {
		return err
	}
	_, err := w.Write(fallbackFonts(svg.Bytes()))
	return err
}

// fallbackFonts names fonts to take where Liberation Sans is not installed. Arial
// and Helvetica have its metrics, by which the text was laid out.
func fallbackFonts(svg []byte) []byte {
	return bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
}

// Line returns a line through points.
func Line(points plotter.XYs, style draw.LineStyle) (*plotter.Line, error) {
	l, err := plotter.NewLine(points)
	if err != nil {
		return nil, err
	}
	l.LineStyle = style
	return l, nil
}

// Small sets the sizes of an axis' text for a plot of a few hundred pixels.
func Small(axes ...*plot.Axis) {
	for _, axis := range axes {
		axis.Label.TextStyle.Font.Size = 10.5
		axis.Tick.Label.Font.Size = 10
		axis.Tick.Length = 4
		axis.Padding = 0
	}
}
