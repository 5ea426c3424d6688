// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// A run of a study: the order of methods, and the figures of their turns.

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
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
	r.takeAllTurns(r.contests)

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
			g.setPays()
			result.Groups = append(result.Groups, *g)
		}
	}

	if len(result.Groups) == 0 && r.err == nil && o.Only != nil {
		return Result{}, fmt.Errorf("%s has no row that matches %q", s.Name, o.Only)
	}
	return result, r.err
}

// Plan returns the default plan: a goroutine for each of GOMAXPROCS, and CPU time.
func (r *Run) Plan() measure.Plan {
	p := measure.Plan{
		Rounds:  Rounds,
		Turn:    20 * time.Millisecond, // in less the share of the cores can't be measured
		Warmup:  8 * time.Millisecond,
		Workers: runtime.GOMAXPROCS(0),
		CPU:     measure.ProcessCPU,
		Thread:  cputime.Thread,
	}
	if r.Count > 0 {
		p.Rounds = r.Count
	}
	if r.Quick {
		p.Warmup /= 4
	}
	return p
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

// Add adds a group that the study has measured or modelled by itself, of rows that it asked Wants
// for.
func (r *Run) Add(g Group) *Group {
	if g.Origin == "" {
		g.Origin = Measured
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

	g.Columns = columnsOf(p)
	var ways []Way
	for _, m := range methods {
		ways = append(ways, wayOf(m, p, g.Columns))
	}

	c := r.newContest(g, ways, p)
	if len(c.ways) > 0 {
		c.ways = append(c.ways, wayOf(measure.Empty(), p, g.Columns))
		r.contests = append(r.contests, c)
	}
	return c.group
}

// columnsOf returns the columns of what a plan measures.
func columnsOf(p measure.Plan) (list []Column) {
	core := p.CPU != nil
	elapsed := p.Elapsed || !core

	if elapsed {
		list = append(list, Column{Name: "ns", Unit: "ns/op", Judged: !core, Clock: true})
	}
	if core {
		list = append(list, Column{Name: "core ns", Unit: "core-ns/op", Judged: true})
	}
	if elapsed && core {
		list = append(list, Column{Name: "cores", Unit: "cores"})
	}
	if core {
		list = append(list, Column{Name: pays, Unit: "op/s"})
	}
	return list
}

// wayOf returns a row that measures a method by a plan. Its turn returns a figure for each column.
func wayOf(m measure.Method, p measure.Plan, columns []Column) Way {
	takeTurn := func(int) (figures []float64, err error) {
		turn, err := p.Measure(m)
		if err != nil {
			return nil, err
		}

		of := map[string]float64{"ns": turn.NS(), "core ns": turn.CoreNS(), "cores": turn.Cores(), pays: math.NaN()}
		for _, c := range columns {
			figures = append(figures, of[c.Name])
		}
		return figures, nil
	}
	return Way{Row{Name: m.Name, X: m.X, Then: m.Then}, takeTurn}
}

// pays is the name of a column that is set after the verdicts.
const pays = "pays from"

// setPays sets the rate from which on a row saves 1 % of a core, if its verdict is below, by 1 % or
// more.
func (g *Group) setPays() {
	core := g.judged()
	to := slices.IndexFunc(g.Columns, func(c Column) bool { return c.Name == pays })
	if to < 0 {
		return
	}

	for _, r := range g.Rows {
		isCheaper := r.Verdict != nil && r.Verdict.Is == Below
		if !isCheaper || r.Name == measure.Empty().Name {
			continue
		}
		base := g.Rows[r.Base].Figures[core].Value
		if saving := base - r.Figures[core].Value; saving >= base/100 {
			r.Figures[to] = Once(1e9 / 100 / saving)
		}
	}
}
