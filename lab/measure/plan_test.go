// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the harness. Methods sleep by script, and time is synctest's: it moves only while all goroutines wait, so every
// duration is exact and a goroutine that is left over fails the test.

package measure

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// scripted is a method of which each worker draws at its own speed.
type scripted struct {
	name   string
	log    *ledger
	ns     []time.Duration // per value, by worker; the last holds for all further ones
	warm   time.Duration   // instead of ns for the first warmed values of each worker
	warmed int
	fails  error  // of Open
	panics string // "worker", "draw": where
	after  int    // with "draw": values before it
}

// ledger counts what the harness did with a method.
type ledger struct {
	mu            sync.Mutex
	opened, ended int
	made, closed  int
	values        int
	longest       int // draw
	turns         []string
}

func (l *ledger) do(f func(*ledger)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(l)
}

func (m scripted) method() Method {
	return Method{Name: m.name, Open: func() (Source, error) {
		if m.fails != nil {
			return nil, m.fails
		}
		m.log.do(func(l *ledger) { l.opened++; l.turns = append(l.turns, m.name) })
		return &script{scripted: m}, nil
	}}
}

type script struct {
	scripted
	workers int
}

func (s *script) Close() { s.log.do(func(l *ledger) { l.ended++ }) }

func (s *script) Worker(int) Worker {
	if s.panics == "worker" {
		panic("no worker today")
	}
	var ns time.Duration
	s.log.do(func(l *ledger) {
		l.made++
		ns = s.ns[min(s.workers, len(s.ns)-1)]
		s.workers++
	})
	drawn := 0
	draw := func(n int) {
		if s.panics == "draw" && drawn >= s.after {
			panic("no value today")
		}
		d := ns
		if drawn < s.warmed {
			d = s.warm
		}
		drawn += n
		time.Sleep(d * time.Duration(n))
		s.log.do(func(l *ledger) { l.values += n; l.longest = max(l.longest, n) })
	}
	return Loop{draw, func() { s.log.do(func(l *ledger) { l.closed++ }) }}
}

var plan = Plan{Rounds: 3, Turn: 10 * time.Millisecond, Warmup: time.Millisecond, Workers: []int{1, 4}}

// near allows for the overrun of a turn: 1/256 of it, and one draw.
func near(got, want float64) bool { return math.Abs(got-want) <= want/128 }

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fast, slow ledger
		var shown []int
		start := time.Now()
		results := plan.Run([]Method{
			scripted{name: "fast", log: &fast, ns: []time.Duration{1000}}.method(),
			scripted{name: "slow", log: &slow, ns: []time.Duration{25000}}.method(),
		}, func(done, all int) {
			if all != 12 {
				t.Errorf("%d turns in all, want 12", all)
			}
			shown = append(shown, done)
		})
		took := time.Since(start)
		if want := plan.Time(2); took < want || took > want+want/50 {
			t.Errorf("took %v, Time says %v", took, want)
		}
		if !slices.Equal(shown, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
			t.Errorf("progress %v", shown)
		}
		for i, want := range []struct {
			name      string
			one, four float64
		}{{"fast", 1000, 250}, {"slow", 25000, 6250}} {
			r := results[i]
			if r.Err != nil || r.Method.Name != want.name {
				t.Fatalf("result %d is of %s: %v", i, r.Method.Name, r.Err)
			}
			for j, want := range []float64{want.one, want.four} {
				if len(r.Costs[j].Values) != 3 {
					t.Errorf("%s, %d workers: %d costs, want 3", r.Method.Name, plan.Workers[j], len(r.Costs[j].Values))
				}
				for _, got := range r.Costs[j].Values {
					if !near(got, want) {
						t.Errorf("%s, %d workers: %v ns, want %v", r.Method.Name, plan.Workers[j], got, want)
					}
				}
			}
		}
		if fast.longest != 32 || slow.longest != 1 {
			t.Errorf("%d and %d values between two looks at the clock, want 32 and 1: 20 to 40 µs", fast.longest, slow.longest)
		}
		for _, l := range []*ledger{&fast, &slow} {
			if l.opened != 6 || l.ended != 6 || l.made != 3*(1+4) || l.closed != l.made {
				t.Errorf("%d opened, %d closed, %d workers, %d closed; want 6, 6, 15, 15", l.opened, l.ended, l.made, l.closed)
			}
		}
	})
}

// Each method has one turn for each number of workers in each round, and in 200 rounds every order comes: that one of six
// does not has a probability of 6·(5/6)⁴⁰⁰ = 10⁻³¹.
func TestTurnsAreShuffled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		var methods []Method
		for _, name := range []string{"a", "b", "c"} {
			methods = append(methods, scripted{name: name, log: &l, ns: []time.Duration{1000}}.method())
		}
		p := plan
		p.Rounds, p.Turn, p.Warmup = 200, 20*time.Microsecond, 0
		p.Run(methods, nil)
		orders := map[string]int{}
		for turns := range slices.Chunk(l.turns, 3) {
			orders[strings.Join(turns, "")]++
		}
		for _, order := range []string{"abc", "acb", "bac", "bca", "cab", "cba"} {
			if orders[order] == 0 {
				t.Errorf("the order %s never came", order)
			}
			delete(orders, order)
		}
		if len(orders) > 0 {
			t.Errorf("not each method had one turn: %v", orders)
		}
	})
}

// Where Again asks for it, as many rounds follow, once, and the progress knows.
func TestAgain(t *testing.T) {
	for _, again := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var l ledger
			asked, last := 0, 0
			p := plan
			p.Again = func(results []Result) bool {
				asked++
				if n := len(results[0].Costs[1].Values); n != 3 {
					t.Errorf("asked after %d rounds, want 3", n)
				}
				return again
			}
			r := p.Run([]Method{scripted{name: "a", log: &l, ns: []time.Duration{1000}}.method()}, func(done, all int) {
				if done >= all || done > 0 && done != last+1 {
					t.Errorf("turn %d of %d after %d", done, all, last)
				}
				last = done
			})[0]
			want := 3
			if again {
				want = 6
			}
			if n := len(r.Costs[0].Values); n != want || asked != 1 || last != 2*want-1 {
				t.Errorf("again %v: %d rounds, asked %d times, %d turns; want %d, 1, %d", again, n, asked, last+1, want, 2*want)
			}
		})
	}
}

// What is drawn in the warm-up does not count: a method that starts slowly costs what it costs later.
func TestWarmupIsNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		m := scripted{name: "cold", log: &l, ns: []time.Duration{2000}, warm: 50000, warmed: 10}.method()
		if got := plan.Run([]Method{m}, nil)[0].Costs[0].Median; !near(got, 2000) {
			t.Errorf("%v ns, want 2000", got)
		}
		// The negative control: a warm-up that is too short for it is noticed.
		short := plan
		short.Warmup = 0
		if got := short.Run([]Method{m}, nil)[0].Costs[0].Median; near(got, 2000) {
			t.Errorf("%v ns without a warm-up, want more", got)
		}
	})
}

// Workers of unequal speed end together, and their rates add up: 1/1000 + 1/3000 a ns is one value in 750 ns.
func TestUnequalWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		p := plan
		p.Workers = []int{2}
		m := scripted{name: "unequal", log: &l, ns: []time.Duration{1000, 3000}}.method()
		for _, got := range p.Run([]Method{m}, nil)[0].Costs[0].Values {
			if !near(got, 750) {
				t.Errorf("%v ns, want 750", got)
			}
		}
	})
}

// With a CPU clock the cost is what that clock says of the turns alone, shared by the workers: here 300 ns a value, of
// which other programs let three times as much pass.
func TestCPUTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		p := plan
		p.CPU = func() (used time.Duration) {
			l.do(func(l *ledger) { used = 300 * time.Duration(l.values) })
			return used
		}
		r := p.Run([]Method{scripted{name: "disturbed", log: &l, ns: []time.Duration{900}}.method()}, nil)[0]
		for i, want := range []float64{300, 75} {
			for _, got := range r.Costs[i].Values {
				if got != want {
					t.Errorf("%d workers: %v ns, want %v", p.Workers[i], got, want)
				}
			}
		}
	})
}

// The process's own clock moves while it works. (It counts in µs, so that a thousand looks at it can't stand still.)
func TestProcessCPU(t *testing.T) {
	if ProcessCPU == nil {
		t.Skip("this system does not tell the CPU time of a process")
	}
	start := ProcessCPU()
	for range 1 << 24 {
		if now := ProcessCPU(); now > start {
			return
		} else if now < start {
			t.Fatalf("CPU time went from %v to %v", start, now)
		}
	}
	t.Errorf("CPU time stands still at %v", start)
}

// A method slower than a whole turn is measured by the draws it makes, one value each.
func TestVerySlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		m := scripted{name: "Plan 9", log: &l, ns: []time.Duration{55 * time.Millisecond}}.method() // 18 bytes/s: 0.9 s; scaled
		r := plan.Run([]Method{m}, nil)[0]
		if got, want := r.Costs[0].Median, 55e6; got != want {
			t.Errorf("%v ns, want %v", got, want)
		}
		if l.longest != 1 {
			t.Errorf("longest draw %d values, want 1", l.longest)
		}
	})
}

// A method that fails takes neither the others nor the program with it.
func TestFailure(t *testing.T) {
	broken := errors.New("out of bits")
	for _, test := range []struct {
		name   string
		method scripted
		want   string
	}{
		{"open", scripted{fails: broken}, "out of bits"},
		{"unsupported", scripted{fails: fmt.Errorf("getrandom: %w", errors.ErrUnsupported)}, "unsupported"},
		{"worker", scripted{panics: "worker"}, "panic: no worker today"},
		{"warm-up", scripted{panics: "draw"}, "panic: no value today"},
		{"turn", scripted{panics: "draw", after: 5000}, "panic: no value today"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var good, bad ledger
				test.method.name, test.method.log, test.method.ns = "bad", &bad, []time.Duration{1000}
				results := plan.Run([]Method{test.method.method(), scripted{name: "good", log: &good, ns: []time.Duration{1000}}.method()}, nil)
				r := results[0]
				if r.Err == nil || !strings.Contains(r.Err.Error(), test.want) || r.Costs != nil {
					t.Errorf("got %v and costs %v, want an error with %q and none", r.Err, r.Costs, test.want)
				}
				if errors.Is(test.method.fails, errors.ErrUnsupported) != errors.Is(r.Err, errors.ErrUnsupported) {
					t.Errorf("%v: unsupported or not is lost", r.Err)
				}
				if got := results[1]; got.Err != nil || len(got.Costs[1].Values) != plan.Rounds {
					t.Errorf("the other method: %+v", got)
				}
				if bad.opened != bad.ended || bad.opened > 1 || bad.made != bad.closed {
					t.Errorf("%d opened, %d closed, %d workers, %d closed; want one turn, all closed", bad.opened, bad.ended, bad.made, bad.closed)
				}
			})
		})
	}
}

func TestFiller(t *testing.T) {
	for n, want := range map[int][]int{1: {1}, 15: {15}, 16: {16}, 17: {16, 1}, 32: {16, 16}, 50: {16, 16, 16, 2}} {
		var got []int
		f := Filler[int]{Fill: func(dst []int) { got = append(got, len(dst)) }}
		f.Draw(n)
		if !slices.Equal(got, want) {
			t.Errorf("%d values are filled as %v, want %v", n, got, want)
		}
	}
}

// A method that panics when it is opened fails alone.
func TestOpenPanics(t *testing.T) {
	bad := Method{Name: "bad", Open: func() (Source, error) { panic("no such device") }}
	good := Method{Name: "good", Open: Stateless(func([]byte) {})}
	results := Plan{Rounds: 2, Turn: time.Microsecond, Workers: []int{1}}.Run([]Method{bad, good}, nil)
	if err := results[0].Err; err == nil || !strings.Contains(Reason(err), "no such device") {
		t.Errorf("error %v, want the panic", err)
	}
	if results[1].Err != nil || len(results[1].Runs[0]) != 2 {
		t.Errorf("the other method: %v, %d runs; want 2", results[1].Err, len(results[1].Runs[0]))
	}
}
