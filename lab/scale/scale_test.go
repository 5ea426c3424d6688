// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the harness: who draws when, what is counted, and that nothing is left running. No figure is asserted.

package scale

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fount/lab/measure"
)

// serveWord makes this test binary a process of a Run.
const serveWord = "serve-for-a-run"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == serveWord {
		if err := Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// program is this test binary as a process of a Run.
func program(t *testing.T) []string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Skip("this system can't start this test again: ", err)
	}
	return []string{path, serveWord}
}

// brief is a Run of milliseconds.
func brief(methods ...measure.Method) Options {
	return Options{Methods: func(Setting) []measure.Method { return slices.Clone(methods) }, Sizes: []int{16}, Rounds: 4, Turn: 100 * time.Microsecond, Nodes: 2}
}

// counting is a method that counts what is drawn from it, and logs each turn in which worker 0 takes part.
type counting struct {
	drawn atomic.Int64
	ended atomic.Int64 // workers
	mu    sync.Mutex
	log   []string
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

// named chooses methods by name.
func named(names ...string) func(Setting) []measure.Method {
	return Matching(func(name string) bool { return slices.Contains(names, name) })
}

// All counts of a method follow each other; every method gets every count once a round, in an order that changes.
func TestOrder(t *testing.T) {
	var c counting
	o := brief(c.method("a"), c.method("b"), c.method("c"))
	o.Modes, o.Rounds, o.Runs = []string{Threads}, 40, 4
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	list := counts(r.Cores)
	if len(c.log) != o.Rounds*3*len(list) || r.Rounds != 40 || r.Runs != 4 {
		t.Fatalf("%d turns in %d rounds and %d runs, want %d in 40 and 4", len(c.log), r.Rounds, r.Runs, o.Rounds*3*len(list))
	}
	orders, first := map[string]bool{}, map[string]bool{}
	for turns := range slices.Chunk(c.log, 3*len(list)) {
		order := ""
		for series := range slices.Chunk(turns, len(list)) {
			name := series[0][:1]
			order += name
			first[series[0][2:]] = true
			for _, n := range list {
				if want := fmt.Sprintf("%s %d", name, n); !slices.Contains(series, want) {
					t.Errorf("%q holds no %q", series, want)
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
	if len(orders) < 5 || len(first) != len(list) {
		t.Errorf("orders %v, series began with %v threads", orders, first)
	}
}

// Where runs differ more than their rounds, as many rounds follow in runs of their own, each with threads of its own: a run
// that was cut short goes on, and none is longer than before.
func TestAgain(t *testing.T) {
	for _, c := range []struct{ rounds, runs, perRun, all int }{{8, 4, 2, 8}, {7, 3, 3, 5}, {32, 8, 4, 16}, {3, 0, 3, 2}} {
		var m *measurement
		var crews []turner // that of each turn
		o := brief(measure.Method{Name: "m", Open: func() (measure.Source, error) {
			crews = append(crews, m.turners[Threads])
			return opens("m", func(int) {}).Open()
		}})
		o.Modes, o.Rounds, o.Runs, o.Turn = []string{Threads}, c.rounds, c.runs, time.Microsecond
		m, err := newMeasurement(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { m.close() }()
		if err := m.rounds(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if err := m.again(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := m.result(); r.Rounds != 2*c.rounds || r.Runs != c.all || m.done != m.all {
			t.Errorf("%+v: %d rounds in %d runs, %d of %d turns", c, r.Rounds, r.Runs, m.done, m.all)
		}
		runs := 0
		for run := range slices.Chunk(crews, c.perRun*len(m.counts)) {
			if runs++; slices.ContainsFunc(run, func(crew turner) bool { return crew != run[0] }) {
				t.Errorf("%+v: run %d changed its threads", c, runs)
			}
			if runs > 1 && crews[(runs-1)*c.perRun*len(m.counts)-1] == run[0] {
				t.Errorf("%+v: run %d has the threads of the one before", c, runs)
			}
		}
		if runs != c.all {
			t.Errorf("%+v: %d runs", c, runs)
		}
	}
}

// What a run says was drawn is what was drawn, without the warm-up.
func TestCounts(t *testing.T) {
	cpus := allowed()[:1]
	crew, err := newTeam(cpus)
	if err != nil {
		t.Fatal(err)
	}
	defer crew.close()
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
	r, err := crew.turn(m, what, 1)
	if err != nil || r.values == 0 || r.elapsed < what.Turn {
		t.Errorf("%+v, %v", r, err)
	}
}

// A method that fails, at once or in the middle, says so and is left out; the others are measured.
func TestFailures(t *testing.T) {
	var c counting
	absent := measure.Method{Name: "absent", Open: func() (measure.Source, error) { return nil, errors.ErrUnsupported }}
	var draws atomic.Int64
	late := opens("late", func(int) {
		if draws.Add(1) > 3 {
			panic("no more")
		}
	})
	o := brief(absent, late, c.method("c"))
	o.Modes = []string{Threads}
	o.Goroutines, o.GoroutineRounds = []int{1}, 1
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Series[0]; s.Error != errors.ErrUnsupported.Error() || s.Points != nil {
		t.Errorf("absent: %+v", s)
	}
	if s := r.Series[1]; !strings.HasPrefix(s.Error, "panic: no more") || s.Points != nil {
		t.Errorf("late: %+v", s)
	}
	if r.Find("c", 16, Threads) == nil || r.Find("late", 16, Threads) != nil {
		t.Error("the wrong series are found")
	}
	if s := r.Sweep.Series[1]; !strings.HasPrefix(s.Error, "panic: no more") {
		t.Errorf("late among goroutines: %+v", s)
	}
}

func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var c counting
	o := brief(c.method("c"))
	o.Program, o.Modes, o.Rounds = program(t), []string{Threads, Processes}, 1e6
	o.Methods = func(s Setting) []measure.Method { return append(named("fount")(s), c.method("c")) }
	o.Progress = func(done, all int) {
		if done == 5 {
			cancel()
		}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v, want that it was cancelled", err)
	}
	if err := noChildren(); err != nil {
		t.Error(err)
	}
}

func TestProcesses(t *testing.T) {
	o := brief()
	o.Methods = named("fount", "one mutex", "crypto/rand")
	o.Program, o.Modes, o.Rounds, o.Turn = program(t), []string{Processes}, 2, time.Millisecond
	o.Sizes = []int{16, 4096}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Series) != 6 {
		t.Fatalf("%d series, want 6", len(r.Series))
	}
	for _, s := range r.Series {
		if s.Error != "" || len(s.Points) != len(counts(r.Cores)) || len(s.Points[0].Rate.Values) != 2 || s.Points[0].Rate.Median <= 0 {
			t.Errorf("%+v", s)
		}
	}
	if err := noChildren(); err != nil {
		t.Error(err)
	}
}

// Each process is waited for, also after one has died, which is told with what it said.
func TestFamily(t *testing.T) {
	cpu := allowed()[0]
	f, err := newFamily(context.Background(), program(t), []int{cpu, cpu})
	if err != nil {
		t.Fatal(err)
	}
	what := task{Size: 16, Cores: 2, Nodes: 1, Turn: time.Millisecond}
	unknown, own := measure.Method{Name: "no such method"}, named("fount")(Setting{})[0]
	if _, err := f.turn(unknown, what, 2); err == nil || !strings.Contains(err.Error(), "no such method") || errors.As(err, new(*lost)) {
		t.Errorf("an unknown method: %v", err)
	}
	if r, err := f.turn(own, what, 2); err != nil || r.values == 0 {
		t.Errorf("after a failure: %+v, %v", r, err)
	}
	if err := f[1].cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.turn(own, what, 2); !errors.As(err, new(*lost)) {
		t.Errorf("a process was killed: %v", err)
	}
	f.close()
	for i, c := range f {
		if c.cmd.ProcessState == nil {
			t.Errorf("process %d was not waited for", i)
		}
	}
	if _, err := newFamily(context.Background(), []string{"/no/such/program"}, []int{cpu}); err == nil {
		t.Error("a program that is not there was started")
	}
}

func TestNoProgram(t *testing.T) {
	var c counting
	o := brief(c.method("c"))
	o.Modes = nil
	r, err := Run(context.Background(), o)
	if err != nil || len(r.Series) != 1 {
		// Modes nil are both; without a Program one is left.
		t.Fatalf("%d series, %v", len(r.Series), err)
	}
	o.Modes = []string{"fibres"}
	if _, err := Run(context.Background(), o); err == nil {
		t.Error("a mode that is none was measured")
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
		{Setting{Cores: 4, Nodes: 2}, []int{0, 0, 1, 1}},
		{Setting{Cores: 4, Nodes: 1}, []int{0, 0, 0, 0}},
		{Setting{Cores: 5, Nodes: 2}, []int{0, 0, 0, 1, 1}},
		{Setting{Cores: 5, Nodes: 3, On: []int{0, 1, 1, 2, 2}}, []int{0, 1, 1, 2, 2}},
	} {
		o, want := c.Setting, c.want
		var got []int
		for k := range o.Cores {
			got = append(got, o.node(k))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", o, got, want)
		}
		if o.node(o.Cores) != 0 {
			t.Errorf("%+v: the worker after the last has node %d, want 0", o, o.node(o.Cores))
		}
	}
}

// Every method draws in both sizes from four workers at once.
func TestMethods(t *testing.T) {
	names := map[string]bool{}
	for i, m := range append(Methods(Setting{Size: 16, Cores: 4, Nodes: 2}), harness) {
		slug := measure.Slug(m.Name)
		if names[m.Name] || names[slug] || strings.ContainsAny(slug, " /(),") || m.About == "" {
			t.Errorf("name %q, slug %q, about %q: empty, twice, or not fit for a benchmark", m.Name, slug, m.About)
		}
		names[m.Name], names[slug] = true, true
		for _, m := range []measure.Method{m, append(Methods(Setting{Size: 4096, Cores: 4, Nodes: 2}), harness)[i]} {
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

func TestSteps(t *testing.T) {
	if steps(0) != 0 || steps(-1) != 0 || steps(1) < 1 {
		t.Errorf("steps(0) = %d, steps(-1) = %d, steps(1) = %d", steps(0), steps(-1), steps(1))
	}
	if one, ten := steps(10*time.Microsecond), steps(100*time.Microsecond); ten < 10*one-10 || ten > 10*one+10 {
		t.Errorf("100 µs are %d steps, 10 µs %d", ten, one)
	}
	calls := 0
	between(func(n int) { calls += n }, 3)(7)
	if calls != 7 {
		t.Errorf("work between %d values, want 7", calls)
	}
}
