// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

// The colours on white, and what stands for them on black.

import (
	"fmt"
	"image/color"
	"strings"
)

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
	Silver   = color.RGBA{0xb5, 0xb5, 0xb5, 0xff}

	white = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

// dark is each colour's twin: as far from black as the colour is from white, or further.
var dark = []struct{ light, dark color.RGBA }{
	{white, color.RGBA{0x15, 0x18, 0x1d, 0xff}},
	{Black, color.RGBA{0xe8, 0xe8, 0xe8, 0xff}},
	{Gray, color.RGBA{0xa8, 0xae, 0xb8, 0xff}},
	{Silver, color.RGBA{0x6b, 0x72, 0x7d, 0xff}},
	{GridLine, color.RGBA{0x33, 0x38, 0x40, 0xff}},
	{Blue, color.RGBA{0x2d, 0x8f, 0xd2, 0xff}},
	{SkyBlue, color.RGBA{0xa6, 0xd8, 0xf5, 0xff}},
	{Vermilion, color.RGBA{0xf0, 0x80, 0x30, 0xff}},
	{BluishGreen, color.RGBA{0x2f, 0xbf, 0x95, 0xff}},
	{Purple, color.RGBA{0xd8, 0x93, 0xbb, 0xff}},
}

// rules is the style sheet in each figure.
var rules = func() string {
	var b strings.Builder
	b.WriteString("svg.fount-figure{max-width:100%;height:auto}\n@media screen and (prefers-color-scheme:dark){\n")
	for _, c := range dark {
		from, to := hex(c.light), hex(c.dark)
		fill, stroke := fmt.Sprintf("[fill=\"%s\"]", from), fmt.Sprintf("[stroke=\"%s\"]", from)
		fmt.Fprintf(&b, ".fount-figure %s{fill:%s}.fount-figure %s{stroke:%s}\n", fill, to, stroke, to)
	}
	b.WriteString("}")
	return b.String()
}()

// hex is a colour as vgsvg writes it.
func hex(c color.RGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }
