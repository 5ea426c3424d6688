// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what a turn can be beside drawing for a time: a number of values, bursts, draws timed one by one, calls
// between them, another GOMAXPROCS. Time is synctest's.

package measure

import (
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A turn of so many values draws exactly those, whatever the number of workers, and takes what they take.
func TestValues(t *testing.T) {
	for _, values := range []int{1, 3, 1000, 1001} {
		synctest.Test(t, func(t *testing.T) {
			var l ledger
			p := plan
			p.Values = values
			r := p.Run([]Method{scripted{name: "a", log: &l, ns: []time.Duration{1000}}.method()}, nil)[0]
			for i, workers := range p.Workers {
				for _, run := range r.Runs[i] {
					most := (values + workers - 1) / workers
					if run.Values != values || run.Elapsed != time.Duration(most)*1000 {
						t.Errorf("%d workers drew %d values in %v, want %d in %d µs", workers, run.Values, run.Elapsed, values, most)
					}
				}
			}
		})
	}
}

// Bursts come after pauses, which do not count, until the turn is over; each has its values in equal shares.
func TestBursts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		p := Plan{Rounds: 1, Turn: 10 * time.Millisecond, Warmup: time.Millisecond, Workers: []int{1, 4}, Burst: 400, Idle: 3 * time.Millisecond}
		start := time.Now()
		r := p.Run([]Method{scripted{name: "a", log: &l, ns: []time.Duration{1000}}.method()}, nil)[0]
		// One worker takes 400 µs for a burst: 3.4, 6.8, 10.2 ms. Four take 100 µs: 3.1, 6.2, 9.3, 12.4 ms.
		for i, want := range []Run{{Values: 1200, Elapsed: 1200 * time.Microsecond}, {Values: 1600, Elapsed: 400 * time.Microsecond}} {
			if got := r.Runs[i][0]; got != want {
				t.Errorf("%d workers: %+v, want %+v", p.Workers[i], got, want)
			}
		}
		if got, want := time.Since(start), 2*time.Millisecond+10200*time.Microsecond+12400*time.Microsecond; got < want || got > want+want/50 {
			t.Errorf("took %v, want %v with both warm-ups", got, want)
		}
		p.Values = 1000 // in bursts of 400, 400 and 200
		if got := p.Run([]Method{scripted{name: "a", log: &l, ns: []time.Duration{1000}}.method()}, nil)[0].Runs[0][0].Values; got != 1000 {
			t.Errorf("%d values, want 1000", got)
		}
	})
}

// timely is a method whose draws take 100 ns, but each fifth 1 µs, and the first after a pause 7 µs.
type timely struct{ pause time.Duration }

func (m timely) method() Method {
	return Method{Name: "timely", Open: func() (Source, error) { return Workers(m.worker), nil }}
}

func (m timely) worker(int) Worker {
	n, last := 0, time.Now()
	return Loop{Do: func(draws int) {
		for range draws {
			d := 100 * time.Nanosecond
			if n++; n%5 == 0 {
				d = time.Microsecond
			}
			if time.Since(last) >= m.pause {
				d = 7 * time.Microsecond
			}
			time.Sleep(d)
			last = time.Now()
		}
	}}
}

// The draws are timed one by one, without the calls, which take their time all the same. The warm-up's are not among them.
func TestTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		p := Plan{Rounds: 1, Turn: 10 * time.Millisecond, Warmup: time.Millisecond, Workers: []int{1}, Values: 1000, Timed: true}
		p.Call = func() (call, close func()) {
			return func() { calls++; time.Sleep(10 * time.Microsecond) }, func() { calls += 1e6 }
		}
		run := p.Run([]Method{timely{time.Hour}.method()}, nil)[0].Runs[0][0]
		if run.Draws.Count() != 1000 {
			t.Errorf("%d draws were timed, want 1000", run.Draws.Count())
		}
		if p50, p99 := run.Draws.Quantile(0.5), run.Draws.Quantile(0.99); !near(p50, 100) || !near(p99, 1000) {
			t.Errorf("p50 %v, p99 %v; want 100, 1000", p50, p99)
		}
		if run.First != nil {
			t.Error("first draws of a turn without bursts")
		}
		if want := 1000*10*time.Microsecond + 800*100 + 200*1000; run.Elapsed != want {
			t.Errorf("the turn took %v, want %v", run.Elapsed, want)
		}
		if calls < 1e6+1000 || calls >= 2e6 {
			t.Errorf("%d calls and ends of calls, want over a thousand and one", calls)
		}
	})
}

// What a burst's first draws take is told apart.
func TestFirstDraws(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := Plan{
			Rounds: 1, Turn: 30 * time.Millisecond, Warmup: time.Millisecond, Workers: []int{2},
			Burst: 100, Idle: 10 * time.Millisecond, Timed: true,
		}
		run := p.Run([]Method{timely{5 * time.Millisecond}.method()}, nil)[0].Runs[0][0]
		if n := run.First.Count(); n != 6 || !near(run.First.Quantile(0.5), 7000) {
			t.Errorf("%d first draws of %v ns, want 6 of 7000", n, run.First.Quantile(0.5))
		}
		if n := run.Draws.Count(); n != 300 || !near(run.Draws.Quantile(0.5), 100) {
			t.Errorf("%d draws of %v ns, want 300 of 100", n, run.Draws.Quantile(0.5))
		}
	})
}

// A call's time is part of the cost: what the post measured.
func TestCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		p := plan
		p.Call = func() (call, close func()) { return func() { time.Sleep(4 * time.Microsecond) }, func() {} }
		r := p.Run([]Method{scripted{name: "a", log: &l, ns: []time.Duration{1000}}.method()}, nil)[0]
		for i, want := range []float64{5000, 1250} {
			for _, got := range r.Costs[i].Values {
				if !near(got, want) {
					t.Errorf("%d workers: %v ns, want %v", p.Workers[i], got, want)
				}
			}
		}
		if l.longest != 1 {
			t.Errorf("%d values between two calls, want 1", l.longest)
		}
	})
}

// A call that can't be made, or fails later, is the method's error, and ends what was begun.
func TestCallFails(t *testing.T) {
	for name, call := range map[string]func() (func(), func()){
		"at once": func() (func(), func()) { panic("no service") },
		"later":   func() (func(), func()) { return func() { panic("no service") }, func() {} },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l ledger
				p := plan
				p.Call = call
				r := p.Run([]Method{scripted{name: "a", log: &l, ns: []time.Duration{1000}}.method()}, nil)[0]
				if r.Err == nil || !strings.Contains(r.Err.Error(), "no service") {
					t.Errorf("error %v, want no service", r.Err)
				}
				if l.opened != 1 || l.ended != 1 || l.made != l.closed {
					t.Errorf("%d opened, %d closed, %d workers, %d closed", l.opened, l.ended, l.made, l.closed)
				}
			})
		})
	}
}

// With Elapsed the CPU's time is told and does not count.
func TestElapsedAndCPU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l ledger
		p := plan
		p.Elapsed = true
		p.CPU = func() (used time.Duration) {
			l.do(func(l *ledger) { used = 300 * time.Duration(l.values) })
			return used
		}
		r := p.Run([]Method{scripted{name: "waits", log: &l, ns: []time.Duration{1000}}.method()}, nil)[0]
		for i, want := range []float64{1000, 250} {
			for k, got := range r.Costs[i].Values {
				if !near(got, want) || r.Runs[i][k].CoreNS() != 300 {
					t.Errorf("%d workers: %v ns, %v of them CPU time; want %v, 300", p.Workers[i], got, r.Runs[i][k].CoreNS(), want)
				}
			}
		}
	})
}

// procs is a method that notes GOMAXPROCS.
type procs struct{ seen *[]int }

func (m procs) method() Method {
	return Method{Name: "procs", Open: func() (Source, error) {
		*m.seen = append(*m.seen, runtime.GOMAXPROCS(0))
		return Workers(func(int) Worker { return Loop{Do: func(int) {}} }), nil
	}}
}

func TestProcs(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	var seen []int
	p := Plan{Rounds: 2, Turn: time.Millisecond, Workers: []int{1, 3, 1}, Procs: []int{1, 3, before}}
	if err := p.Run([]Method{procs{&seen}.method()}, nil)[0].Err; err != nil {
		t.Fatal(err)
	}
	for i, got := range seen {
		if want := p.Procs[i%3]; got != want {
			t.Errorf("turn %d with GOMAXPROCS %d, want %d", i, got, want)
		}
	}
	if after := runtime.GOMAXPROCS(0); after != before || len(seen) != 6 {
		t.Errorf("%d turns, GOMAXPROCS %d after it; want 6, %d", len(seen), after, before)
	}
}
