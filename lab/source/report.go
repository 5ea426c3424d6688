// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package source

// What came out, as text.

import (
	"fount/lab/measure"
	"fount/lab/show"
)

// Report gathers what the plan gave. head is all of the report but its tables.
func Report(head measure.Report, p measure.Plan, results []measure.Result) measure.Report {
	for i, procs := range p.Procs {
		head.Tables = append(head.Tables, Table(measure.Rows(results, nil, i), procs, p.Workers[i]))
	}
	return head
}

// Table is the figures of one GOMAXPROCS, with what they show.
func Table(rows []measure.Row, procs, goroutines int) measure.Table {
	c := conclude(rows)
	for i := range rows {
		rows[i].ThenNS, _ = then(rows[i].Name)
		rows[i].CoreNS = nil // what ns says
	}
	return measure.Table{GOMAXPROCS: procs, Goroutines: goroutines, Methods: measure.Against(Global, rows, c.Docket.Costs), Conclusion: c}
}

var columns = append(measure.Columns("now", "95 %", "ratio"), measure.Column{Head: "then", Cell: thenText}, measure.Column{Head: "ratio then", Cell: ratioThenText})

func thenText(r measure.Row) string {
	if r.ThenNS == 0 {
		return ""
	}
	return show.NS(r.ThenNS)
}

func ratioThenText(r measure.Row) string {
	global, _ := then(Global)
	if r.ThenNS == 0 {
		return ""
	}
	return show.Ratio(r.ThenNS / global)
}

// Text is the tables with what they show.
func Text(r measure.Report, s show.Style) (text string) {
	for _, t := range r.Tables {
		text += "\n" + t.Heading(s) + measure.Text("ns per integer", t.Methods, columns, s) + "\n" + t.Conclusion.Text(s)
	}
	return text
}
