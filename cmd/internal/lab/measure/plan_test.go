// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the harness. Methods sleep by script, and time is synctest's: it moves only while all
// goroutines wait, so every duration is exact and a goroutine that is left over fails the test.

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
	panics string // "open", "worker", "draw": where
	after  int    // with "draw": values before it
}

// ledger counts what the harness did with a method.
type ledger struct {
	mu            sync.Mutex
	opened, ended int
	made, closed  int
	values        int
	longest       int // draw
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
		if m.panics == "open" {
			panic("no device today")
		}
		m.log.do(func(l *ledger) { l.opened++ })
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

var plan = Plan{Turn: 10 * time.Millisecond, Warmup: time.Millisecond}

// must is a turn of a method with so many workers, which must not fail.
func (p Plan) must(t *testing.T, workers int, m scripted) Turn {
	t.Helper()
	turn, err := p.By(workers).Measure(m.method())
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// near allows for the overrun of a turn: 1/256 of it, and one draw.
func near(got, want float64) bool { return math.Abs(got-want) <= want/128 }

func TestTurn(t *testing.T) {
	for _, test := range []struct {
		ns        time.Duration
		longest   int
		one, four float64 // ns a value of 1 worker, of 4
	}{{ns: 1000, longest: 32, one: 1000, four: 250}, {ns: 25000, longest: 1, one: 25000, four: 6250}} {
		synctest.Test(t, func(t *testing.T) {
			var l ledger
			m := scripted{log: &l, ns: []time.Duration{test.ns}}
			start := time.Now()
			if got := plan.must(t, 1, m).NS(); !near(got, test.one) {
				t.Errorf("one worker: %v ns, want %v", got, test.one)
			}
			if took, want := time.Since(start), plan.Turn+plan.Warmup; took < want || took > want+want/50 {
				t.Errorf("took %v, want %v", took, want)
			}
			if got := plan.must(t, 4, m).NS(); !near(got, test.four) {
				t.Errorf("4 workers: %v ns, want %v", got, test.four)
			}
			if l.longest != test.longest {
				t.Errorf("%d values between two looks at the clock, want %d: 20 to 40 µs", l.longest, test.longest)
			}
			if l.opened != 2 || l.ended != 2 || l.made != 5 || l.closed != 5 {
				t.Errorf("%d opened, %d closed, %d workers, %d closed; want 2, 2, 5, 5", l.opened, l.ended, l.made, l.closed)
			}
		})
	}
}

// What is drawn in the warm-up does not count: a slow start costs nothing later.
func TestWarmupIsNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		m := scripted{log: &l, ns: []time.Duration{2000}, warm: 50000, warmed: 10}
		if got := plan.must(t, 1, m).NS(); !near(got, 2000) {
			t.Errorf("%v ns, want 2000", got)
		}
		// The negative control: a warm-up that is too short for it is noticed.
		short := plan
		short.Warmup = 0
		if got := short.must(t, 1, m).NS(); near(got, 2000) {
			t.Errorf("%v ns without a warm-up, want more", got)
		}
	})
}

// A worker that another program disturbs while it warms up looks at the clock as rarely as others.
func TestDisturbedWarmup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		steps := 0
		draw := func(n int) {
			if steps++; steps == 1 || steps == 3 || steps == 4 {
				time.Sleep(plan.Turn)
			}
			time.Sleep(time.Duration(n) * time.Microsecond)
		}
		if n := drawsBetweenLooks(draw, plan.Turn, plan.Warmup); n != 32 {
			t.Errorf("%d values between two looks at the clock, want 32", n)
		}
	})
}

// Unequal workers end together, and their rates add up: 1/1000 + 1/3000 is one in 750 ns.
func TestUnequalWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		if got := plan.must(t, 2, scripted{log: &l, ns: []time.Duration{1000, 3000}}).NS(); !near(got, 750) {
			t.Errorf("%v ns, want 750", got)
		}
	})
}

// CPU time is what its clock says of the turn alone: 300 ns a value, in thrice the time.
func TestCPUTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		p := plan
		p.CPU = func() (used time.Duration) {
			l.do(func(l *ledger) { used = 300 * time.Duration(l.values) })
			return used
		}
		for _, workers := range []int{1, 4} {
			turn := p.must(t, workers, scripted{log: &l, ns: []time.Duration{900}})
			if turn.CoreNS() != 300 || !near(turn.NS(), 900/float64(workers)) {
				t.Errorf("%d workers: %v ns of CPU time, %v by the clock; want 300, %v", workers, turn.CoreNS(), turn.NS(), 900/workers)
			}
		}
	})
}

// What a thread uses until the gate opens does not count.
func TestWaitIsNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		looks := time.Duration(0)
		p := plan
		p.CPU = func() (used time.Duration) {
			l.do(func(l *ledger) { used = 300*time.Duration(l.values) + looks*time.Millisecond })
			return used
		}
		p.Thread = func() time.Duration {
			looks++
			return 2 * looks * time.Millisecond
		}
		if got := p.must(t, 1, scripted{log: &l, ns: []time.Duration{900}}).CoreNS(); got != 300 {
			t.Errorf("%v ns of CPU time, want 300", got)
		}
	})
}

// The process's own clock moves while it works. It counts in µs.
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
		if got, want := plan.must(t, 1, scripted{log: &l, ns: []time.Duration{55 * time.Millisecond}}).NS(), 55e6; got != want {
			t.Errorf("%v ns, want %v", got, want)
		}
		if l.longest != 1 {
			t.Errorf("longest draw %d values, want 1", l.longest)
		}
	})
}

// A method or call that fails ends its turn with an error, and what was begun.
func TestFailure(t *testing.T) {
	noService := func() (func(), func()) { panic("no service") }
	later := func() (func(), func()) { return func() { panic("no service") }, func() {} }
	for name, test := range map[string]struct {
		method scripted
		call   func() (call, end func())
		want   string
	}{
		"open":        {method: scripted{fails: errors.New("out of bits")}, want: "out of bits"},
		"unsupported": {method: scripted{fails: fmt.Errorf("getrandom: %w", errors.ErrUnsupported)}, want: "unsupported"},
		"panic":       {method: scripted{panics: "open"}, want: "panic: no device today"},
		"worker":      {method: scripted{panics: "worker"}, want: "panic: no worker today"},
		"warm-up":     {method: scripted{panics: "draw"}, want: "panic: no value today"},
		"turn":        {method: scripted{panics: "draw", after: 5000}, want: "panic: no value today"},
		"call":        {call: noService, want: "panic: no service"},
		"call, later": {call: later, want: "panic: no service"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l ledger
				test.method.log = &l
				test.method.ns = []time.Duration{1000}
				_, err := plan.By(4).Calling(test.call).Measure(test.method.method())
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v, want an error with %q", err, test.want)
				}
				if errors.Is(test.method.fails, errors.ErrUnsupported) != errors.Is(err, errors.ErrUnsupported) {
					t.Errorf("%v: unsupported or not is lost", err)
				}
				if l.opened != l.ended || l.made != l.closed {
					t.Errorf("%d opened, %d closed, %d workers, %d closed; want all closed", l.opened, l.ended, l.made, l.closed)
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

// A call's time is part of the cost: what the post measured.
func TestCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		p := plan.Calling(func() (call, end func()) { return func() { time.Sleep(4 * time.Microsecond) }, func() {} })
		for workers, want := range map[int]float64{1: 5000, 4: 1250} {
			if got := p.must(t, workers, scripted{log: &l, ns: []time.Duration{1000}}).NS(); !near(got, want) {
				t.Errorf("%d workers: %v ns, want %v", workers, got, want)
			}
		}
		if l.longest != 1 {
			t.Errorf("%d values between two calls, want 1", l.longest)
		}
	})
}
