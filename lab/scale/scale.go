// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package scale measures how the drawing of random values scales on this machine: on 1 to N bound threads, in 1 to N
// processes, with up to 100,000 goroutines on the same cores, and how late a single draw can be. It simulates nothing:
// what machines with more sockets would do is modelled in package model, and no figure of one stands beside the
// other's.
//
// [Run] measures throughput the way of will-it-scale, [Tail] latency. Both return figures with JSON tags; Text, SVG and
// Write functions show them.
package scale

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/scale/usl"
)

// Label stands on everything that this package shows.
const Label = "measured on this machine"

// The modes.
const (
	Threads   = "threads"
	Processes = "processes"
)

// Options say what to measure and for how long.
type Options struct {
	Methods func(Setting) []measure.Method // nil: all; as [Matching] chooses them
	Sizes   []int                          // bytes of a value, 16 or 4096; nil: both
	Modes   []string                       // Threads, Processes; nil: both
	Rounds  int                            // turns of each method with each number of threads
	Runs    int                            // in which the rounds are made, each with threads and processes of its own; 0: one
	Turn    time.Duration                  // how long a turn draws; a quarter of it comes before, uncounted
	Work    time.Duration                  // spun through after each value
	Nodes   int                            // synthetic nodes of the method that has some

	// Program is the command that runs Serve, to which the number of a core is appended; nil leaves processes out.
	Program []string

	Goroutines      []int // numbers of goroutines for the sweep; nil leaves it out
	GoroutineRounds int

	// Progress, if not nil, is called before each turn with the number of turns done and of all.
	Progress func(done, all int)
}

// Full is what is measured unless told otherwise: about 45 s on two cores, and 80 s where the runs differ
// more than the rounds within them.
func Full() Options {
	return Options{Rounds: 32, Runs: 8, Turn: 8 * time.Millisecond, Nodes: 2, Goroutines: Goroutines, GoroutineRounds: 5}
}

// Quick is for a look, and for a report of many parts: about 15 s on two cores.
func Quick() Options {
	o := Full()
	o.Rounds, o.Runs, o.GoroutineRounds = 12, 6, 3
	return o
}

// A Result is what Run measured.
type Result struct {
	Label   string        `json:"label"`
	Machine machine.Facts `json:"machine"`
	Cores   int           `json:"cores"` // threads at most
	Pinned  bool          `json:"pinned"`
	Nodes   int           `json:"synthetic_nodes"`
	Rounds  int           `json:"rounds"` // twice as many as asked for where runs differed more than their rounds
	Runs    int           `json:"runs"`   // so too
	TurnNS  int64         `json:"turn_ns"`
	WorkNS  int64         `json:"work_ns"`
	Notes   []string      `json:"notes"` // what is to be known before the figures are read
	Bars    []Check       `json:"checks"`
	Series  []Series      `json:"series"`
	Sweep   *Sweep        `json:"goroutines,omitempty"`
}

// A Series is one method in one mode.
type Series struct {
	Method   string  `json:"method"`
	Weakness string  `json:"weakness,omitempty"`
	Size     int     `json:"size_bytes"`
	Mode     string  `json:"mode"`
	Error    string  `json:"error,omitempty"` // why it was not measured; then there are no points
	Points   []Point `json:"points"`
	Fit      *Fit    `json:"usl,omitempty"`

	method measure.Method
}

// A Point is what so many threads or processes did.
type Point struct {
	Threads int             `json:"threads"`
	Rate    *measure.Sample `json:"values_per_s"` // all threads together
	Speedup *measure.Sample `json:"speedup"`      // to one, each round to the same round, by runs

	// By CPU time: what the ratio would be if the threads had always had their cores. It holds for methods that never
	// sleep. Nil where the system does not tell the CPU time of a thread.
	CoreNS     *measure.Sample `json:"core_ns_per_value,omitempty"`
	CPUSpeedup *measure.Sample `json:"cpu_speedup,omitempty"`
	Share      *measure.Sample `json:"core_share,omitempty"` // of the time that the threads had their cores

	drawn []int
}

// A Fit is the Universal Scalability Law through a series.
type Fit struct {
	Model  usl.Model   `json:"model"`
	Bounds *usl.Bounds `json:"intervals_95,omitempty"`
	Note   string      `json:"note,omitempty"` // what the figures can't say
}

// Point returns the point of n threads, nil if there is none.
func (s Series) Point(n int) *Point {
	for i := range s.Points {
		if s.Points[i].Threads == n {
			return &s.Points[i]
		}
	}
	return nil
}

// whole reports whether the series has its figures, up to all cores: a file may lack some.
func (s Series) whole(cores int) bool {
	missing := func(p Point) bool { return p.Rate == nil || p.Speedup == nil }
	return s.Point(1) != nil && s.Point(cores) != nil && !slices.ContainsFunc(s.Points, missing)
}

// Find returns a series, nil if it is not there or was not measured.
func (r Result) Find(method string, size int, mode string) *Series {
	for i, s := range r.Series {
		if s.Method == method && s.Size == size && s.Mode == mode && s.Error == "" && s.whole(r.Cores) {
			return &r.Series[i]
		}
	}
	return nil
}

// turner is what turns are made with: a team or a family.
type turner interface {
	turn(m measure.Method, what task, n int) (run, error)
	close()
}

// A measurement is one Run at work.
type measurement struct {
	Options
	counts  []int // numbers of threads
	cores   int
	cpus    []int
	spots   []spot // of the threads, nil unless they are placed by node
	on      []int  // the index of the node of each, likewise
	turners map[string]turner
	series  []Series
	runs    [][][]run // of each series, for each count, by round
	done    int
	all     int
}

// Run measures. All counts of a series follow each other, in an order drawn anew each time, as that of the series is in
// each round, so that a slow phase of the machine meets all alike and nobody always has the same neighbour. Where the
// speedups that are judged differ more from run to run than within, as many rounds follow. When ctx ends, Run returns
// its error.
func Run(ctx context.Context, o Options) (Result, error) {
	m, err := newMeasurement(ctx, o)
	if err != nil {
		return Result{}, err
	}
	defer func() { m.close() }()
	if err := m.rounds(ctx, 0); err != nil {
		return Result{}, err
	}
	r := m.result()
	if r.wide() {
		if err := m.again(ctx); err != nil {
			return Result{}, err
		}
		r = m.result()
	}
	if len(o.Goroutines) > 0 {
		if r.Sweep, err = m.sweep(ctx); err != nil {
			return Result{}, err
		}
	}
	return r, nil
}

// again makes as many rounds as have been made, in runs of as many rounds: more rounds in the same runs would say nothing
// of what differs between them.
func (m *measurement) again(ctx context.Context) error {
	made := m.Rounds
	m.all += made * len(m.series) * len(m.counts)
	m.Rounds, m.Runs = 2*m.Rounds, 2*max(1, m.Runs)
	return m.rounds(ctx, made)
}

// rounds makes the rounds from that one on, with new threads and processes for each run.
func (m *measurement) rounds(ctx context.Context, from int) error {
	for round := from; round < m.Rounds; round++ {
		if round%m.perRun() == 0 && round > 0 {
			m.close()
			if err := m.open(ctx); err != nil {
				return err
			}
		}
		for _, i := range rand.Perm(len(m.series)) {
			if err := m.turns(ctx, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// perRun is how many rounds a run has.
func (m *measurement) perRun() int {
	runs := max(1, m.Runs)
	return max(1, (m.Rounds+runs-1)/runs)
}

func newMeasurement(ctx context.Context, o Options) (*measurement, error) {
	cpus := allowed()
	cpus = cpus[:min(len(cpus), runtime.GOMAXPROCS(0))]
	m := &measurement{Options: o, cores: len(cpus), counts: counts(len(cpus)), cpus: cpus}
	return m, m.start(ctx)
}

// start fills the options in and starts what turns are made with.
func (m *measurement) start(ctx context.Context) error {
	o := &m.Options
	if o.Methods == nil {
		o.Methods = Methods
	}
	if o.Sizes == nil {
		o.Sizes = []int{16, 4096}
	}
	if o.Modes == nil {
		o.Modes = []string{Threads, Processes}
	}
	if err := m.open(ctx); err != nil {
		return err
	}
	for _, mode := range o.Modes {
		if m.turners[mode] == nil {
			continue
		}
		for _, size := range o.Sizes {
			for _, method := range o.Methods(m.setting(size)) {
				m.series = append(m.series, Series{
					Method: method.Name, Weakness: method.Weakness, Size: size, Mode: mode, method: method,
				})
			}
		}
	}
	m.runs = make([][][]run, len(m.series))
	for i := range m.runs {
		m.runs[i] = make([][]run, len(m.counts))
	}
	m.all = o.Rounds*len(m.series)*len(m.counts) + m.sweepTurns()
	return nil
}

// open starts what turns are made with.
func (m *measurement) open(ctx context.Context) error {
	m.turners = map[string]turner{}
	for _, mode := range m.Modes {
		t, err := newTurner(ctx, mode, m.Program, m.cpus)
		if err != nil {
			m.close()
			return err
		}
		if team, ok := t.(*team); ok {
			team.spots = m.spots
		}
		if t != nil {
			m.turners[mode] = t
		}
	}
	return nil
}

// newTurner is nil for a mode that is left out.
func newTurner(ctx context.Context, mode string, program []string, cpus []int) (turner, error) {
	switch {
	case mode == Threads:
		return newTeam(cpus)
	case mode == Processes && program != nil:
		return newFamily(ctx, program, cpus)
	case mode == Processes:
		return nil, nil
	}
	return nil, fmt.Errorf("mode %q; want %s or %s", mode, Threads, Processes)
}

func (m *measurement) close() {
	for mode, t := range m.turners {
		t.close()
		delete(m.turners, mode)
	}
}

// counts are the numbers of threads: all up to 8, then about eight for each doubling less, and the last.
func counts(cores int) (list []int) {
	for n, step := 1, 1; n < cores; n += step {
		if n >= 8 && n&(n-1) == 0 {
			step = n / 4
		}
		list = append(list, n)
	}
	return append(list, cores)
}

// nodes is how many synthetic nodes there are: one that no core belongs to would be none.
func (m *measurement) nodes() int { return min(max(1, m.Nodes), m.cores) }

func (m *measurement) setting(size int) Setting {
	return Setting{Size: size, Cores: m.cores, Nodes: m.nodes(), On: m.on}
}

// turns makes the turns of one series in a round: all counts.
func (m *measurement) turns(ctx context.Context, i int) error {
	s := &m.series[i]
	for _, c := range rand.Perm(len(m.counts)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.progress()
		if s.Error != "" {
			continue
		}
		what := task{Size: s.Size, Cores: m.cores, Nodes: m.nodes(), Turn: m.Turn, Work: m.Work}
		r, err := m.turners[s.Mode].turn(s.method, what, m.counts[c])
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, new(*lost)), errors.As(err, new(*misplaced)):
			return err
		case err != nil:
			s.Error = err.Error()
			continue
		}
		m.runs[i][c] = append(m.runs[i][c], r)
	}
	return nil
}

func (m *measurement) progress() {
	if m.Progress != nil {
		m.Progress(m.done, m.all)
	}
	m.done++
}

// result gathers the figures.
func (m *measurement) result() Result {
	r := Result{
		Label: Label, Machine: machine.Inspect(), Cores: m.cores, Pinned: canPin, Nodes: m.nodes(),
		Rounds: m.Rounds, Runs: (m.Rounds + m.perRun() - 1) / m.perRun(), TurnNS: int64(m.Turn), WorkNS: int64(m.Work), Series: m.series,
	}
	for i := range r.Series {
		s := &r.Series[i]
		s.Points, s.Fit = nil, nil
		if s.Error != "" {
			continue
		}
		for c, n := range m.counts {
			s.Points = append(s.Points, newPoint(n, m.runs[i][c], m.runs[i][0], m.perRun()))
		}
		s.Fit = fit(s.Points, m.perRun())
	}
	r.Notes = m.notes(r.Machine)
	r.Bars = r.Checks()
	return r
}

// newPoint sums up the turns of n threads; one are those of one thread in the same rounds, of which each run has so many.
func newPoint(n int, runs, one []run, rounds int) Point {
	rates := func(runs []run) []float64 { return collect(runs, run.rate) }
	p := Point{Threads: n, Rate: measure.Of(rates(runs)...), Speedup: measure.ByRun(measure.Over(rates(runs), rates(one)), rounds)}
	for _, r := range runs {
		p.drawn = append(p.drawn, r.values)
	}
	known := func(r run) bool { return r.cpu > 0 }
	if every(runs, known) && every(one, known) {
		own, alone := collect(runs, run.coreNS), collect(one, run.coreNS)
		p.CoreNS = measure.Of(own...)
		p.CPUSpeedup = measure.Of(measure.Times(measure.Over(alone, own), float64(n))...)
		p.Share = measure.Of(collect(runs, func(r run) float64 { return r.share(n) })...)
	}
	return p
}

func every(runs []run, holds func(run) bool) bool {
	return len(runs) > 0 && !slices.ContainsFunc(runs, func(r run) bool { return !holds(r) })
}

func collect(runs []run, of func(run) float64) []float64 {
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = of(r)
	}
	return values
}

// leastCounts is how many numbers of threads a law or a curve needs: the Universal Scalability Law has three figures, and
// with fewer than four points nothing is left that it could fail to meet.
const leastCounts = 4

// carries reports whether there are enough numbers of threads for a law and a curve.
func (r Result) carries() bool { return len(counts(r.Cores)) >= leastCounts }

// fit fits the law to the speedups, if there are numbers of threads enough: round by round, so that a slow phase of the
// machine drops out, and by runs of so many rounds. The unit is what one thread draws.
func fit(points []Point, rounds int) *Fit {
	if len(points) < leastCounts {
		return nil
	}
	unit := points[0].Rate.Median
	samples := make([]usl.Sample, len(points))
	for i, p := range points {
		samples[i] = usl.Sample{N: float64(p.Threads), X: measure.Times(p.Speedup.Values, unit)}
	}
	law, bounds, err := usl.FitSamples(samples, rounds)
	if err != nil {
		return &Fit{Note: "impossible: " + err.Error()}
	}
	return &Fit{Model: law, Bounds: bounds}
}

// notes are what is to be known before the figures are read.
func (m *measurement) notes(facts machine.Facts) (notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if !canPin {
		note("Threads are not bound to cores: a program can't do that on %s.", facts.OS)
	}
	if m.Program == nil && slices.Contains(m.Modes, Processes) {
		note("Processes were not measured: there is no program to start.")
	}
	if m.Nodes > m.cores {
		note("%d synthetic nodes were asked for and %d used, one a core.", m.Nodes, m.nodes())
	}
	if m.cores == 1 {
		note("There is one core, so nothing can be said of scaling.")
	}
	if n := len(m.counts); n > 1 && n < leastCounts {
		note("%d numbers of threads carry no law of scaling and no curve: that takes %d at least. What is shown is what %d "+
			"cores do, and says nothing of more.", n, leastCounts, m.cores)
	}
	if facts.CPULimit > 0 && facts.CPULimit < float64(m.cores) {
		note("A cgroup limits this process to %.3g cores: more threads than that wait.", facts.CPULimit)
	}
	if facts.Cores > m.cores {
		note("%d of %d cores are used.", m.cores, facts.Cores)
	}
	return notes
}
