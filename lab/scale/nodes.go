// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Threads by the machine's nodes: the table of the patch of 2015, "Make /dev/urandom scalable".

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"fount/lab/machine"
	"fount/lab/measure"
)

// A NodeResult is what RunByNode measured.
type NodeResult struct {
	Label     string        `json:"label"`
	Machine   machine.Facts `json:"machine"`
	Placement Placement     `json:"placement"`
	Pinned    bool          `json:"pinned"`
	Rounds    int           `json:"rounds"`
	Runs      int           `json:"runs"`
	TurnNS    int64         `json:"turn_ns"`
	WorkNS    int64         `json:"work_ns"`
	Rows      []NodeRow     `json:"rows"` // the numbers of nodes of a method follow each other

	failed map[string]string // why a method was not measured
}

// A NodeRow is a method on so many nodes.
type NodeRow struct {
	Method  string  `json:"method"`
	Size    int     `json:"size_bytes"`
	Nodes   int     `json:"nodes"` // 0: one thread
	Threads int     `json:"threads"`
	Rate    *Figure `json:"values_per_s"`
	Speedup *Figure `json:"to_one_node,omitempty"` // nil of one thread on a node of several
	Waiting *Figure `json:"waiting_at_most,omitempty"`
	Asleep  *Figure `json:"asleep,omitempty"`
	Share   *Figure `json:"core_share,omitempty"` // of the time that the threads had their cores

	rates []float64 // by round
	drawn []int
}

// A Figure is a median, or mean of runs, and its 95 % interval, if there is one.
type Figure struct {
	Median float64  `json:"median"`
	Low    *float64 `json:"low,omitempty"`
	High   *float64 `json:"high,omitempty"`
}

func summary(s *measure.Sample) *Figure {
	if s == nil {
		return nil
	}
	return &Figure{s.Median, s.Low, s.High}
}

// RunByNode measures one thread, all CPUs of one node, of two, and so on, as Run does in its mode Threads. Each thread looks
// at the end of each turn where it is: one that is elsewhere than it was to be ends the measurement with an error. Modes,
// Nodes, Program and Goroutines are not looked at.
func RunByNode(ctx context.Context, o Options) (NodeResult, error) {
	p, err := newPlacement(allowed(), runtime.GOMAXPROCS(0))
	if err == nil && len(p.Nodes) == 0 {
		err = errors.New("no node has a CPU that this process may use")
	}
	if err != nil {
		return NodeResult{}, err
	}
	m := p.measurement(o)
	if err := m.start(ctx); err != nil {
		return NodeResult{}, err
	}
	defer func() { m.close() }()
	if err := m.rounds(ctx, 0); err != nil {
		return NodeResult{}, err
	}
	return m.byNode(p), nil
}

// measurement is one of threads at the placement's spots.
func (p Placement) measurement(o Options) *measurement {
	o.Modes, o.Nodes, o.Goroutines = []string{Threads}, len(p.Nodes), nil
	m := &measurement{Options: o, counts: p.threads(), spots: p.spots(), on: p.on()}
	if m.counts[0] > 1 {
		m.counts = slices.Insert(m.counts, 0, 1)
	}
	for _, s := range m.spots {
		m.cpus = append(m.cpus, s.cpu)
	}
	m.cores = len(m.cpus)
	return m
}

// byNode gathers the figures.
func (m *measurement) byNode(p Placement) NodeResult {
	r := NodeResult{
		Label: Label, Machine: machine.Inspect(), Placement: p, Pinned: canPin, Rounds: m.Rounds, Runs: (m.Rounds + m.perRun() - 1) / m.perRun(), TurnNS: int64(m.Turn),
		WorkNS: int64(m.Work), failed: map[string]string{},
	}
	single := len(m.counts) - len(p.Nodes) // how many counts are no whole node: one, or none
	for i, s := range m.series {
		if s.Error != "" {
			r.failed[s.Method] = s.Error
			continue
		}
		for c, threads := range m.counts {
			row := newNodeRow(m.runs[i][c], m.runs[i][single], m.runs[i][0], m.perRun())
			row.Method, row.Size, row.Nodes, row.Threads = s.Method, s.Size, c+1-single, threads
			if c < single {
				row.Speedup = nil
			}
			r.Rows = append(r.Rows, row)
		}
	}
	return r
}

// newNodeRow sums up the turns of some threads, beside those of one node and those of one thread, in the same rounds.
func newNodeRow(runs, node, alone []run, perRun int) NodeRow {
	rates := collect(runs, run.rate)
	row := NodeRow{Rate: summary(measure.Of(rates...)), rates: rates}
	row.Speedup = summary(measure.ByRun(measure.Over(rates, collect(node, run.rate)), perRun))
	threads := 0
	for _, r := range runs {
		row.drawn = append(row.drawn, r.values)
		threads = r.threads
	}
	known := func(r run) bool { return r.cpu > 0 }
	if every(runs, known) {
		row.Share = summary(measure.Of(collect(runs, func(r run) float64 { return r.share(threads) })...))
	}
	accounted := func(r run) bool { return r.accounted && r.cpu > 0 }
	if every(runs, accounted) {
		row.Asleep = summary(measure.Of(collect(runs, run.asleep)...))
	}
	if every(runs, accounted) && every(alone, known) {
		waits := make([]float64, min(len(runs), len(alone)))
		for i := range waits {
			waits[i] = runs[i].waiting(alone[i])
		}
		row.Waiting = summary(measure.Of(waits...))
	}
	return row
}

// sizes are the sizes of values, in order.
func (r NodeResult) sizes() (list []int) {
	for _, row := range r.Rows {
		if !slices.Contains(list, row.Size) {
			list = append(list, row.Size)
		}
	}
	return list
}

// methods are the names of those that were measured, in order.
func (r NodeResult) methods(size int) (list []string) {
	for _, row := range r.Rows {
		if row.Size == size && !slices.Contains(list, row.Method) {
			list = append(list, row.Method)
		}
	}
	return list
}

// A rowKey tells the rows of a result apart.
type rowKey struct {
	method      string
	size, nodes int
}

// byKey are the rows.
func (r NodeResult) byKey() map[rowKey]*NodeRow {
	rows := make(map[rowKey]*NodeRow, len(r.Rows))
	for i, row := range r.Rows {
		rows[rowKey{row.Method, row.Size, row.Nodes}] = &r.Rows[i]
	}
	return rows
}

// busy reports whether other programs had so much of the cores that what the clock says can't be judged, and the share
// that was left: see [Result.Busy].
func (r NodeResult) busy() (share float64, busy bool) {
	least := map[string]float64{}
	for _, row := range r.Rows {
		if row.Share == nil {
			return 0, false
		}
		was, ok := least[row.Method]
		if !ok {
			was = 1
		}
		least[row.Method] = min(was, row.Share.Median)
	}
	for _, left := range least {
		share = max(share, left)
	}
	return share, len(least) > 0 && share < measure.QuietShare
}

// Plots are none: a table of nodes is short.
func (r NodeResult) Plots() []Plot { return nil }

// Write writes a line for each round of each row, in the form that benchstat reads:
//
//	BenchmarkNodes/method=fount/size=16/nodes=2/threads=72-72
func (r NodeResult) Write(w io.Writer) error {
	f := measure.NewFile(w, r.Machine)
	f.Set("turn", fmt.Sprintf("%dns", r.TurnNS))
	f.Set("work", fmt.Sprintf("%dns", r.WorkNS))
	f.Set("nodes", r.Placement.Source)
	for _, row := range r.Rows {
		name := fmt.Sprintf("Nodes/method=%s/size=%d/nodes=%d/threads=%d", measure.Slug(row.Method), row.Size, row.Nodes, row.Threads)
		for i, rate := range row.rates {
			f.Add(name, r.Machine.GOMAXPROCS, iterations(row.drawn, i), []measure.Value{value(1e9/rate, "ns/op"), value(rate, "values/s")})
		}
	}
	return f.Err
}
