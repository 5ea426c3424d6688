// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what is made of figures: the arithmetic, the verdicts, and lines for benchstat.

package scale

import (
	"bytes"
	"io"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/scale/usl"
	"fount/lab/show"

	"golang.org/x/perf/benchfmt"
)

var facts = machine.Facts{OS: "Linux", Kernel: "6.18", CPU: "A Processor", GoVersion: "go1.26.8", GOMAXPROCS: 2, Cores: 2}

// made is the runs of so many threads by a law, in six rounds of which each is slower than the one before.
func made(law usl.Model, n int, share float64) (runs []run) {
	for i := range 6 {
		elapsed := 8 * time.Millisecond
		rate := law.At(float64(n)) * (1 - 0.05*float64(i)) * (1 + 0.01*float64(n*i%3))
		runs = append(runs, run{values: int(rate * elapsed.Seconds()), elapsed: elapsed, cpu: time.Duration(share * float64(n) * float64(elapsed))})
	}
	return runs
}

// result is a Result for some cores.
func result(cores int) Result {
	mu.Lock()
	defer mu.Unlock()
	if _, ok := results[cores]; !ok {
		results[cores] = newResult(cores)
	}
	return results[cores]
}

var (
	mu      sync.Mutex
	results = map[int]Result{}
)

func newResult(cores int) Result {
	m := &measurement{Options: Options{Rounds: 6, Runs: 6, Program: []string{""}, Turn: 8 * time.Millisecond, Nodes: 2, Modes: []string{Threads, Processes}},
		cores: cores, counts: counts(cores), turners: map[string]turner{Threads: nil}}
	m.turners[Processes] = family{}
	for _, mode := range m.Modes {
		for _, size := range []int{16, 4096} {
			for i, law := range []struct {
				name string
				law  usl.Model
			}{{"crypto/rand", usl.Model{Lambda: 12e6, Sigma: 0.3, Kappa: 0.02}}, {"one mutex", usl.Model{Lambda: 36e6, Sigma: 0.9, Kappa: 0.2}},
				{"fount", usl.Model{Lambda: 73e6, Sigma: 0.005}}} {
				law.law.Lambda *= 16 / float64(size)
				m.series = append(m.series, Series{Method: law.name, Size: size, Mode: mode})
				var of [][]run
				for _, n := range m.counts {
					of = append(of, made(law.law, n, 0.99-0.03*float64(i)))
				}
				m.runs = append(m.runs, of)
			}
		}
	}
	m.series = append(m.series, Series{Method: "/dev/urandom", Size: 4096, Mode: Processes, Error: "permission denied"})
	m.runs = append(m.runs, nil)
	r := m.result()
	r.Machine = facts
	r.Notes = m.notes(facts)
	r.Sweep = sweepOf(cores)
	return r
}

func sweepOf(cores int) *Sweep {
	w := &Sweep{Cores: cores, Rounds: 5, Least: 64}
	for i, name := range []string{"crypto/rand", "one mutex", "fount", harness.Name} {
		s := SweepSeries{Method: name}
		for k, g := range Goroutines {
			rate := 1e7 * float64(i+1) / float64(k+1)
			s.Points = append(s.Points, SweepPoint{g, measure.Of(rate, rate*1.1, rate*0.9, rate, rate), 64 * g})
		}
		w.Series = append(w.Series, s)
	}
	w.Series = append(w.Series, SweepSeries{Method: "sync.Pool", Error: "panic: none"})
	return w
}

// read reads benchmark lines and counts them by name.
func read(t *testing.T, text []byte) (lines map[string][]*benchfmt.Result) {
	t.Helper()
	lines = map[string][]*benchfmt.Result{}
	reader := benchfmt.NewReader(bytes.NewReader(text), "test")
	for reader.Scan() {
		r, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%+v", reader.Result())
		}
		lines[string(r.Name)] = append(lines[string(r.Name)], r.Clone())
	}
	if reader.Err() != nil {
		t.Fatal(reader.Err())
	}
	return lines
}

func TestBenchmarkLines(t *testing.T) {
	r := newResult(2) // not the one that others share
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	lines := read(t, b.Bytes())
	if want := 2*2*3*2 + 4*len(Goroutines); len(lines) != want {
		t.Errorf("%d names, want %d", len(lines), want)
	}
	fount := lines["Scale/method=fount/size=16/mode=threads/n=2-2"]
	if len(fount) != 6 {
		t.Fatalf("%d lines of fount on two threads, want 6, one a round", len(fount))
	}
	p := r.Find("fount", 16, Threads).Point(2)
	for i, line := range fount {
		seconds, _ := line.Value("sec/op")
		speedup, _ := line.Value("speedup")
		core, _ := line.Value("core-sec/op")
		if math.Abs(seconds*p.Rate.Values[i]-1) > 1e-3 || math.Abs(speedup-p.Speedup.Values[i]) > 1e-3 || math.Abs(core*1e9-p.CoreNS.Values[i]) > 1e-3 {
			t.Errorf("round %d: %v s, speedup %v, core %v s of %+v", i, seconds, speedup, core, p)
		}
		if line.Iters != p.drawn[i] || line.GetConfig("turn") != "8000000ns" || line.GetConfig("kernel") != "Linux 6.18" {
			t.Errorf("%+v", line)
		}
	}
	if n := len(lines["Goroutines/method=one_mutex/goroutines=100000-2"]); n != 5 {
		t.Errorf("%d lines of 100,000 goroutines, want 5", n)
	}
	if err := result(2).Write(full{}); err == nil {
		t.Error("a writer that takes nothing was written to")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// The arithmetic of a point, on figures that can be checked by hand.
func TestPoint(t *testing.T) {
	ms := time.Millisecond
	one := []run{{values: 1000, elapsed: ms, cpu: ms}, {values: 1000, elapsed: 2 * ms, cpu: ms}, {values: 500, elapsed: ms, cpu: ms}}
	two := []run{{values: 1500, elapsed: ms, cpu: 2 * ms}, {values: 2000, elapsed: 2 * ms, cpu: 3 * ms}, {values: 1000, elapsed: ms, cpu: ms}}
	p := newPoint(2, two, one, 1)
	if want := []float64{1.5e6, 1e6, 1e6}; !near(p.Rate.Values, want) || p.Rate.Median != 1e6 {
		t.Errorf("rates %v, want %v", p.Rate.Values, want)
	}
	if want := []float64{1.5, 2, 2}; !near(p.Speedup.Values, want) || p.Speedup.Median != 5.5/3 {
		t.Errorf("speedups %v, want %v", p.Speedup.Values, want)
	}
	if want := []float64{2e6 / 1500, 1500, 1000}; !near(p.CoreNS.Values, want) {
		t.Errorf("core ns %v, want %v", p.CoreNS.Values, want)
	}
	if want := []float64{2 * 1000 / (2e6 / 1500), 2 * 1000 / 1500., 2 * 2000 / 1000.}; !near(p.CPUSpeedup.Values, want) {
		t.Errorf("speedups by CPU time %v, want %v", p.CPUSpeedup.Values, want)
	}
	if want := []float64{1, 0.75, 0.5}; !near(p.Share.Values, want) {
		t.Errorf("shares %v, want %v", p.Share.Values, want)
	}
	two[1].cpu = 0
	if p := newPoint(2, two, one, 1); p.CoreNS != nil || p.CPUSpeedup != nil || p.Share != nil || p.Speedup == nil {
		t.Errorf("a CPU time is not known: %+v", p)
	}
}

func near(a, b []float64) bool {
	for i := range b {
		if len(a) != len(b) || math.Abs(a[i]-b[i]) > 1e-9*math.Abs(b[i]) {
			return false
		}
	}
	return true
}

func TestSum(t *testing.T) {
	r, err := sum([]tally{{Values: 10, From: 100, To: 300, CPU: 5}, {Values: 20, From: 90, To: 290, CPU: 7}})
	if want := (run{values: 30, elapsed: 210, cpu: 12, threads: 2}); err != nil || r != want {
		t.Errorf("%+v, %v; want %+v", r, err, want)
	}
	for _, bad := range [][]tally{{{Values: 1, From: 1, To: 1}}, {{From: 1, To: 5}}, {{Values: 1, From: 1, To: 5}, {Err: "x"}}} {
		if r, err := sum(bad); err == nil {
			t.Errorf("%+v: %+v, want an error", bad, r)
		}
	}
}

// A law needs four numbers of threads.
func TestFit(t *testing.T) {
	for _, cores := range []int{1, 2, 3} {
		if s := result(cores).Find("one mutex", 16, Threads); s.Fit != nil {
			t.Errorf("%d cores: fit %+v, want none", cores, s.Fit)
		}
	}
	if s := result(6).Find("one mutex", 16, Threads); s.Fit == nil || s.Fit.Note != "" || s.Fit.Bounds == nil {
		t.Errorf("six cores: fit %+v", s.Fit)
	}
}

// speedups is a Result of two cores whose threads gained so much in each round, while they had that share of the cores.
func speedups(share float64, values ...float64) Result {
	figure := func(v float64) *measure.Sample { return measure.Of(v) }
	r := Result{Cores: 2, Rounds: len(values), Runs: len(values), Series: []Series{{Method: "fount", Size: 16, Mode: Threads,
		Points: []Point{{Threads: 1, Rate: figure(1), Speedup: figure(1), Share: figure(1)},
			{Threads: 2, Rate: figure(2), Speedup: measure.ByRun(values, 1), CPUSpeedup: figure(2), Share: figure(share)}}}}}
	r.Bars = r.Checks()
	return r
}

// A bar is held where the lower end of what is sure is above it, missed where the upper end is below, else undecided.
func TestChecks(t *testing.T) {
	for _, c := range []struct {
		share   float64
		values  []float64
		verdict string
	}{
		{0.99, []float64{1.95, 1.94, 1.96, 1.95, 1.95, 1.96}, Held},
		{0.99, []float64{1.80, 1.81, 1.79, 1.80, 1.82, 1.80}, Missed},
		{0.99, []float64{1.62, 1.98, 1.98, 1.97, 1.98, 1.66}, Undecided}, // the median alone is above
		{0.99, []float64{1.91, 2.04, 1.81, 1.91, 1.95, 1.88}, Undecided},
		{0.99, []float64{1.95, 1.94, 1.96, 1.95, 1.95}, Undecided}, // five rounds
		{0.5, []float64{3.45, 3.44, 3.46, 3.45, 3.45, 3.45}, NotJudged},
	} {
		r := speedups(c.share, c.values...)
		if len(r.Bars) != 1 || r.Bars[0].Verdict != c.verdict || r.Bars[0].Held != (c.verdict == Held) {
			t.Errorf("%v: %+v, want %s", c.values, r.Bars, c.verdict)
			continue
		}
		// What was not judged is a figure nowhere.
		if text := r.Text(show.Style{Width: 200}); strings.Contains(text, "3.4") {
			t.Errorf("a speedup that was not judged is shown:\n%s", text)
		}
	}
	if got := (Result{Cores: 1}).Checks(); got != nil {
		t.Errorf("one core: %+v", got)
	}
}
