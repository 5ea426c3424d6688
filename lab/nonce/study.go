// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// A study: what is measured, what came out as JSON, as text and as a file for benchstat.

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"fount/lab/measure"
	"fount/lab/show"
)

// A Study is what is measured, and how.
type Study struct {
	Parameters
	Call     string        // after each draw: one of Calls
	Question *Question     // nil: Which
	Burst    bool          // measure bursts after pauses too
	Length   int           // nonces of a burst
	Idle     time.Duration // before it
}

// A Report is what the study found. Names of fields stay; fields may be added.
type Report struct {
	Via         string     `json:"via,omitempty"`  // of all tables; "" if they differ
	Call        string     `json:"call,omitempty"` // of all tables; "" if they differ
	Parameters  Parameters `json:"parameters"`
	Idle        string     `json:"idle,omitempty"`
	BurstLength int        `json:"burst_length,omitempty"`
	measure.Report

	question *Question
}

// Plans are those for means and percentiles in steady use, then those for bursts. hangUp ends the service that is called.
func (s Study) Plans(p measure.Plan) (plans []measure.Plan, hangUp func(), err error) {
	p.Elapsed = true // most of the seven wait
	if cpu := s.question().cpu; cpu != nil {
		p.CPU = cpu
	}
	hangUp = func() {}
	switch s.Call {
	case goschedCall:
		p.Call = Gosched
	case loopbackCall:
		service, err := NewLoopback()
		if err != nil {
			return nil, nil, err
		}
		p.Call, hangUp = service.Call, service.Close
	}
	timed := p
	timed.Timed = true
	if s.question().timed {
		return []measure.Plan{timed}, hangUp, nil
	}
	plans = []measure.Plan{p, timed}
	if s.Burst {
		for _, p := range []measure.Plan{p, timed} {
			p.Burst, p.Idle = s.Length, s.Idle
			plans = append(plans, p)
		}
	}
	return plans, hangUp, nil
}

// Tables are what the plans gave, in their order, one for each of the plan's Procs.
func (s Study) Tables(p measure.Plan, results [][]measure.Result) (tables []measure.Table) {
	for i, procs := range p.Procs {
		t := Trial{Study: s, Steady: measure.Rows(results[0], results[min(1, len(results)-1)], i), Cores: min(procs, p.Workers[i], runtime.NumCPU())}
		if s.Burst {
			t.Bursts = measure.Rows(results[2], results[3], i)
		}
		tables = append(tables, t.Table(procs, p.Workers[i]))
	}
	return tables
}

// NewReport is a report on studies that differ in their conditions alone, with the tables of all of them. head is all of the
// report but its tables.
func NewReport(head measure.Report, studies []Study, tables []measure.Table) Report {
	s := studies[0]
	r := Report{Parameters: s.Parameters, Report: head, question: s.question()}
	if len(studies) == 1 {
		r.Via, r.Call = s.Via.Name, s.Call
	}
	if s.Burst {
		r.Idle, r.BurstLength = s.Idle.String(), s.Length
	}
	r.Tables = tables
	return r
}

// Table is the figures with what they show, under the study's condition.
func (t Trial) Table(procs, goroutines int) measure.Table {
	t.Crowd = goroutines != procs
	condition := t.condition()
	for _, rows := range [][]measure.Row{t.Steady, t.Bursts} {
		for i := range rows {
			r := &rows[i]
			r.Via, r.Call, r.ThenNS = t.viaOf(r.Name), t.Call, 0
			if IsPosts(condition) {
				r.ThenNS = PostThen(r.Name)
			}
		}
	}
	c := t.Conclude()
	base := t.question().base
	bursts := func(a, b string) bool { return c.Docket.Differ(burst+mean, a, b) }
	return measure.Table{
		GOMAXPROCS: procs, Goroutines: goroutines, Conclusion: c, Condition: condition,
		Methods: measure.Against(base, t.Steady, c.Docket.Costs), Bursts: measure.Against(base, t.Bursts, bursts),
	}
}

var burstColumns = measure.Columns("mean", "95 %", "ratio", "first", "p50", "p99", "p99.9")

// Text is the tables, each under its condition, with what they show.
func (r Report) Text(s show.Style) (text string) {
	q := Study{Question: r.question}.question()
	for _, t := range r.Tables {
		text += "\n" + show.Paragraph(Label(t.Condition, r.Machine.Random), s.Width, "", "  ")
		text += t.Heading(s) + measure.Text(q.unit, t.Methods, q.columns, s)
		if t.Bursts != nil {
			title := fmt.Sprintf("Bursts of %d nonces, each after a pause of %s", r.BurstLength, r.Idle)
			text += "\n" + show.Paragraph(title, s.Width, "", "  ") + measure.Text(q.unit, t.Bursts, burstColumns, s)
		}
		text += "\n" + t.Conclusion.Text(s)
	}
	return text
}

// Write writes it for benchstat, with /via and /call in the names: a method that draws in its own way has via=own.
func (r Report) Write(w io.Writer) error {
	p := r.Parameters
	config := [][2]string{
		{"capacity", fmt.Sprint(p.Capacity)}, {"buffer", fmt.Sprint(p.Buffer)}, {"channels", fmt.Sprint(p.Channels)}, {"writers", fmt.Sprint(p.Writers)},
	}
	if r.BurstLength > 0 {
		config = append(config, [2]string{"idle", r.Idle}, [2]string{"burst-length", fmt.Sprint(r.BurstLength)})
	}
	return r.WriteWith(w, config, func(row measure.Row) string { return "/via=" + row.Via + "/call=" + row.Call })
}
