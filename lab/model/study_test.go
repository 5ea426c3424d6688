// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The study: its conditions, its text, and what it refuses.

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
)

// TestPatch: the fits meet the points that they are fitted to, a pool per node is linear, and the ticket lock is nearer to
// the published row than the control, whose handover does not grow. How near is printed and held against no bar: the
// choices were made with the points in sight.
func TestPatch(t *testing.T) {
	if raceEnabled {
		t.Skip("60 runs of 100,000 draws: with the race detector they take a minute")
	}
	o := Usual()
	o.Draws = 100_000
	s := &study{ctx: context.Background(), o: o}
	base := o.config()
	base.Far = s.calibrate(base)
	rows := s.rows(base, s.fitFeed(base))
	if s.err != nil {
		t.Fatal(s.err)
	}
	within(t, "one pool, 4 sockets", rows[0].Modelled[3], onePool[3], 0.01)
	within(t, "a pool per node with one input pool, 4 nodes", rows[2].Modelled[3], poolPerNode[3], 0.01)
	for i, m := range rows[1].Modelled {
		within(t, "a pool per node", m, float64(i+1), 0.01)
	}
	most := func(errs []float64) (m float64) {
		for _, e := range errs {
			m = max(m, math.Abs(e))
		}
		return m
	}
	if ticket, control := most(rows[0].Errors), most(rows[3].Errors); control < 2*ticket {
		t.Errorf("the control meets the published row to %.3f, the ticket lock to %.3f", control, ticket)
	}
	if w := rows[0].Runs[3].Waiting; w < patchWaiting {
		t.Errorf("4 sockets wait %.2f of their time, want over %v", w, patchWaiting)
	}
}

// TestChoices: each choice made another way meets the same two fitted points, and moves the others, so that the table says
// something.
func TestChoices(t *testing.T) {
	r := result(t)
	if len(r.Choices) != 5 {
		t.Fatalf("%d choices", len(r.Choices))
	}
	for i, c := range r.Choices {
		within(t, c.Name+", 4 sockets", c.OnePool[3], onePool[3], 0.1) // of 500 draws
		within(t, c.Name+", 4 nodes", c.PerNode[3], poolPerNode[3], 0.1)
		if off := c.FarNS / r.Choices[0].FarNS; i > 0 && i < 4 && math.Abs(off-1) < 0.02 {
			t.Errorf("%s leaves the far line where it is, %.1f ns", c.Name, c.FarNS)
		}
	}
}

// short is a study of few draws, made once, and the steps that it told of.
var short = sync.OnceValues(func() (r Result, err error) {
	o := Usual()
	o.Draws = 2000
	o.Progress = func(string) { shortSteps++ }
	r, err = Run(context.Background(), o)
	r.Options.Progress = nil
	return r, err
})

var shortSteps int

func result(t *testing.T) Result {
	t.Helper()
	r, err := short()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestNoFit: options with which no far line gives the published figure end in an error, not in a figure.
func TestNoFit(t *testing.T) {
	o := Usual()
	o.Cores, o.Threads, o.Draws = 1, 1, 1000 // a thread a socket hardly waits
	if r, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "no far line") {
		t.Errorf("a far line of %v ns and error %v, want none and an error", r.FarNS, err)
	}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		set  func(c *Config)
		want string
	}{
		{func(c *Config) {}, ""},
		{func(c *Config) { c.Sockets = 0 }, "0 is not a number of sockets from 1 to 64"},
		{func(c *Config) { c.Cores = 1025 }, "1025 is not a number of cores from 1 to 1024"},
		{func(c *Config) { c.Threads = -1 }, "-1 is not a number of threads from 1 to 8"},
		{func(c *Config) { c.Lock = "spin" }, `"spin" is not a lock; use one of ["ticket" "mcs" "node" "none"]`},
		{func(c *Config) { c.Far = math.NaN() }, "NaN is not a time in ns of a far line from 0 to 1e+09"},
		{func(c *Config) { c.Work = math.Inf(1) }, "+Inf is not a time in ns of work from 0 to 1e+09"},
		{func(c *Config) { c.Section = 0 }, "0 is not a time in ns of a critical section from 0.001 to 1e+09"},
		{func(c *Config) { c.FeedEvery = 0.5 }, "0.5 is not a number of draws for each feed, 0 or from 1 to 1e9"},
		{func(c *Config) { c.Draws = 99 }, "99 is not a number of draws from 100 to 1e+10"},
		{func(c *Config) { c.Draws, c.Section = 1e10, 1e9 },
			"10000000000 draws could take 462963 days of model time, and its clock ends at 53; use fewer draws"},
	} {
		c := small(MCS)
		test.set(&c)
		got := ""
		if err := c.Check(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		set  func(o *Options)
		want string
	}{
		{func(o *Options) {}, ""},
		{func(o *Options) { o.Section = 5e4 }, ""},
		{func(o *Options) { o.Section = 9 }, "9 is not a time in ns of a critical section from 10 to 50000"},
		{func(o *Options) { o.Cores = 0 }, "0 is not a number of cores from 1 to 256"},
		{func(o *Options) { o.Near = math.NaN() }, "NaN is not a time in ns of a near line from 0 to 10000"},
		{func(o *Options) { o.Draws = 999 }, "999 is not a number of draws from 1000 to 1e+09"},
		{func(o *Options) { o.Draws = 1e9 }, "1000000000 draws could take 1011 days of model time, and its clock ends " +
			"at 53; use fewer draws"},
	} {
		o := Usual()
		test.set(&o)
		got := ""
		if err := o.Check(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// FuzzCheck: what Check takes can be run without a panic and gives figures that are numbers; what it refuses costs
// nothing, as Run and Simulate return the same error.
func FuzzCheck(f *testing.F) {
	f.Add(1, 18, 2, "ticket", 25.0, 105.0, 3000.0, 10000.0, 0.0, int64(100), int64(1), int64(0), false)
	f.Add(64, 1, 1, "node", 0.0, 1e9, 0.001, 0.0, 1.0, int64(100), int64(-1), int64(1), true)
	f.Add(0, -1, 9, "", -1.0, math.Inf(1), math.NaN(), 1e300, 0.5, int64(1)<<62, int64(0), int64(-5), false)
	f.Fuzz(func(t *testing.T, sockets, cores, threads int, lock string, near, far, section, work, feed float64,
		draws, seed, batch int64, fixed bool) {
		o := Options{Cores: cores, Threads: threads, Near: near, Section: section, Work: work, Draws: draws, Seed: seed}
		if want := o.Check(); want != nil {
			if r, err := Run(context.Background(), o); err == nil || err.Error() != want.Error() || r.Draws != 0 {
				t.Errorf("Run simulated %d draws and returned %v, want %v", r.Draws, err, want)
			}
		}
		c := Config{Sockets: sockets, Cores: cores, Threads: threads, Lock: Lock(lock), Near: near, Far: far,
			Section: section, Work: work, FeedEvery: feed, Batch: batch, Draws: draws, Seed: seed, Fixed: fixed}
		want := c.Check()
		if want == nil && (c.Draws > 2000 || c.N() > 200) {
			t.Skip("valid, and too long for a fuzz run")
		}
		got, err := Simulate(context.Background(), c)
		switch {
		case want != nil:
			if got != (Figures{}) || err == nil || err.Error() != want.Error() {
				t.Errorf("Simulate returned %v, want %v", err, want)
			}
		case err != nil:
			t.Errorf("Check took what Simulate refuses: %v", err)
		case !(got.PerSecond > 0) || math.IsInf(got.PerSecond, 0) || !(got.Waiting >= 0 && got.Waiting < 1.5):
			t.Errorf("%+v gives %+v", c, got)
		}
	})
}

// TestProgress: each step is told once.
func TestProgress(t *testing.T) {
	result(t)
	if shortSteps != 9 {
		t.Errorf("%d steps were told, want 9", shortSteps)
	}
}
