// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package probe

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"fount"
	"fount/lab/show"
)

// TestTicket: one holder at a time, served in the order of the numbers.
func TestTicket(t *testing.T) {
	var l ticket
	n := 0 // which the race detector sees guarded
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 1000 {
				l.Lock()
				n++
				if number := l.serving.Load(); number+1 != uint32(n) {
					t.Errorf("holder %d was served as %d", n, number+1)
				}
				l.Unlock()
				runtime.Gosched()
			}
		})
	}
	all.Wait()
	if n != 4000 {
		t.Errorf("%d sections were counted, want 4000", n)
	}
	if l.next.Load() != l.serving.Load() {
		t.Errorf("number %d is served, and %d is next", l.serving.Load(), l.next.Load())
	}
}

// TestRun: every figure is measured and modelled. How large they are is not for a test.
func TestRun(t *testing.T) {
	told := 0
	r, err := Run(context.Background(), 3, func(done, all int) {
		if done != told || all != 3 {
			t.Errorf("told %d of %d, want %d of 3", done, all, told)
		}
		told++
	})
	if min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) < 2 {
		if err == nil {
			t.Error("no error with one CPU")
		}
		t.Skip("two threads at once need two CPUs")
	}
	if errors.Is(err, ErrBusy) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if want := 3 * len(steps); len(r.Cases) != want || told != 3 {
		t.Errorf("%d cases, want %d; told %d times", len(r.Cases), want, told)
	}
	for _, s := range []Spread{r.Line, r.State} {
		if !(s.Low > 0 && s.Low <= s.Median && s.Median <= s.High) {
			t.Errorf("a line takes %v", s)
		}
	}
	for _, c := range r.Cases {
		if !(c.Alone.Median > 0 && c.Two.Median > 0 && c.Model > 0 && c.Work >= 0) {
			t.Errorf("%+v", c)
		}
	}
}

func TestCancel(t *testing.T) {
	if min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) < 2 {
		t.Skip("two threads at once need two CPUs")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, 3, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v, want %v", err, context.Canceled)
	}
}

// TestModel: with constant times two threads at one lock take a section and a line in turns, or do not meet.
func TestModel(t *testing.T) {
	g := group{alone: make([]*series, len(steps)), two: make([]*series, len(steps))}
	for i, ns := range []float64{100, 120, 340, 1100} { // of which 100 are the section
		g.alone[i] = &series{values: []float64{ns, ns, ns}}
		g.two[i] = &series{values: []float64{160, 160, 160}}
	}
	cases, err := g.cases(context.Background(), 60)
	if err != nil {
		t.Fatal(err)
	}
	// The last two do not wait: a round is section, line and work, and two threads are in it.
	for i, want := range []float64{160, 160, 200, 580} {
		if got := cases[i].Model; got < want*0.999 || got > want*1.001 {
			t.Errorf("work %v: modelled %v ns, want %v", cases[i].Work, got, want)
		}
	}
	if e := cases[2].Error; e < 0.249 || e > 0.251 {
		t.Errorf("200 ns modelled for 160 measured is an error of %v, want 0.25", e)
	}
}

// TestDisturbed: a disturbed window does not count, and too many of them are an error.
func TestDisturbed(t *testing.T) {
	for _, test := range []struct {
		good int // windows, of 10
		fail bool
	}{{10, false}, {5, false}, {4, true}, {0, true}} {
		p := prober{ctx: context.Background(), windows: 10}
		n := 0
		s := p.add(func() (float64, bool) {
			n++
			return float64(n), n%tries == 0 && n <= test.good*tries
		})
		if err := p.measure(); errors.Is(err, ErrBusy) != test.fail || len(s.values) != test.good {
			t.Errorf("%d undisturbed windows: %d counted, error %v", test.good, len(s.values), err)
		}
	}
}

func TestSpread(t *testing.T) {
	s := series{values: []float64{9, 1, 8, 2, 7, 3, 6, 4}}
	if got, want := s.spread(), (Spread{Median: 6, Low: 3, High: 7}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := (Spread{119.4, 100.2, 1234}).String(), "119 (100 to 1,234)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSpin: work ends where its generator does, and not at 0.
func TestSpin(t *testing.T) {
	// The first outputs of Marsaglia's xorshift32 (Xorshift RNGs, 2003) from 1: 270369 and 67634689.
	for n, want := range map[int]uint32{0: 1, 1: 270369, 2: 67634689} {
		if got := spin(1, n); got != want {
			t.Errorf("%d steps from 1: %d, want %d", n, got, want)
		}
	}
}

func TestDraw(t *testing.T) {
	for _, g := range []*fount.Generator{nil, fount.NewGenerator()} {
		w := &window{lock: new(ticket), generator: g, steps: 3}
		w.draw()
		w.draw()
		if n := w.lock.(*ticket).serving.Load(); n != 2 {
			t.Errorf("two draws took the lock %d times", n)
		}
	}
}

func TestText(t *testing.T) {
	r := Report{Windows: 9, Line: Spread{110, 100, 120}, State: Spread{250, 240, 260}, Cases: []Case{
		{Lock: "ticket lock", Guard: registers, Alone: Spread{35, 34, 36}, Two: Spread{140, 130, 150}, Model: 145, Error: 5. / 140},
	}}
	text := r.Text(show.Style{Width: 100})
	for _, want := range []string{"Measured on this machine and modelled beside it.", "110 (100 to 120) ns",
		"  ticket lock  registers   0.0   35.0  140 (130 to 150)            145   +4 %\n", "not pinned", "barging"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	r.Pinned = true
	if strings.Contains(r.Text(show.Style{Width: 100}), "not pinned") {
		t.Error("pinned threads are said not to be")
	}
}
