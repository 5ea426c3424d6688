// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// A Headline is a question that a study answers by one figure and a chart, for the first screen of
// the report. Rows are named as in the study; of rows that form a line, the last counts.
type Headline struct {
	Asks   string
	Group  string // how the name of the table begins
	Unit   string // of the column; if empty, the first column
	Row    string // whose figure is told
	Tells  Telling
	Says   string // after the figure
	Charts string // what the bars show
	Bars   []Bar
}

// A Bar is a row of a headline's chart.
type Bar struct{ Row, Label string }

// Telling is what a headline tells of its row.
type Telling int

const (
	TellFigure Telling = iota
	TellRatio          // of the row's figure to its base's
	TellFewer          // how many times the row's figure the base's is
)
