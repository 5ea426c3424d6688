// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the whole experiment, with a device that ticks a thousand times as fast as Plan 9's.

//go:build !js && !wasip1

package files

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// brief are options for a run of a second.
func brief(t *testing.T, role string) Options {
	s := starting(t, 0, role)
	return Options{Procs: 3, Bytes: 16, Count: 2, More: 100_000, Tick: testTick, Program: s.program, Servers: testServers}
}

func TestRun(t *testing.T) {
	o := brief(t, "reader")
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	var lines []string
	o.Progress = func(line string) { lines = append(lines, line) }
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range r.Sources {
		names = append(names, s.Name)
		runs := 2
		if s.Name == Emulated {
			runs = 1
		}
		switch {
		case s.Skipped != "" && s.Name == URandom:
			t.Logf("no %s here: %s", s.Name, s.Skipped)
		case s.Skipped != "":
			t.Errorf("%s is skipped: %s", s.Name, s.Skipped)
		case len(s.Runs) != runs || s.Processes != 3*runs || s.Got != s.Processes || s.Late+s.Failed != 0:
			t.Errorf("%s: %+v", s.Name, s)
		case s.Delay.Median.MS <= 0 || s.Delay.Median.AtLeast || s.Delay.Max.MS < s.Delay.Median.MS:
			t.Errorf("%s: delay %+v", s.Name, s.Delay)
		case s.ExecMS <= 0 || s.BytesPerS <= 0:
			t.Errorf("%s: exec %v ms, %v B/s", s.Name, s.ExecMS, s.BytesPerS)
		}
	}
	if !slices.Equal(names, Names()) {
		t.Errorf("sources %q, want %q", names, Names())
	}
	if r.Ratio == nil || r.Ratio.AtLeast || r.Ratio.Value <= 0 {
		t.Errorf("ratio %+v", r.Ratio)
	}
	if seed := seedSize * ticksAByte * testTick.Seconds(); r.source(NineP).StartS < seed {
		t.Errorf("the server started in %v s, before the device had made its seed in %v s", r.source(NineP).StartS, seed)
	}
	if len(lines) < len(Names()) {
		t.Errorf("progress %q", lines)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
}

// Who gets no bytes within the limit is late: the median is a lower bound then, and so is the ratio.
func TestLate(t *testing.T) {
	o := brief(t, "reader")
	o.Tick, o.Limit, o.Count = time.Hour, time.Millisecond, 1
	o.Measure = func(source string) bool { return source == Emulated }
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sources[0]
	bound := Time{1, true}
	if s.Late != 3 || s.Got+s.Failed != 0 || *s.Delay != (Delay{bound, bound, bound}) || s.BytesPerS != 0 {
		t.Errorf("%+v %+v", s, s.Delay)
	}
	if r.Ratio != nil {
		t.Errorf("a ratio of one source: %+v", r.Ratio)
	}
}

// A full ring serves those whose bytes it holds at once, and no others.
func TestFullRing(t *testing.T) {
	o := brief(t, "reader")
	o.Ring, o.Tick, o.Bytes, o.Limit = Full, time.Hour, 400, 2*time.Second
	o.Measure = func(source string) bool { return source == Emulated || source == NineP }
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sources[0]
	if s.Got != 2 || s.Late != 1 || s.Delay.Median.AtLeast || !s.Delay.Max.AtLeast || s.BytesPerS != 0 {
		t.Errorf("%d B for 3 processes of 400 B: %+v %+v", ringHolds, s, s.Delay)
	}
	if s = r.Sources[1]; s.Got != 6 || s.StartS <= 0 {
		t.Errorf("the server was not seeded from the ring: %+v", s)
	}
	if r.Ratio == nil || r.Ratio.AtLeast {
		t.Errorf("ratio %+v, want one of two medians", r.Ratio)
	}
}

// A process that dies is counted and named, and the others count.
func TestRunWithFault(t *testing.T) {
	o := brief(t, "dies")
	o.Measure = func(source string) bool { return source == Fount }
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sources[0]
	if s.Processes != 6 || s.Got != 5 || s.Failed != 1 || s.BytesPerS != 0 || len(s.Failures) != 1 ||
		!strings.HasPrefix(s.Failures[0], "run 1, process ") ||
		!strings.HasSuffix(s.Failures[0], "exit status 1: no reason)") {
		t.Errorf("%+v", s)
	}
}

// Interrupted wherever it waits, it ends, and nothing is left of it.
func TestRunCancelled(t *testing.T) {
	dir := t.TempDir()
	for _, at := range []string{NineP + ": opening", Emulated + ", run 1", NineP + ", the rate", FUSE + ", run 2"} {
		o := brief(t, "reader")
		t.Setenv("TMPDIR", dir) // not on Windows, where nothing is looked for then
		ctx, cancel := context.WithCancel(t.Context())
		o.Progress = func(line string) {
			if strings.HasPrefix(line, at) {
				cancel()
			}
		}
		if strings.HasPrefix(at, Emulated) || strings.HasSuffix(at, "opening") {
			o.Tick = time.Hour
		}
		o.Measure = func(source string) bool { return strings.HasPrefix(at, source) }
		r, err := Run(ctx, o)
		cancel()
		if len(r.Sources) > 0 && r.Sources[0].Skipped != "" {
			t.Logf("%s: %s", at, r.Sources[0].Skipped)
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want %v", at, err, context.Canceled)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("%s: it left %q", at, left)
		}
	}
}

func TestOptions(t *testing.T) {
	program := []string{"none"}
	for _, o := range []Options{{}, {Ring: "half", Program: program}, {Procs: -1, Program: program}, {Limit: -time.Second, Program: program}} {
		if _, err := Run(t.Context(), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

func TestDelay(t *testing.T) {
	const limit = 100
	for _, c := range []struct {
		got  []float64
		late int
		want *Delay
	}{
		{nil, 0, nil},
		{[]float64{7}, 0, &Delay{Time{7, false}, Time{7, false}, Time{7, false}}},
		{[]float64{1, 2, 3, 10}, 0, &Delay{Time{2.5, false}, Time{10, false}, Time{10, false}}},
		{[]float64{1, 2, 3}, 1, &Delay{Time{2.5, false}, Time{100, true}, Time{100, true}}},
		{[]float64{1, 2}, 2, &Delay{Time{51, true}, Time{100, true}, Time{100, true}}},
		{[]float64{1, 2, 3}, 2, &Delay{Time{3, false}, Time{100, true}, Time{100, true}}},
		{[]float64{1, 2}, 3, &Delay{Time{100, true}, Time{100, true}, Time{100, true}}},
		{nil, 16, &Delay{Time{100, true}, Time{100, true}, Time{100, true}}},
	} {
		if got := delayOf(c.got, c.late, limit); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v and %d late: %+v, want %+v", c.got, c.late, got, c.want)
		}
	}
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	if got := delayOf(hundred, 0, limit); got.P99.MS != 99 || got.Max.MS != 100 || got.Median.MS != 50.5 {
		t.Errorf("of 1 to 100: %+v", got)
	}
}

func TestCompare(t *testing.T) {
	with := func(slow, fast Time) Result {
		r := Result{Sources: []Source{
			{Name: Emulated, Delay: &Delay{Median: slow}},
			{Name: NineP, Delay: &Delay{Median: fast}},
		}}
		r.compare()
		return r
	}
	if r := with(Time{1000, false}, Time{10, false}).Ratio; r.Value != 100 || r.AtLeast {
		t.Errorf("%+v, want 100", r)
	}
	if r := with(Time{1000, true}, Time{10, false}).Ratio; r.Value != 100 || !r.AtLeast {
		t.Errorf("%+v, want at least 100", r)
	}
	if r := with(Time{1000, false}, Time{10, true}).Ratio; r != nil {
		t.Errorf("%+v, where the lower one is only a lower bound", r)
	}
}

// The result survives JSON.
func TestJSON(t *testing.T) {
	o := brief(t, "reader")
	o.Measure = func(source string) bool { return source == Fount }
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("%v: %s", err, text)
	}
}
