// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package figure

// Many plots on one sheet, as dashboards have them.

// A Grid is numbers in a row above plots, two side by side. It is 1600 wide. The plots' captions are not shown.
type Grid struct {
	Title   string
	Numbers []Stat
	Panels  []Lines
	Caption []string
}

// A Stat is a number with a name.
type Stat struct {
	Title, Value string
	Color        Color
}

const (
	gridColumns = 2
	statHeight  = 84.0
)

// SVG draws the grid. A series without points is an error, and a point without a place on the axes.
func (g Grid) SVG() ([]byte, error) {
	const width = gridColumns * Width
	rows := (len(g.Panels) + gridColumns - 1) / gridColumns
	s := newSheet(width, 44+statHeight+panelHeight*float64(rows)+captionLine*float64(len(g.Caption)))
	s.Title(g.Title, g.Caption)
	for i, n := range g.Numbers {
		x := width * (float64(i) + 0.5) / float64(len(g.Numbers))
		s.Text(Font{Size: headSize, Anchor: Middle}, x, 62, n.Title)
		s.Text(Font{Size: 2 * titleSize, Anchor: Middle, Color: n.Color, Bold: true}, x, 106, n.Value)
	}
	for i, l := range g.Panels {
		left, top := float64(i%gridColumns*Width), 44+statHeight+panelHeight*float64(i/gridColumns)+headSpace
		s.Text(Font{Size: headSize, Anchor: Middle, Bold: true}, left+(leftSpace+Width-keyWidth)/2, top-8, l.Title)
		p := panel{s: s, left: left + leftSpace, right: left + Width - keyWidth, top: top, bottom: top + panelHeight - headSpace - lowerSpace}
		if err := l.draw(p); err != nil {
			return nil, err
		}
	}
	return s.SVG(g.Title), nil
}
