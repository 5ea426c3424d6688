// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the harness: who draws when, what is counted, and that nothing is left running. No figure is asserted.

package scale

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fount/internal/numa"
	"fount/lab"
	"fount/lab/measure"
)

// TestMain is the other side too.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "child" {
		if err := Study.Child(json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// counting is a method that counts what is drawn from it, and logs each turn.
type counting struct {
	drawn, ended atomic.Int64 // values, workers
	mu           sync.Mutex
	log          []string
}

func (c *counting) method(name string) measure.Method {
	return measure.Method{Name: name, Open: func() (measure.Source, error) { return &counted{counting: c, name: name}, nil }}
}

type counted struct {
	*counting
	name    string
	workers atomic.Int64
}

func (c *counted) Worker(int) measure.Worker {
	c.workers.Add(1)
	return measure.Loop{Do: func(n int) { c.drawn.Add(int64(n)) }, End: func() { c.ended.Add(1) }}
}

func (c *counted) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, fmt.Sprintf("%s %d", c.name, c.workers.Load()))
}

// opens is a method whose workers all do the same.
func opens(name string, do func(n int)) measure.Method {
	return measure.Method{Name: name, Open: func() (measure.Source, error) {
		return measure.Workers(func(int) measure.Worker { return measure.Loop{Do: do} }), nil
	}}
}

// brief is a contest of these methods on a ladder, with turns of 100 µs.
func brief(l ladder, methods ...measure.Method) *contest {
	c := newContest(&lab.Run{Context: nil}, l, 16, 100*time.Microsecond)
	c.methods, c.runs, c.failed = methods, make([][][]turned, len(methods)), make([]error, len(methods))
	for i := range c.runs {
		c.runs[i] = make([][]turned, len(l.steps))
	}
	return c
}

// All steps of a method follow each other; every method gets every step once a round, in an order that changes, and each
// run has threads of its own.
func TestOrder(t *testing.T) {
	var log counting
	c := brief(onCores(allowed()[:min(2, len(allowed()))]), log.method("a"), log.method("b"), log.method("c"))
	defer c.close()
	crews := map[crew]bool{}
	for round := range 40 {
		if err := c.round(t.Context(), round); err != nil {
			t.Fatal(err)
		}
		crews[c.crew] = true
	}
	orders := map[string]bool{}
	for turns := range slices.Chunk(log.log, 3*len(c.steps)) {
		order := ""
		for steps := range slices.Chunk(turns, len(c.steps)) {
			name := steps[0][:1]
			order += name
			for _, s := range c.steps {
				if want := fmt.Sprintf("%s %d", name, s.workers); !slices.Contains(steps, want) {
					t.Errorf("%q holds no %q", steps, want)
				}
			}
		}
		for _, name := range []string{"a", "b", "c"} {
			if strings.Count(order, name) != 1 {
				t.Errorf("a round measured %s", order)
			}
		}
		orders[order] = true
	}
	// That one of six orders does not come in 40 rounds has a probability of 0.4 %, that two don't 2e-6.
	if len(orders) < 5 || len(crews) != 40/runRounds || c.rounds() != 40 {
		t.Errorf("orders %v, %d teams, %d rounds", orders, len(crews), c.rounds())
	}
}

// What a tally says was drawn is what was drawn, without the warm-up.
func TestCounts(t *testing.T) {
	team, err := newTeam(allowed()[:1])
	if err != nil {
		t.Fatal(err)
	}
	defer team.close()
	var total atomic.Int64
	m := opens("m", func(n int) { total.Add(int64(n)) })
	what := task{Size: 16, Cores: 1, Nodes: 1, Turn: time.Millisecond}
	src, _ := m.Open()
	before := total.Load()
	result := what.run(src, func() { before = total.Load() })
	if got := total.Load() - before; int64(result.Values) != got || got == 0 {
		t.Errorf("the tally says %d, drawn were %d", result.Values, got)
	}
	if result.To-result.From < int64(what.Turn) {
		t.Errorf("the turn took %d ns, want %v at least", result.To-result.From, what.Turn)
	}
	if r, err := team.turn(m, what, 1); err != nil || r.values == 0 || r.elapsed < what.Turn {
		t.Errorf("%+v, %v", r, err)
	}
}

// A method that fails, at once or in the middle, says so; the others are measured.
func TestFailures(t *testing.T) {
	var log counting
	var draws atomic.Int64
	absent := measure.Method{Name: "absent", Open: func() (measure.Source, error) { return nil, errors.ErrUnsupported }}
	late := opens("late", func(int) {
		if draws.Add(1) > 3 {
			panic("no more")
		}
	})
	c := brief(onCores(allowed()[:1]), absent, late, log.method("c"))
	defer c.close()
	for round := range 3 {
		if err := c.round(t.Context(), round); err != nil {
			t.Fatal(err)
		}
	}
	g := c.group(3)
	if len(g.Rows) != 3 || g.Rows[0].Error != errors.ErrUnsupported.Error() || g.Rows[1].Error != "panic: no more" || len(g.Rows[2].Figures) == 0 {
		t.Errorf("%+v", g.Rows)
	}
}

// A process that can't do a task goes on with the next, and one that has died is told.
func TestFamily(t *testing.T) {
	cpu := allowed()[0]
	f, err := newFamily(t.Context(), []int{cpu, cpu})
	if err != nil {
		t.Skip("this system can't start this test again: ", err)
	}
	defer f.close()
	what := task{Size: 16, Cores: 2, Nodes: 1, Turn: time.Millisecond}
	if _, err := f.turn(measure.Method{Name: "no such method"}, what, 2); err == nil || !strings.Contains(err.Error(), "no such method") || errors.As(err, new(*lost)) {
		t.Errorf("an unknown method: %v", err)
	}
	own := measure.Method{Name: "fount"}
	if r, err := f.turn(own, what, 2); err != nil || r.values == 0 {
		t.Errorf("after a failure: %+v, %v", r, err)
	}
	other, err := os.FindProcess(f[1].PID)
	if err := errors.Join(err, other.Kill()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.turn(own, what, 2); !errors.As(err, new(*lost)) {
		t.Errorf("a process was killed: %v", err)
	}
}

func TestNumbersOfThreads(t *testing.T) {
	for cores, want := range map[int][]int{
		1: {1}, 2: {1, 2}, 4: {1, 2, 3, 4}, 9: {1, 2, 3, 4, 5, 6, 7, 8, 9},
		16: {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16}, 20: {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20},
	} {
		if got := counts(cores); !slices.Equal(got, want) {
			t.Errorf("%d cores: %v, want %v", cores, got, want)
		}
	}
	if got := counts(256); len(got) > 32 || got[len(got)-1] != 256 {
		t.Errorf("256 cores: %v", got)
	}
}

func TestNodes(t *testing.T) {
	for _, c := range []struct {
		Setting
		want []int
	}{
		{Setting{Cores: 2, Nodes: 2}, []int{0, 1}},
		{Setting{Cores: 4, Nodes: 1}, []int{0, 0, 0, 0}},
		{Setting{Cores: 5, Nodes: 2}, []int{0, 0, 0, 1, 1}},
		{Setting{Cores: 5, Nodes: 3, On: []int{0, 1, 1, 2, 2}}, []int{0, 1, 1, 2, 2}},
	} {
		var got []int
		for k := range c.Cores {
			got = append(got, c.node(k))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.Setting, got, c.want)
		}
	}
}

// Every method draws in both sizes from four workers at once.
func TestMethods(t *testing.T) {
	for _, size := range []int{16, 4096} {
		for _, m := range Methods(Setting{Size: size, Cores: 4, Nodes: 2}) {
			src, err := m.Open()
			if errors.Is(err, errors.ErrUnsupported) {
				t.Logf("%s: %v", m.Name, err)
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			var all sync.WaitGroup
			for k := range 4 {
				all.Go(func() {
					w := src.Worker(k)
					defer w.Close()
					for _, n := range []int{0, 1, 15, 16, 17, 50} {
						w.Draw(n)
					}
				})
			}
			all.Wait()
			src.Close()
		}
	}
}

// The readers for values of 4 KiB fill all of one.
func TestReadersFill(t *testing.T) {
	for name, r := range map[string]reader{"crypto/rand": shared(cryptoRead), "math/rand/v2": shared(mathRead), "fount": shared(fountRead)} {
		read, done, err := r()
		if err != nil {
			t.Fatal(err)
		}
		value := make([]byte, 4096)
		read(value)
		measure.Loop{End: done}.Close()
		for i := 0; i < len(value); i += 16 {
			if [16]byte(value[i:]) == [16]byte{} {
				t.Errorf("%s left 16 bytes at %d", name, i)
			}
		}
	}
}

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
}

// Threads that stand by the CPUs' numbers are found out by themselves, as soon as one is on another node than its row says.
func TestSpots(t *testing.T) {
	on := map[int]int{}
	for _, s := range interleaved.spots() {
		on[s.cpu] = s.node
	}
	wrong := func(p Placement) (n int) {
		for _, s := range p.spots() {
			if s.check(s.cpu, on[s.cpu]) != nil {
				n++
			}
		}
		return n
	}
	twin := Placement{"sysfs", []numa.Place{{Node: 0, CPUs: []int{0, 1}}, {Node: 2, CPUs: []int{2, 3}}, {Node: 5, CPUs: []int{4}}}}
	if wrong(twin) != 3 || wrong(interleaved) != 0 {
		t.Errorf("%d and %d threads are found on other nodes, want those on CPUs 1, 2 and 4, and none", wrong(twin), wrong(interleaved))
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
	l := ladder{one: "node", many: "nodes", steps: []step{{1, 1}}, cpus: []int{here}, spots: []spot{{here, 1023}}, on: []int{0}} // no machine of a test has that node
	c := brief(l, new(counting).method("x"))
	defer c.close()
	if err := c.round(t.Context(), 0); !errors.As(err, new(*misplaced)) || !strings.Contains(err.Error(), "node 1023 by sysfs") {
		t.Errorf("%v, want the node that the thread is not on", err)
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
	alone := turned{values: 10, cpu: 100} // 10 ns each
	r := turned{values: 10, cpu: 150, slept: 50}
	if w, a := r.waiting(alone), r.asleep(); math.Abs(w-0.5) > 1e-9 || math.Abs(a-0.25) > 1e-9 {
		t.Errorf("waiting %v and asleep %v, want a half and a quarter", w, a)
	}
}

// All values asked for are drawn, and one more by each goroutine before it may begin.
func TestCrowd(t *testing.T) {
	for _, goroutines := range []int{1, 3, 1000} {
		for _, n := range []int{goroutines, 4096, 100_001} {
			var c counting
			elapsed, err := crowd(c.method("c"), goroutines, n)
			if err != nil || elapsed <= 0 {
				t.Fatalf("%v, %v", elapsed, err)
			}
			if got := c.drawn.Load(); got != int64(n+goroutines) || len(c.log) != 1 || c.ended.Load() != int64(goroutines) {
				t.Errorf("%d goroutines drew %d, want %d and %d; %d ended, closed %d times", goroutines, got, n, goroutines, c.ended.Load(), len(c.log))
			}
		}
	}
	m := measure.Method{Open: func() (measure.Source, error) {
		return measure.Workers(func(k int) measure.Worker {
			return measure.Loop{Do: func(n int) {
				if k == 2 && n > 1 {
					panic("the third")
				}
			}}
		}), nil
	}}
	if _, err := crowd(m, 5, 100); err == nil || !strings.Contains(err.Error(), "the third") {
		t.Errorf("a panic in a goroutine: %v", err)
	}
}

// Threads, processes, nodes and goroutines are measured, and no process is left.
func TestStudy(t *testing.T) {
	t.Setenv(numa.Variable, "2")
	r, err := Study.Measure(t.Context(), lab.Options{Quick: true, Count: 2, Only: regexp.MustCompile("16 bytes.*: (fount|one mutex),|4096.*processes: fount,")})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range r.Groups {
		names = append(names, g.X)
		for _, row := range g.Rows {
			if row.Error != "" || len(row.Figures) == 0 || row.Figures[0] == nil || !(row.Figures[0].Value > 0) {
				t.Errorf("%s: %+v", g.Name, row)
			}
		}
	}
	if got := strings.Join(names, " "); got != "threads processes nodes processes goroutines" {
		t.Errorf("measured were %s", got)
	}
	if err := noChildren(); err != nil {
		t.Error(err)
	}
}
