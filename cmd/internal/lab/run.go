// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// A run of a study: the order of methods, and the figures of their turns.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
	"fount/internal/cputime"
)

// Options say how to run a study.
type Options struct {
	Quick    bool           // shorter turns and loads, not fewer
	Count    int            // rounds; if 0, as many as the study has
	Only     *regexp.Regexp // rows whose "group: row" matches; if nil, all
	Command  string         // that runs the study again
	Version  string         // of the program
	Progress func(string)   // shows a line of progress; may be nil
	Machine  *machine.Facts // if nil, machine.Inspect's; on Plan 9 that reads the device
}

// A Run is one run of a study.
type Run struct {
	Context context.Context // ends at an interrupt
	Options

	study    string
	groups   []*Group
	contests []*contest
	notes    []string
	err      error
}

// Measure runs the study. With an error it returns the groups that were finished before.
func (s Study) Measure(ctx context.Context, o Options) (Result, error) {
	r := &Run{Context: ctx, Options: o, study: s.Name}
	s.Run(r)
	r.rounds(r.contests)

	if ctx.Err() != nil {
		r.Note("Interrupted: tables have fewer rounds than usual, or none.")
	}
	if o.Machine == nil {
		facts := machine.Inspect()
		o.Machine = &facts
	}
	result := Result{
		Study:   s.Name,
		Command: o.Command,
		Version: o.Version,
		Time:    time.Now().UTC().Truncate(time.Second),
		Machine: *o.Machine,
		Notes:   r.notes,
	}

	for _, g := range r.groups {
		if g.Rows != nil {
			g.judge()
			g.percent()
			result.Groups = append(result.Groups, *g)
		}
	}

	if len(result.Groups) == 0 && r.err == nil && o.Only != nil {
		return Result{}, fmt.Errorf("%s has no row that matches %q", s.Name, o.Only)
	}
	return result, r.err
}

// defaultTurn is how long a turn draws. In less time the share of the cores can't be measured.
const defaultTurn = 20 * time.Millisecond

// Plan returns the default plan: a goroutine for each of GOMAXPROCS, and CPU time.
func (r *Run) Plan() measure.Plan {
	p := measure.Plan{Rounds: Rounds, Turn: defaultTurn, CPU: measure.ProcessCPU, Thread: cputime.Thread}
	if r.Count > 0 {
		p.Rounds = r.Count
	}

	p.Warmup = p.Turn * 2 / 5
	if r.Quick {
		p.Warmup /= 4
	}

	return p.By(runtime.GOMAXPROCS(0))
}

// Note adds a note to the result: what the run could not measure, and why.
func (r *Run) Note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// Fail ends the run, unless err is nil. It keeps the first error.
func (r *Run) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Over reports whether the run has failed or was interrupted, so that a study may stop.
func (r *Run) Over() bool {
	r.Fail(r.Context.Err())
	return r.err != nil
}

// Wants reports whether Only matches a row.
func (r *Run) Wants(group, row string) bool {
	return r.Only == nil || r.Only.MatchString(group+": "+row)
}

// Show shows the progress of a study that measures by itself.
func (r *Run) Show(format string, args ...any) {
	if r.Progress != nil {
		r.Progress(r.study + ": " + fmt.Sprintf(format, args...))
	}
}

// Add adds a group that the study has measured or modelled by itself, unless Only matches none of
// its rows.
func (r *Run) Add(g Group) *Group {
	if g.Origin == "" {
		g.Origin = Measured
	}
	if len(g.Rows) > 0 && !slices.ContainsFunc(g.Rows, func(row Row) bool { return r.Wants(g.Name, row.Name) }) {
		return &g
	}
	r.groups = append(r.groups, &g)
	return &g
}

// Compare adds a group whose methods are measured after Study.Run has returned. In each round all
// groups take turns in random order, and in each group all methods, so that a disturbance of the
// machine meets all of them. Each method is compared with the first one of the same round.
//
// The group also has the row Empty, the harness with the plan's call, and a hidden control, which
// tells whether the machine was quiet. Methods of several goroutines are taken to contend. The
// caller may set the group's X and Published.
func (r *Run) Compare(name string, p measure.Plan, methods []measure.Method) *Group {
	g := Group{Name: name, Procs: runtime.GOMAXPROCS(0), Workers: p.Workers, Contends: p.Workers > 1}
	if r.Quick && !g.Contends && !p.Elapsed {
		p.Turn /= 4
	}

	var figures []func(measure.Run) float64
	g.Columns, figures = columns(p)

	way := func(m measure.Method) Way {
		return Way{Row{Name: m.Name, X: m.X, Then: m.Then}, func(int) (list []float64, err error) {
			run, err := p.Measure(m)
			if err != nil {
				return nil, err
			}
			for _, of := range figures {
				list = append(list, of(run))
			}
			return list, nil
		}}
	}

	var ways []Way
	for _, m := range methods {
		ways = append(ways, way(m))
	}

	c := r.contest(g, p.Rounds, ways, &p)
	if len(c.ways) > 0 {
		c.ways = append(c.ways, way(measure.Empty()))
		r.contests = append(r.contests, c)
	}

	return c.group
}

// columns returns the columns of a plan, and functions that return a turn's figure for each.
func columns(p measure.Plan) (list []Column, figures []func(measure.Run) float64) {
	add := func(c Column, of func(measure.Run) float64) {
		list = append(list, c)
		figures = append(figures, of)
	}
	elapsed := p.Elapsed || p.CPU == nil
	core := p.CPU != nil

	if elapsed {
		add(Column{Name: "ns", Unit: "ns/op", Judged: !core, Clock: true}, measure.Run.NS)
	}
	if core {
		add(Column{Name: "core ns", Unit: coreUnit, Judged: true}, measure.Run.CoreNS)
	}
	if elapsed && core {
		add(Column{Name: "cores", Unit: "cores"}, measure.Run.Cores)
	}
	if core {
		add(Column{Name: pays, Unit: "op/s"}, func(measure.Run) float64 { return math.NaN() })
	}

	return list, figures
}

const (
	coreUnit = "core-ns/op"
	pays     = "pays from" // set after the verdicts
)

// control keeps a core busy.
var control = measure.Method{Name: "control", Alone: true, Open: func() (measure.Source, error) {
	return measure.Workers(func(int) measure.Worker {
		x := uint64(1)
		return measure.Loop{Do: func(n int) {
			for range n {
				x = x*6364136223846793005 + 1
			}
		}}
	}), nil
}}

// reason returns err as one line.
func reason(err error) string {
	if errors.Is(err, errors.ErrUnsupported) {
		return "not on " + machine.OSName()
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// percent sets the rate from which on a row saves 1 % of a core, if its verdict is below, by 1 % or
// more.
func (g *Group) percent() {
	core := slices.IndexFunc(g.Columns, func(c Column) bool { return c.Unit == coreUnit })
	to := slices.IndexFunc(g.Columns, func(c Column) bool { return c.Name == pays })
	if to < 0 {
		return
	}

	for _, r := range g.Rows {
		if r.Verdict != nil && r.Verdict.Is == Below && r.Name != measure.Empty().Name {
			base := g.Rows[r.Base].Figures[core].Value
			if saving := base - r.Figures[core].Value; saving >= base/100 {
				r.Figures[to] = Once(1e9 / 100 / saving)
			}
		}
	}
}
