// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of threads by node: where they are, what they wait, and what the tables say. No figure of a machine is asserted.

package scale

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/internal/numa"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/show"
)

// interleaved is a machine whose CPUs' numbers say nothing of their nodes.
var interleaved = Placement{"sysfs", []numa.Place{{Node: 0, CPUs: []int{0, 4}}, {Node: 2, CPUs: []int{1, 3}}, {Node: 5, CPUs: []int{2}}}}

func TestPlacement(t *testing.T) {
	p := interleaved
	if got := p.threads(); !slices.Equal(got, []int{2, 4, 5}) {
		t.Errorf("threads %v", got)
	}
	if got := p.on(); !slices.Equal(got, []int{0, 0, 1, 1, 2}) {
		t.Errorf("nodes of the threads: %v", got)
	}
	want := []spot{{0, 0}, {4, 0}, {1, 2}, {3, 2}, {2, 5}}
	if got := p.spots(); !slices.Equal(got, want) {
		t.Errorf("%v, want all CPUs of a node before the next: %v", got, want)
	}
	if got := fmt.Sprint(first(p.Nodes, 3)); got != "[{0 [0 4]} {2 [1]}]" {
		t.Errorf("three CPUs: %v", got)
	}
	m := p.measurement(Options{Nodes: 7, Modes: []string{Processes}})
	if !slices.Equal(m.counts, []int{1, 2, 4, 5}) || !slices.Equal(m.cpus, []int{0, 4, 1, 3, 2}) || m.nodes() != 3 {
		t.Errorf("threads %v on CPUs %v of %d nodes", m.counts, m.cpus, m.nodes())
	}
	single := Placement{"sysfs", []numa.Place{{CPUs: []int{0}}, {Node: 1, CPUs: []int{1}}}}
	if m := single.measurement(Options{}); !slices.Equal(m.counts, []int{1, 2}) {
		t.Errorf("nodes of one CPU: %v threads", m.counts)
	}
}

// A twin that ignores the nodes and takes the CPUs by number is found out by the threads themselves, as soon as one is on
// another node than its row says.
func TestSpotsCatchATwinWithoutNodes(t *testing.T) {
	real := map[int]int{}
	for _, s := range interleaved.spots() {
		real[s.cpu] = s.node
	}
	wrong := func(p Placement) (n int) {
		for _, s := range p.spots() {
			if s.check(s.cpu, real[s.cpu]) != nil {
				n++
			}
		}
		return n
	}
	twin := Placement{"sysfs", []numa.Place{{Node: 0, CPUs: []int{0, 1}}, {Node: 2, CPUs: []int{2, 3}}, {Node: 5, CPUs: []int{4}}}}
	if got := wrong(twin); got != 3 {
		t.Errorf("%d threads of the twin are found on other nodes, want those on CPUs 1, 2 and 4", got)
	}
	if got := wrong(interleaved); got != 0 {
		t.Errorf("%d threads are said to be on other nodes", got)
	}
	for _, here := range []spot{{-1, -1}, {3, -1}, {3, 2}} { // what can't be known is no error
		if err := (spot{3, 2}).check(here.cpu, here.node); err != nil {
			t.Errorf("%+v: %v", here, err)
		}
	}
	if err := (spot{3, -1}).check(4, 0); err == nil {
		t.Error("a thread on another CPU was not found")
	}
}

// A turn whose thread is elsewhere ends the measurement: there is no row that says otherwise.
func TestMisplacedEndsTheMeasurement(t *testing.T) {
	if cpu, _ := numa.Here(); cpu < 0 {
		t.Skip("this system does not say where a thread is")
	}
	here := allowed()[0]
	p := Placement{"sysfs", []numa.Place{{Node: 1023, CPUs: []int{here}}}} // no machine of a test has that node
	m := p.measurement(brief(new(counting).method("x")))
	if err := m.start(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer m.close()
	err := m.rounds(context.Background(), 0)
	if !errors.As(err, new(*misplaced)) || !strings.Contains(err.Error(), "node 1023 by sysfs") {
		t.Errorf("%v, want the node that the thread is not on", err)
	}
}

func TestRunByNode(t *testing.T) {
	t.Setenv(numa.Variable, "2")
	c := new(counting)
	broken := measure.Method{Name: "broken", Open: func() (measure.Source, error) { return nil, errors.New("it is gone") }}
	r, err := RunByNode(context.Background(), brief(c.method("x"), broken))
	if err != nil {
		t.Fatal(err)
	}
	want := min(2, len(r.Placement.spots()))
	if len(r.Rows) != want || len(r.Placement.Nodes) != want || r.Placement.Source != "synthetic" {
		t.Fatalf("%d rows on %+v", len(r.Rows), r.Placement)
	}
	for i, row := range r.Rows {
		if row.Method != "x" || row.Nodes != i+1 || row.Rate.Median <= 0 || row.Speedup == nil || len(row.rates) != 4 {
			t.Errorf("row %d: %+v", i, row)
		}
	}
	if r.Rows[0].Speedup.Median != 1 {
		t.Errorf("one node to itself is %v", r.Rows[0].Speedup.Median)
	}
	text := r.Text(show.Style{Width: 80})
	for _, part := range []string{"synthetic", "broken was not measured: it is gone."} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	var lines bytes.Buffer
	if err := r.Write(&lines); err != nil || strings.Count(lines.String(), "\nBenchmarkNodes/method=x/size=16/nodes=") != 4*want {
		t.Errorf("%v:\n%s", err, lines.String())
	}
}

// The accounting is exact where it is known what happened.
func TestWaiting(t *testing.T) {
	at := time.Now()
	from := accounts{at: at, cpu: 5, queued: 7, sleeps: 1}
	to := accounts{at: at.Add(100), cpu: 35, queued: 17, sleeps: 2}
	if got := slept(from, to); got != 60 {
		t.Errorf("slept %d of 100 ns, of which it ran 30 and was ready 10; want 60", got)
	}
	to.sleeps = 1
	if got := slept(from, to); got != 0 {
		t.Errorf("a thread that never gave its CPU up slept %d ns", got)
	}
	to.sleeps, to.cpu = 2, 200
	if got := slept(from, to); got != 0 {
		t.Errorf("slept %d ns", got)
	}
	alone := run{values: 10, cpu: 100} // 10 ns each
	for _, c := range []struct {
		run
		waiting, asleep float64
	}{
		{run{values: 20, cpu: 200}, 0, 0},                 // two threads that do not wait
		{run{values: 10, cpu: 200}, 0.5, 0},               // two that spin half of their time
		{run{values: 10, cpu: 100, slept: 100}, 0.5, 0.5}, // or sleep half of it
		{run{values: 4, cpu: 80, slept: 120}, 0.8, 0.6},
		{run{values: 30, cpu: 200}, -0.5, 0},
	} {
		if got := []float64{c.run.waiting(alone), c.run.asleep()}; !near(got, []float64{c.waiting, c.asleep}) {
			t.Errorf("%+v: waiting %v, asleep %v; want %v, %v", c.run, got[0], got[1], c.waiting, c.asleep)
		}
	}
}

func sampleNodes() NodeResult {
	p := Placement{"sysfs", []numa.Place{{Node: 0, CPUs: []int{0, 1}}, {Node: 1, CPUs: []int{2, 3}}}}
	r := NodeResult{
		Label: Label, Placement: p, Pinned: true, Rounds: 8, Runs: 4, TurnNS: 8e6,
		Machine: machine.Facts{CPU: "A CPU", OS: "Linux", Kernel: "6.12", GoVersion: "go1.26", Cores: 4, GOMAXPROCS: 4},
	}
	at := func(x float64) *Figure {
		low, high := x*0.98, x*1.02
		return &Figure{x, &low, &high}
	}
	for k, name := range []string{Arithmetic, "getrandom, vDSO", "getrandom(2)", "/dev/urandom", "one mutex", "mutex per node", "fount"} {
		for nodes, threads := range []int{1, 2, 4} {
			gain := []float64{0, 1, 2}[nodes]
			row := NodeRow{Method: name, Size: 16, Nodes: nodes, Threads: threads, Rate: at(float64(k+1) * 1e6 * float64(threads)),
				Speedup: at(gain), Asleep: at(float64(k) / 20), Share: &Figure{Median: 0.99}, Waiting: at(float64(k*nodes) / 40)}
			if nodes == 0 {
				row.Speedup = nil
			}
			if name == "fount" {
				row.Asleep, row.Waiting = nil, nil
			}
			r.Rows = append(r.Rows, row)
		}
	}
	return r
}

// With other programs on the CPUs, no speed-up is printed.
func TestNodesBusy(t *testing.T) {
	r := sampleNodes()
	for i := range r.Rows {
		r.Rows[i].Share = &Figure{Median: 0.8}
	}
	text := r.Text(show.Style{Width: 80})
	if !strings.Contains(text, "80% of their time was left") && !strings.Contains(text, "80% of\n") {
		t.Errorf("not said:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "    to 1 node") && strings.ContainsAny(line[13:], "0123456789") {
			t.Errorf("a speed-up: %s", line)
		}
	}
}
