// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// The study of the seven: what is measured, what came out as JSON, as text and as a file for benchstat.

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/show"
)

// A Study is how the seven are measured, and those beside them.
type Study struct {
	Parameters
	Call   string        // after each draw: one of Calls
	Burst  bool          // measure bursts after pauses too
	Length int           // nonces of a burst
	Idle   time.Duration // before it
}

// Calls are the names of what stands for the call to another service.
var Calls = []string{noCall, goschedCall, loopbackCall}

const (
	noCall       = "none"
	goschedCall  = "gosched"
	loopbackCall = "loopback"
)

// A Report is what the study found. Names of fields stay; fields may be added.
type Report struct {
	Via         string     `json:"via"`
	Call        string     `json:"call"`
	Parameters  Parameters `json:"parameters"`
	Idle        string     `json:"idle,omitempty"`
	BurstLength int        `json:"burst_length,omitempty"`
	measure.Report
}

// Post is the study with the post's values.
func Post() Study {
	return Study{Parameters: PostParameters(), Call: noCall, Length: 1000, Idle: 10 * time.Millisecond}
}

// Methods are the seven and those beside them.
func (s Study) Methods() []measure.Method {
	return append(Seven(s.Parameters), CryptoRand(), Fount(), Generator(), Strict(), Empty())
}

// Plans are those for means and percentiles in steady use, then those for bursts. hangUp ends the service that is called.
func (s Study) Plans(p measure.Plan) (plans []measure.Plan, hangUp func(), err error) {
	p.Elapsed = true // most of the seven wait
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
	plans = []measure.Plan{p, timed}
	if s.Burst {
		for _, p := range []measure.Plan{p, timed} {
			p.Burst, p.Idle = s.Length, s.Idle
			plans = append(plans, p)
		}
	}
	return plans, hangUp, nil
}

// Report gathers what the plans gave, in their order. head is all of the report but its tables.
func (s Study) Report(head measure.Report, p measure.Plan, results [][]measure.Result) Report {
	r := Report{Via: s.Via.Name, Call: s.Call, Parameters: s.Parameters, Report: head}
	if s.Burst {
		r.Idle, r.BurstLength = s.Idle.String(), s.Length
	}
	for i, procs := range p.Procs {
		t := Trial{Study: s, Steady: measure.Rows(results[0], results[1], i), Cores: min(procs, p.Workers[i], runtime.NumCPU())}
		if s.Burst {
			t.Bursts = measure.Rows(results[2], results[3], i)
		}
		r.Tables = append(r.Tables, t.Table(procs, p.Workers[i]))
	}
	return r
}

// Table is the figures with what they show.
func (t Trial) Table(procs, goroutines int) measure.Table {
	c := t.Conclude()
	bursts := func(a, b string) bool { return c.Docket.Differ(burst+mean, a, b) }
	return measure.Table{
		GOMAXPROCS: procs, Goroutines: goroutines, Conclusion: c,
		Methods: measure.Against(Baseline, t.Steady, c.Docket.Costs), Bursts: measure.Against(Baseline, t.Bursts, bursts),
	}
}

// Head is what the bytes come from.
func (s Study) Head(m machine.Facts, style show.Style) string {
	via := "The seven read by " + s.Via.About
	if s.Via == ViaVDSO && m.Random.VDSO == machine.No {
		via += ", which this one does not have"
	}
	return show.Paragraph(via+".", style.Width, "", "")
}

// The columns of the tables.
var (
	steadyColumns = measure.Columns("mean", "95 %", "ratio", "core", "p50", "p99", "p99.9")
	burstColumns  = measure.Columns("mean", "95 %", "ratio", "first", "p50", "p99", "p99.9")
)

// Text is the tables with what they show.
func (r Report) Text(s show.Style) (text string) {
	for _, t := range r.Tables {
		text += "\n" + t.Heading(s) + measure.Text("ns per nonce", t.Methods, steadyColumns, s)
		if t.Bursts != nil {
			title := fmt.Sprintf("Bursts of %d nonces, each after a pause of %s", r.BurstLength, r.Idle)
			text += "\n" + show.Paragraph(title, s.Width, "", "  ") + measure.Text("ns per nonce", t.Bursts, burstColumns, s)
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
	return r.WriteWith(w, config, func(row measure.Row) string {
		via := r.Via
		if !IsOfPost(row.Name) {
			via = "own"
		}
		return "/via=" + via + "/call=" + r.Call
	})
}
