// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

// Tests of the parts of Starts that need no Plan 9; test/plan9 runs the whole.

package files

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
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
