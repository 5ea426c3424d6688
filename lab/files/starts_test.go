// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

// Tests of the parts of Starts that need no Plan 9; test/plan9 runs the whole.

package files

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fount/lab/show"
	"fount/lab/show/golden"

	"golang.org/x/perf/benchfmt"
)

// A ringDevice gives held bytes at once, and each after that 52 ms later. Its clock moves with its reads alone.
type ringDevice struct {
	held, given int
	now         time.Time
}

func (d *ringDevice) Read(b []byte) (int, error) {
	if d.given++; d.given > d.held {
		d.now = d.now.Add(52 * time.Millisecond)
	}
	return min(1, len(b)), nil
}

func TestDrain(t *testing.T) {
	for held, want := range map[int]int{0: 3, 1: 4, 1023: 1026, 1 << 20: 2 * ringSize} {
		d := &ringDevice{held: held}
		if err := drain(d, func() time.Time { return d.now }); err != nil || d.given != want {
			t.Errorf("a device that holds %d: %d bytes taken, %v; want %d", held, d.given, err, want)
		}
	}
	if err := drain(strings.NewReader(""), time.Now); !errors.Is(err, io.EOF) {
		t.Errorf("a device that has ended: %v", err)
	}
}

// served is what fount's file stats prints, shortened.
const served = `up 192.4 s, clients 2 now, 14 since the start
since  what    name              calls     bytes  bytes/s  mean_ns  p50_ns  p99_ns  max_ns
start  file    random          1000250  16004000    83181       92      83     159  412003
start  file    urandom               0         0        0        -       -       -       -
10s    file    random                1         2        0        -       -       -       -
`

func TestDrawn(t *testing.T) {
	if d, err := drawnOf(served, "start", "file", "random"); err != nil || d != (Drawn{1000250, 16004000}) {
		t.Errorf("stats: %v, %v", d, err)
	}
	if _, err := drawnOf(served, "start", "file", "none"); err == nil {
		t.Error("stats without the line give no error")
	}
}

// whyNot is that of a program that failed.
const whyNot = "dd 17: open; dd: open /dev/random: clone failed"

// reported is what iostats prints of dd, with one line of each table left out, and of a program that reads nothing.
const (
	reported = `
read      25940 bytes, 13510.56 Kb/sec
write     159 bytes, 466.4463 Kb/sec
protocol  27685 bytes, 1939.67 Kb/sec
rpc       43 count

Message    Count   Low  High  Time Averg          T       R
open           6     0     0     2     0 ms       72      144 bytes

Opens    Reads  (bytes)   Writes  (bytes) File
    1        0        0        2       31 (stderr)
    2        3      128        0        0 /dev/random
    1        8    25812        0        0 /bin/dd
`
	readNothing = `
Opens    Reads  (bytes)   Writes  (bytes) File
    1        8    25812        0        0 /n/dev/random
`
)

func TestOpened(t *testing.T) {
	for report, want := range map[string]Opened{reported: {2, Drawn{3, 128}}, readNothing: {}} {
		if got, err := openedOf(report); err != nil || *got != want {
			t.Errorf("%s: %v, %v; want %v", report, got, err, want)
		}
	}
	for _, report := range []string{"", "iostats: too many procs\n", strings.Replace(reported, "128 ", "x ", 1)} {
		if got, err := openedOf(report); err == nil {
			t.Errorf("%q gives %v and no error", report, got)
		}
	}
}

func madeStarts() *StartResult {
	program := func(command string, runs ...[]float64) (p Program) {
		p.Command = command
		for i, place := range Places() {
			p.Starts = append(p.Starts, Starts{Place: place, RunsMS: runs[i]})
		}
		p.compare()
		return p
	}
	draw := program("draw", []float64{27000, 26000, 28000}, []float64{300, 200, 100}, []float64{100, 100, 900})
	draw.Served = &Drawn{1, 32}
	draw.Iostats = &Opened{1, Drawn{1, 32}}
	dd := program("/bin/dd -if /dev/random -bs 128", []float64{107000}, []float64{150}, []float64{160})
	dd.Starts[1].Failed, dd.Starts[1].Why = 1, whyNot
	return &StartResult{Procs: 16, Count: 3, ServerS: 1.7, Programs: []Program{draw, dd}}
}

func TestStartsText(t *testing.T) {
	r := madeStarts()
	golden.Check(t, filepath.Join("testdata", "starts80.txt"), r.Text(show.Style{Width: 80}))
	golden.Check(t, filepath.Join("testdata", "starts40.txt"), r.Text(show.Style{Width: 40}))
	if err := r.Failed(); err == nil || !strings.Contains(err.Error(), "1 processes of /bin/dd") || !strings.HasSuffix(err.Error(), whyNot) {
		t.Errorf("failed: %v", err)
	}
	var b bytes.Buffer
	w := benchfmt.NewWriter(&b)
	for _, line := range r.Benchmarks() {
		if err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	golden.Check(t, filepath.Join("testdata", "starts_bench.txt"), b.String())
}

// Elsewhere than on Plan 9 a starter says that it can't go to its place, and everything ends.
func TestStartsElsewhere(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	s := starting(t, 0, "starter")
	posted := ""
	_, err := RunStarts(t.Context(), StartOptions{Starter: s.program, Post: func(name string) error { posted = name; return nil }})
	if err == nil || !strings.Contains(err.Error(), "device: what /dev/random is") {
		t.Errorf("RunStarts: %v", err)
	}
	if !strings.HasPrefix(posted, "fount-bench-") {
		t.Errorf("posted as %q", posted)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
	for _, o := range []StartOptions{{Programs: []string{" "}}, {Procs: -1}, {Count: -1}} {
		if _, err := RunStarts(t.Context(), o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
