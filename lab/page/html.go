// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// The page: one HTML file that needs nothing else.

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string

	pageTemplate = template.Must(template.New("page").Parse(pageHTML))
)

// A page is what page.html shows.
type page struct {
	Title    string
	Machine  string
	Made     string
	Version  string
	CSS      template.CSS
	Problems []string // findings that must be mended first
	Answers  []answer
	Sections []section
	Files    []string
}

// An answer is one of the five, in sentences.
type answer struct {
	ID       string
	Question string
	Short    string // a figure or a few words
	Text     []string
	Section  string // where the evidence is
}

// A section is the evidence.
type section struct {
	ID      string
	Title   string
	Command string // that measured it
	Missing string // why there is nothing
	Text    []string
	Figures []plot
	Tables  []table
	Notes   []string
}

// A plot is an SVG of package figure, in two widths.
type plot struct{ Wide, Narrow template.HTML }

// A table has a heading row. In each row the first cell is a name and the others are figures, but for words.
type table struct {
	Caption string
	Head    []string
	Rows    []row
	Words   int // the first column of words after the name; 0: there are none
}

// IsWords reports whether the cells of a column are words.
func (t table) IsWords(column int) bool { return column > 0 && t.Words > 0 && column >= t.Words }

type row struct {
	Cells  []string
	Strong bool
}

// page makes the HTML.
func (r *Raw) page(sections []section) ([]byte, error) {
	m := r.Doctor.Machine
	p := page{
		Title:    "What random values and logins cost on this machine",
		Machine:  fmt.Sprintf("%s, %d cores, GOMAXPROCS %d, %s %s, %s", m.CPU, m.Cores, m.GOMAXPROCS, m.OS, m.Kernel, m.GoVersion),
		Made:     r.Made.Time.Format("2 January 2006, 15:04 UTC"),
		Version:  r.Made.Version,
		CSS:      template.CSS(pageCSS),
		Problems: r.problems(),
		Answers:  r.answers(),
		Sections: sections,
		Files:    r.Names,
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
