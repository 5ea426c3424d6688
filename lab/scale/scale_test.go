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

// brief is a contest of these methods on 1 to all of some CPUs, with turns of 100 µs.
func brief(cpus []int, methods ...measure.Method) *contest {
	var spots []spot
	for _, cpu := range cpus {
		spots = append(spots, spot{cpu, -1})
	}
	c := newContest(&lab.Run{}, "threads", []int{len(cpus)}, spots, 16, 100*time.Microsecond)
	c.with(methods...)
	return c
}

// All steps of a method follow each other; every method gets every step once a round, in an order that changes.
func TestOrder(t *testing.T) {
	var log counting
	c := brief(allowed()[:min(2, len(allowed()))], log.method("a"), log.method("b"), log.method("c"))
	for round := range 40 {
		if err := c.round(t.Context(), round); err != nil {
			t.Fatal(err)
		}
	}
	orders := map[string]bool{}
	for turns := range slices.Chunk(log.log, 3*len(c.steps)) {
		order := ""
		for steps := range slices.Chunk(turns, len(c.steps)) {
			name := steps[0][:1]
			order += name
			for _, s := range c.steps {
				if want := fmt.Sprintf("%s %d", name, s); !slices.Contains(steps, want) {
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
	if len(orders) < 5 || c.rounds() != 40 {
		t.Errorf("orders %v, %d rounds", orders, c.rounds())
	}
}

// What a tally says was drawn is what was drawn, without the warm-up.
func TestCounts(t *testing.T) {
	var total atomic.Int64
	m := opens("m", func(n int) { total.Add(int64(n)) })
	what := task{Setting: Setting{16, []int{0}}, Spot: spot{-1, -1}, Turn: time.Millisecond}
	src, _ := m.Open()
	before := total.Load()
	result := what.run(src, func() { before = total.Load() })
	if got := total.Load() - before; int64(result.Values) != got || got == 0 {
		t.Errorf("the tally says %d, drawn were %d", result.Values, got)
	}
	if result.To-result.From < int64(what.Turn) {
		t.Errorf("the turn took %d ns, want %v at least", result.To-result.From, what.Turn)
	}
	if r, err := threads(m, what, []spot{{allowed()[0], -1}}); err != nil || r.values == 0 || r.elapsed < what.Turn {
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
	c := brief(allowed()[:1], absent, late, log.method("c"))
	for round := range 3 {
		if err := c.round(t.Context(), round); err != nil {
			t.Fatal(err)
		}
	}
	g := c.group("threads", c.steps, 3)
	if len(g.Rows) != 3 || g.Rows[0].Error != errors.ErrUnsupported.Error() || g.Rows[1].Error != "panic: no more" || len(g.Rows[2].Figures) == 0 {
		t.Errorf("%+v", g.Rows)
	}
}

// A process that can't do a task goes on with the next, and one that has died is told.
func TestFamily(t *testing.T) {
	cpu := allowed()[0]
	f, err := newFamily(t.Context(), []spot{{cpu, -1}, {cpu, -1}})
	if err != nil {
		t.Skip("this system can't start this test again: ", err)
	}
	defer f.close()
	what := task{Setting: Setting{16, []int{0, 0}}, Turn: time.Millisecond}
	if _, err := f.turn(measure.Method{Name: "no such method"}, what, 2); err == nil || !strings.Contains(err.Error(), "no such method") || errors.As(err, new(fatal)) {
		t.Errorf("an unknown method: %v", err)
	}
	own := measure.Method{Name: "fount"}
	if r, err := f.turn(own, what, 2); err != nil || r.values == 0 {
		t.Errorf("after a failure: %+v, %v", r, err)
	}
	other, err := os.FindProcess(f.children[1].PID)
	if err := errors.Join(err, other.Kill()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.turn(own, what, 2); !errors.As(err, new(fatal)) {
		t.Errorf("a process was killed: %v", err)
	}
}

func TestNumbersOfThreads(t *testing.T) {
	for _, test := range []struct{ nodes, want []int }{
		{[]int{1}, []int{1}}, {[]int{2}, []int{1, 2}}, {[]int{9}, []int{1, 2, 4, 8, 9}}, {[]int{16}, []int{1, 2, 4, 8, 16}},
		{[]int{11, 9}, []int{1, 2, 4, 8, 11, 16, 20}},
	} {
		if got := counts(test.nodes); !slices.Equal(got, test.want) {
			t.Errorf("nodes of %d cores: %v, want %v", test.nodes, got, test.want)
		}
	}
}

// Every method draws in both sizes from four workers at once.
func TestMethods(t *testing.T) {
	for _, size := range []int{16, 4096} {
		for _, m := range Methods(Setting{size, []int{0, 0, 1, 1}}) {
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

// A worker that finds itself on another CPU or node than its spot says so; what can't be known is no error.
func TestSpots(t *testing.T) {
	at := spot{3, 2}
	for _, here := range []spot{{-1, -1}, {3, -1}, {3, 2}} {
		if err := at.check(here.CPU, here.Node); err != nil {
			t.Errorf("%+v: %v", here, err)
		}
	}
	for _, here := range []spot{{4, -1}, {4, 2}, {3, 0}} {
		if err := at.check(here.CPU, here.Node); err == nil {
			t.Errorf("%+v was not found", here)
		}
	}
	if err := (spot{3, -1}).check(3, 0); err != nil { // a node that fount made
		t.Error(err)
	}
}

// A turn whose thread is elsewhere ends the measurement: there is no row that says otherwise.
func TestMisplacedEndsTheMeasurement(t *testing.T) {
	if cpu, _ := numa.Here(); cpu < 0 {
		t.Skip("this system does not say where a thread is")
	}
	c := brief(allowed()[:1], new(counting).method("x"))
	c.spots[0].Node = 1023 // no machine of a test has that node
	if err := c.round(t.Context(), 0); !errors.As(err, new(fatal)) || !strings.Contains(err.Error(), "node 1023 by sysfs") {
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
	r := turned{values: 10, cpu: 150, slept: 50, accounted: true}
	if w, a := r.waiting(alone), r.asleep(); math.Abs(w-0.5) > 1e-9 || math.Abs(a-0.25) > 1e-9 {
		t.Errorf("waiting %v and asleep %v, want a half and a quarter", w, a)
	}
}

// Threads, processes and nodes are measured.
func TestStudy(t *testing.T) {
	t.Setenv(numa.Variable, "2")
	r, err := Study.Measure(t.Context(), lab.Options{Quick: true, Count: 2, Only: regexp.MustCompile("16 bytes.*: (fount|one mutex),|4096.*(processes|nodes): fount,")})
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
	if got := strings.Join(names, " "); got != "threads nodes processes nodes processes" {
		t.Errorf("measured were %s", got)
	}
}

// Of many times each is known.
func TestTailCounts(t *testing.T) {
	var m meter
	for i := range 100_000 {
		switch {
		case i >= 99_995:
			m.add(5 * time.Millisecond)
		case i >= 99_980:
			m.add(200 * time.Microsecond)
		case i >= 99_970:
			m.add(10*time.Microsecond + 1)
		default:
			m.add(10 * time.Microsecond) // not above
		}
	}
	if want := (meter{100_000, [3]int{30, 20, 5}}); m != want {
		t.Errorf("%+v, want %+v", m, want)
	}
}

// A method that panics at its third draw ends the turn with an error.
func TestTailFailure(t *testing.T) {
	broken := measure.Method{Open: func() (measure.Source, error) {
		return measure.Workers(func(int) measure.Worker {
			n := 0
			return measure.Loop{Do: func(int) {
				if n++; n == 3 {
					panic("the third draw")
				}
			}}
		}), nil
	}}
	if _, err := slow(broken, 2, time.Hour); err == nil {
		t.Error("no error")
	}
}
