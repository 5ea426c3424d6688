// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

// A world is a process that is watched, and what really happened in it since it was last seen.
type world struct {
	at      time.Time
	begun   float64 // when the process began, and its pool
	told    bool    // that it tells so
	reseeds float64
	calls   map[string]*class  // by pool
	seen    map[string]float64 // calls of each pool since the last sample, of those that were not lost with a process
}

var bounds = []float64{0.1, 1}

func (w *world) sample() *sample {
	s := &sample{at: w.at, reseeds: w.reseeds, lateness: histogram{bounds, []float64{w.reseeds, 0, 0}}}
	if w.told {
		s.start = w.begun
	}
	for name, c := range w.calls {
		one := &class{started: c.started, ended: map[ending]float64{{"match", "none"}: c.started}, wait: c.wait, answer: c.wait}
		p := pool{name: name, classes: map[string]*class{"sign_in": one}, workers: 2}
		if w.told {
			p.start = w.begun
		}
		s.pools = append(s.pools, p)
	}
	slices.SortFunc(s.pools, func(a, b pool) int { return len(a.name) - len(b.name) })
	return s
}

func (w *world) call(pool string, n float64) {
	if c := w.calls[pool]; c != nil {
		c.started += n
		c.wait = c.wait.plus(histogram{bounds, []float64{n, 0, 0}})
		w.seen[pool] += n
	}
}

func (w *world) begin() {
	w.begun += 10
	w.reseeds = 0
	w.calls = map[string]*class{"a": {wait: histogram{bounds, make([]float64, 3)}}}
	w.seen = map[string]float64{}
}

// steps are what a process does between two looks at it.
var steps = map[string]func(*world){
	"nothing": func(*world) {},
	"calls":   func(w *world) { w.call("a", 10); w.reseeds += 3 },
	"restart": func(w *world) { w.begin() },
	"restart and calls": func(w *world) {
		w.begin()
		w.call("a", 4)
	},
	"pool": func(w *world) {
		if w.calls["bb"] == nil {
			w.calls["bb"] = &class{wait: histogram{bounds, make([]float64, 3)}}
		}
		w.call("bb", 2)
	},
	"no pool": func(w *world) { delete(w.calls, "bb") },
}

// lies says what a frame has that did not happen.
func lies(f Frame, w *world) string {
	if f.Random.Rate == nil || *f.Random.Rate < 0 {
		return "reseeds are negative or unknown"
	}
	for _, p := range f.Pools {
		demand, good := *p.Demand*f.Interval, *p.Goodput*f.Interval
		if math.Abs(demand-w.seen[p.Name]) > 1e-9 || demand != good {
			return fmt.Sprintf("pool %s: %v calls, %v answered; want %v", p.Name, demand, good, w.seen[p.Name])
		}
		if (p.WaitP99 != nil) != (w.seen[p.Name] > 0) {
			return fmt.Sprintf("pool %s: a wait without calls, or none with", p.Name)
		}
	}
	return ""
}

// search takes all sequences of four steps, and returns how many there were and what was wrong with some.
func search(told bool, look func(was, is *sample) Frame) (tried int, wrong []string) {
	var names []string
	for name := range steps {
		if told || name != "restart and calls" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	n := len(names)
	for i := range n * n * n * n {
		w := &world{at: evening, told: told}
		w.begin()
		was := w.sample()
		path := []string{}
		for j := i + n*n*n*n; j >= n; j /= n {
			step := names[j%n]
			path = append(path, step)
			w.seen = map[string]float64{}
			steps[step](w)
			w.at = w.at.Add(2 * time.Second)
			is := w.sample()
			if said := lies(look(was, is), w); said != "" {
				wrong = append(wrong, fmt.Sprint(path, ": ", said))
			}
			was = is
		}
		tried++
	}
	return tried, wrong
}

// Whatever a process and its pools do, a frame counts what happened since the last one: nothing twice, nothing negative. A
// process that does not tell when it began is not seen to restart if it has counted as much as before: it isn't tried here.
func TestFramesCountWhatHappened(t *testing.T) {
	for _, told := range []bool{true, false} {
		tried, wrong := search(told, between)
		if len(wrong) > 0 {
			t.Errorf("start told %v: %d of %d sequences: %s", told, len(wrong), tried, wrong[0])
		}
		if tried < 600 {
			t.Fatalf("%d sequences", tried)
		}
	}
	// The control: without a look for restarts, some rates are negative.
	if _, wrong := search(true, func(was, is *sample) Frame {
		f := Frame{Interval: 2, Random: Random{Rate: rate(is.reseeds-was.reseeds, 2)}}
		for _, p := range is.pools {
			f.Pools = append(f.Pools, f.pool(nil, &p))
		}
		return f
	}); len(wrong) == 0 {
		t.Error("a twin that does not see restarts passes")
	}
}

// A restart is said, and nothing else is called one.
func TestRestartIsSaid(t *testing.T) {
	for name, step := range steps {
		for _, told := range []bool{true, false} {
			w := &world{at: evening, told: told}
			w.begin()
			w.call("a", 100)
			w.reseeds = 100
			was := w.sample()
			step(w)
			w.at = w.at.Add(time.Second)
			if got, want := between(was, w.sample()).Restarted, name == "restart" || name == "restart and calls"; got != want {
				t.Errorf("%s, start told %v: restarted %v, want %v", name, told, got, want)
			}
		}
	}
}

func TestElapsed(t *testing.T) {
	for _, test := range []struct{ theirs, want float64 }{{0, 2}, {2.1, 2.1}, {0.5, 2}, {50, 2}, {-1, 2}} {
		was, is := &sample{at: evening, clock: 1e9}, &sample{at: evening.Add(2 * time.Second), clock: 1e9 + test.theirs}
		if got := elapsed(was, is); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("their clock says %v: %v s, want %v", test.theirs, got, test.want)
		}
	}
}

func TestQuantile(t *testing.T) {
	h := histogram{[]float64{1, 2, 4}, []float64{50, 49, 1, 0}}
	for q, want := range map[float64]float64{0.5: 1, 0.51: 2, 0.99: 2, 0.991: 4, 1: 4} {
		if got := h.quantile(q); *got != want {
			t.Errorf("quantile %v is %v, want %v", q, *got, want)
		}
	}
	if got := (histogram{[]float64{1, 2}, []float64{0, 0, 7}}).quantile(0.5); *got != 2 {
		t.Errorf("what is longer than all bounds is %v, want the last of them", *got)
	}
	if got := (histogram{[]float64{1, 2}, []float64{0, 0, 0}}).quantile(0.5); got != nil {
		t.Errorf("without durations %v, want none", *got)
	}
}

// Frames that a slow answer left no time for are left out.
func TestAfter(t *testing.T) {
	now := time.Now()
	if got := after(now.Add(-10*time.Hour), time.Hour); !got.After(now) || got.After(now.Add(time.Hour+time.Minute)) {
		t.Errorf("after ten hours: %v from now", got.Sub(now))
	}
	if got := after(now.Add(time.Hour), time.Hour); got != now.Add(2*time.Hour) {
		t.Errorf("before it is due: %v from now", got.Sub(now))
	}
}
