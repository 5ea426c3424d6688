// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what is written of a result, with figures made up for it.

package files

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"fount/lab/show"
	"fount/lab/show/golden"

	"golang.org/x/perf/benchfmt"
)

// made is a result with something of each kind.
func made() *Result {
	r := &Result{Procs: 4, Bytes: 128, Ring: Empty, LimitS: 22, Published: published, Sources: []Source{
		{Name: Emulated, About: "about it", Late: 2, BytesPerS: 19.23, Runs: []Round{
			{DelaysMS: []float64{6656, 13312}, Late: 2, ExecMS: 20},
		}},
		{Name: NineP, About: "about it", StartS: 1.664, BytesPerS: 126e6, Failed: 1,
			Failures: []string{"run 1, process 2: why"},
			Runs:     []Round{{DelaysMS: []float64{2, 3, 4}, ExecMS: 10}, {DelaysMS: []float64{1, 2, 3, 9.994}, ExecMS: 12}}},
		{Name: FUSE, About: "about it", Skipped: "no reason"},
		{Name: Fount, About: "about it", BytesPerS: 1.2e9, Runs: []Round{
			{DelaysMS: []float64{.05, .05, .07, .9996}, ExecMS: 5},
		}},
	}}
	for i := range r.Sources {
		s := &r.Sources[i]
		for _, run := range s.Runs {
			s.Got += len(run.DelaysMS)
		}
		s.Processes = s.Got + s.Late + s.Failed
		s.finish(22e3)
	}
	r.compare()
	r.Conclusion = r.conclude()
	return r
}

func TestText(t *testing.T) {
	for name, width := range map[string]int{"80.txt": 80, "50.txt": 50} {
		text := made().Text(show.Style{Width: width, Unicode: true})
		golden.Check(t, filepath.Join("testdata", name), text)
		for line := range strings.Lines(text) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
				t.Errorf("%d columns, want at most %d: %q", n, width, line)
			}
		}
	}
}

// The lines are what benchstat reads.
func TestBenchmarks(t *testing.T) {
	var b bytes.Buffer
	w := benchfmt.NewWriter(&b)
	for _, line := range made().Benchmarks() {
		if err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	golden.Check(t, filepath.Join("testdata", "bench.txt"), b.String())
	lines := 0
	for r := benchfmt.NewReader(&b, "b"); r.Scan(); lines++ {
		if err, ok := r.Result().(*benchfmt.SyntaxError); ok {
			t.Error(err)
		}
	}
	if lines != 8 { // 4 runs, a server, 3 rates
		t.Errorf("%d lines, want 8", lines)
	}
}

func TestNumbers(t *testing.T) {
	for want, ms := range map[string]float64{
		"0.00 µs": 0, "50.0 µs": .05, "999 µs": .9994, "1.00 ms": .9996, "9.99 ms": 9.994, "10.0 ms": 9.996,
		"99.9 ms": 99.94, "100 ms": 99.96, "999 ms": 999.4, "1.00 s": 999.6, "107 s": 106_600,
	} {
		if got := (Time{MS: ms}).String(); got != want {
			t.Errorf("%v ms is %q, want %q", ms, got, want)
		}
	}
	if got := (Time{22e3, true}).String(); got != ">= 22.0 s" {
		t.Errorf("%q", got)
	}
	for want, bytes := range map[string]float64{
		"-": 0, "19.2 B/s": 19.23, "999 B/s": 999.4, "1.00 kB/s": 999.6, "1.20 GB/s": 1.2e9, "12000 GB/s": 12e12,
	} {
		if got := rate(bytes); got != want {
			t.Errorf("%v B/s is %q, want %q", bytes, got, want)
		}
	}
}
