// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// A run of a study: which method is measured when, and what of it becomes a figure.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"fount/lab/machine"
	"fount/lab/measure"
)

// Options are the flags of fount bench.
type Options struct {
	Quick    bool           // shorter turns and loads, as many rounds
	Count    int            // rounds of a pass; 0: as many as the study has
	Only     *regexp.Regexp // rows whose "group: row" matches; nil: all
	Version  string         // of the program
	Progress func(string)   // is shown a line now and then; nil: nobody is
}

// flags are the options as they are typed.
func (o Options) flags() (text string) {
	if o.Quick {
		text += " --quick"
	}
	if o.Only != nil {
		text += " --only '" + strings.ReplaceAll(o.Only.String(), "'", `'\''`) + "'"
	}
	if o.Count > 0 {
		text += fmt.Sprintf(" --count %d", o.Count)
	}
	return text
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
	left     time.Duration // of all turns
	all      time.Duration
	start    time.Time
}

// Measure runs the study. With an error it returns what was finished before, if anything.
func (s Study) Measure(ctx context.Context, o Options) (Result, error) {
	r := &Run{Context: ctx, Options: o, study: s.Name}
	s.Run(r)
	r.Fail(r.measure())
	result := Result{
		Study: s.Name, Command: "fount bench " + s.Name + o.flags(), Version: o.Version, Time: time.Now().UTC().Truncate(time.Second),
		Machine: machine.Inspect(), Notes: r.notes,
	}
	for _, g := range r.groups {
		if g.Rows != nil {
			result.Groups = append(result.Groups, *g)
		}
	}
	decide(result.Groups)
	for i := range result.Groups {
		result.Groups[i].percent()
	}
	if len(result.Groups) == 0 && r.err == nil && len(r.notes) == 0 {
		r.err = fmt.Errorf("%s has no row that --only %q matches", s.Name, o.Only)
	}
	return result, r.err
}

// The usual plan. 16 rounds make six of the ten runs longer than one round, so that a second pass can be asked for.
const (
	usualRounds = 16
	usualTurn   = 20 * time.Millisecond
	quickTurn   = usualTurn / 4
)

// Plan is the usual plan: a goroutine for each of GOMAXPROCS, and CPU time.
func (r *Run) Plan() measure.Plan {
	p := measure.Plan{Rounds: usualRounds, Turn: usualTurn, CPU: measure.ProcessCPU}
	if r.Quick {
		p.Turn = quickTurn
	}
	if r.Count > 0 {
		p.Rounds = r.Count
	}
	p.Warmup, p.Draws = p.Turn*2/5, p.Turn/4
	return p.By(runtime.GOMAXPROCS(0))
}

// Note says what the run could not do, and why.
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

// Wants reports whether --only asks for a row.
func (r *Run) Wants(group, row string) bool {
	return r.Only == nil || r.Only.MatchString(group+": "+row)
}

// Show shows how far a study is that measures by itself.
func (r *Run) Show(format string, args ...any) {
	if r.Progress != nil {
		r.Progress(r.study + ": " + fmt.Sprintf(format, args...))
	}
}

// Add adds a group that the study has measured or modelled by itself, unless --only asks for none of its rows. They are judged
// with all others.
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

// Compare has the methods take turns once Study.Run has returned: in each round all groups in random order, and in each group
// all methods, so that no group is one episode of the machine. Each is compared with the first, in the same round. Beside them
// stand Empty, which is the harness with the plan's call, and unseen a control, which tells whether the machine was quiet.
// Where runs differ more than their rounds there is a second pass. The returned group may be given an X or Published.
func (r *Run) Compare(name string, p measure.Plan, methods []measure.Method) *Group {
	g := r.Add(Group{Name: name, Procs: runtime.GOMAXPROCS(0), Workers: p.Workers, Pass: p.Rounds})
	kept := slices.DeleteFunc(slices.Clone(methods[1:]), func(m measure.Method) bool { return !r.Wants(name, m.Name) })
	if len(kept) == 0 && !r.Wants(name, methods[0].Name) {
		return g
	}
	kept = slices.Concat(methods[:1], kept, []measure.Method{measure.Empty(), control})
	r.contests = append(r.contests, newContest(g, p, kept))
	return g
}

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

// measure makes the rounds of all groups, and as many again of those that are wide.
func (r *Run) measure() error {
	r.start = time.Now()
	r.stretch()
	err := r.pass(r.contests)
	for _, c := range r.contests {
		c.sum()
	}
	if err != nil {
		return err
	}
	wide := slices.DeleteFunc(slices.Clone(r.contests), func(c *contest) bool { return !c.group.wide() })
	err = r.pass(wide)
	for _, c := range wide {
		c.sum()
	}
	return err
}

// leastRound is how long a round of all groups takes at least, also by --quick: what the machine does for some tenths of a second
// must not be in several runs, which are judged as if they were independent.
const leastRound = 400 * time.Millisecond

// stretch lengthens the turns of a run of few methods.
func (r *Run) stretch() {
	var round time.Duration
	for _, c := range r.contests {
		round += c.time()
	}
	if round == 0 || round >= leastRound {
		return
	}
	by := float64(leastRound) / float64(round)
	for _, c := range r.contests {
		for _, d := range []*time.Duration{&c.plan.Turn, &c.plan.Warmup, &c.plan.Draws} {
			*d = time.Duration(by * float64(*d))
		}
	}
}

// pass makes as many rounds of each contest as its plan has.
func (r *Run) pass(contests []*contest) error {
	rounds := 0
	for _, c := range contests {
		rounds = max(rounds, c.plan.Rounds)
		r.all += c.time() * time.Duration(c.plan.Rounds)
	}
	for round := range rounds {
		for _, i := range rand.Perm(len(contests)) {
			c := contests[i]
			if round >= c.plan.Rounds {
				continue
			}
			if r.Over() {
				return r.err
			}
			r.progress()
			c.round()
			r.left += c.time()
		}
	}
	return nil
}

// progress shows how far the run is.
func (r *Run) progress() {
	if r.left == 0 {
		r.Show("measuring, %.0f s", math.Ceil(r.all.Seconds()))
		return
	}
	part := r.left.Seconds() / r.all.Seconds()
	r.Show("%.0f %%, %.0f s left", 100*part, math.Ceil(time.Since(r.start).Seconds()*(1-part)/part))
}

// A contest is the methods of one group while they take turns.
type contest struct {
	group   *Group
	plan    measure.Plan
	methods []measure.Method
	of      []func(measure.Run, measure.Method) float64 // a round's figure, by column
	rounds  [][][]float64                               // by method and column
	share   []float64                                   // of the control, by round
	failed  []error
}

// The columns of a contest.
const (
	nsUnit   = "ns/op"
	coreUnit = "core-ns/op"
	pays     = "pays from" // after the verdicts
)

func newContest(g *Group, p measure.Plan, methods []measure.Method) *contest {
	c := &contest{group: g, plan: p, methods: methods, failed: make([]error, len(methods)), rounds: make([][][]float64, len(methods))}
	column := func(col Column, of func(measure.Run, measure.Method) float64) {
		g.Columns, c.of = append(g.Columns, col), append(c.of, of)
	}
	quantile := func(q float64) func(measure.Run, measure.Method) float64 {
		return func(r measure.Run, _ measure.Method) float64 { return r.Draws.Quantile(q) }
	}
	elapsed, core := p.Elapsed || p.CPU == nil, p.CPU != nil && p.Burst == 0
	if elapsed {
		column(Column{Name: "ns", Unit: nsUnit, Judged: true, Clock: true}, func(r measure.Run, _ measure.Method) float64 { return r.NS() })
	}
	if core {
		column(Column{Name: "core ns", Unit: coreUnit, Judged: true}, func(r measure.Run, _ measure.Method) float64 { return r.CoreNS() })
		column(Column{Name: pays, Unit: "op/s"}, func(measure.Run, measure.Method) float64 { return math.NaN() })
	}
	if elapsed && core {
		column(Column{Name: "cores", Unit: "cores"}, func(r measure.Run, _ measure.Method) float64 { return float64(r.CPU) / float64(r.Elapsed) })
	}
	if p.Draws > 0 {
		column(Column{Name: "p50", Unit: "p50-ns/op", Judged: true}, quantile(0.5))
		column(Column{Name: "p99", Unit: "p99-ns/op", Judged: true}, quantile(0.99))
	}
	if slices.ContainsFunc(methods, func(m measure.Method) bool { return m.Repeats > 0 }) {
		column(Column{Name: "clone repeats", Unit: "B"}, func(_ measure.Run, m measure.Method) float64 { return float64(m.Repeats) })
	}
	for i := range c.rounds {
		c.rounds[i] = make([][]float64, len(c.of))
	}
	return c
}

// time is how long a round takes.
func (c *contest) time() time.Duration {
	return time.Duration(len(c.methods)) * (c.plan.Turn + c.plan.Warmup + c.plan.Draws)
}

// round makes a turn of each method that has not failed.
func (c *contest) round() {
	for _, i := range rand.Perm(len(c.methods)) {
		if c.failed[i] != nil {
			continue
		}
		run, err := c.plan.Measure(c.methods[i])
		switch {
		case err != nil:
			c.failed[i] = err
		case i == len(c.methods)-1:
			cores := min(c.group.Workers, c.group.Procs, runtime.NumCPU())
			c.share = append(c.share, float64(run.CPU)/(float64(run.Elapsed)*float64(cores)))
		default:
			for k, of := range c.of {
				c.rounds[i][k] = append(c.rounds[i][k], of(run, c.methods[i]))
			}
		}
	}
}

// sum makes the group's rows.
func (c *contest) sum() {
	if len(c.share) == 0 {
		return
	}
	if c.plan.CPU != nil {
		c.group.Share = Of(c.share...).Value
	}
	c.group.Rows = nil
	for i, m := range c.methods[:len(c.methods)-1] {
		row := Row{Name: m.Name, X: m.X, Then: m.Then}
		if err := c.failed[i]; err != nil {
			row.Error = reason(err)
		} else {
			row.Figures = c.figures(i)
		}
		c.group.Rows = append(c.group.Rows, row)
	}
}

// figures are those of the i-th method.
func (c *contest) figures(i int) (list []*Figure) {
	for k, rounds := range c.rounds[i] {
		f := Of(rounds...)
		if f != nil && c.group.Columns[k].Unit == "B" { // a property, not a measurement
			if f = Once(f.Value); f.Value == 0 {
				f = nil
			}
		}
		list = append(list, f)
	}
	return list
}

// reason is an error in one line.
func reason(err error) string {
	if errors.Is(err, errors.ErrUnsupported) {
		return "not on " + machine.OSName()
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// percent fills in the rate from which a row pays that surely takes less core time than its base, by 1 % or more: from there it
// saves 1 % of a core.
func (g *Group) percent() {
	core := slices.IndexFunc(g.Columns, func(c Column) bool { return c.Unit == coreUnit })
	if core < 0 || g.Columns[core+1].Name != pays {
		return
	}
	for _, r := range g.Rows {
		if v := r.verdict(core); v != nil && v.Is == Below && r.Name != measure.Empty().Name {
			base := g.Rows[r.Base].Figures[core].Value
			if saving := base - r.Figures[core].Value; saving >= base/100 {
				r.Figures[core+1] = Once(1e9 / 100 / saving)
			}
		}
	}
}
