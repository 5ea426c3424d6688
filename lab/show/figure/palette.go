// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

// The colours on white, and what stands for them on black.

import (
	"fmt"
	"strings"
)

// A Color is one of this palette, as SVG writes it.
type Color string

// The colours are from Okabe and Ito's palette, which the colour-blind can tell apart.
const (
	Black       Color = "#000000"
	Orange      Color = "#E69F00"
	SkyBlue     Color = "#56B4E9"
	BluishGreen Color = "#009E73"
	Blue        Color = "#0072B2"
	Vermilion   Color = "#D55E00"
	Purple      Color = "#CC79A7"

	GridLine Color = "#DDDDDD"
	Gray     Color = "#595959"
	Silver   Color = "#B5B5B5"

	White Color = "#FFFFFF"
)

// dark is each colour's twin: as far from black as the colour is from white, or further.
var dark = []struct{ light, dark Color }{
	{White, "#15181D"},
	{Black, "#E8E8E8"},
	{Gray, "#A8AEB8"},
	{Silver, "#6B727D"},
	{GridLine, "#333840"},
	{Blue, "#2D8FD2"},
	{SkyBlue, "#A6D8F5"},
	{Vermilion, "#F08030"},
	{BluishGreen, "#2FBF95"},
	{Purple, "#D893BB"},
}

// rules is the style sheet in each figure.
var rules = func() string {
	var b strings.Builder
	b.WriteString("svg.fount-figure{max-width:100%;height:auto}\n@media screen and (prefers-color-scheme:dark){\n")
	for _, c := range dark {
		fmt.Fprintf(&b, ".fount-figure [fill=%q]{fill:%s}.fount-figure [stroke=%[1]q]{stroke:%[2]s}\n", c.light, c.dark)
	}
	b.WriteString("}")
	return b.String()
}()
