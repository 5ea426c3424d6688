// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package statistics has the statistical tests that others wrote, ent, rngtest and dieharder, judge fount's
// streams, and streams with known faults beside them. It is not a library: it holds tests only, and what
// they judge is made by the program in stream.
//
// It needs the Debian packages ent and rng-tools5, and dieharder for the long set. Without them it skips;
// FOUNT_REQUIRE=statistics makes that an error.
//
//	go test ./test/statistics                             20 Mbit of each stream, ent and rngtest
//	FOUNT_LONG=1 go test -count=1 -v ./test/statistics    and 14 tests of dieharder
//
// check_test.go has the rule by which they judge, tools_test.go each tool, results_test.go the tables.
package statistics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"fount/internal/test/require"
)

// A subject is a stream and what is to become of it.
type subject struct {
	stream  string
	caught  []string             // a control: the checks that must fail, of those that run always
	long    []string             // and of those that run under FOUNT_LONG
	control bool                 // else it is fount's, or is to be taken for it
	proof   func(evidence) error // what must have been in force
}

var subjects = []subject{
	{stream: "single", proof: keyed},
	{stream: "sizes", proof: keyed},
	{stream: "procs", proof: everyNode},
	{stream: "window", proof: inWindow},
	{stream: "chacha20"},

	{stream: "repeat16", control: true, caught: []string{entBytes, rngtest, repeats},
		long: []string{"bitstream", "count_1s", "2dsphere", "squeeze", "dct"}},
	{stream: "repeat992", control: true, caught: []string{entBytes, repeats},
		long: []string{"bitstream", "count_1s", "2dsphere"}},
	{stream: "replay", control: true, caught: []string{repeats}},
	{stream: "zeroed", control: true, caught: []string{entBytes, entBits},
		long: []string{"squeeze", "monobit", "sts_runs", "lagged_sum 0", "lagged_sum 3", "lagged_sum 15"}},
	{stream: "biased", control: true, caught: []string{entBytes, entBits},
		long: []string{"monobit", "lagged_sum 0", "lagged_sum 3"}},
}

// TestStreams judges each stream with each tool. The streams of fount must pass. So must ChaCha20 under the
// key 0, which is no secret at all: that is what a pass does not say. Each control must be caught by the
// checks that are named, and by no other: that is what a pass does say.
func TestStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs and judges 14 streams, which takes some seconds; run without -short")
	}
	checks := quickChecks
	if long() {
		checks = slices.Concat(quickChecks, dieharderChecks)
	}
	for _, c := range checks {
		need(t, c.tool)
	}
	programs := build(t)
	t.Cleanup(func() { logTables(t) }) // after the parallel ones
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.stream, func(t *testing.T) {
			t.Parallel()
			s.judge(t, programs, checks)
		})
	}
}

func (s *subject) judge(t *testing.T, p programs, checks []check) {
	o := outcome{subject: s}
	sample := p.sample(t, s.stream, 0, &o.evidence)
	if o.evidence.Mode == "window" && s.stream != "window" {
		t.Log("mode is window on this machine: every key is the kernel's alone, and none is drawn on a node")
	}
	if s.proof != nil {
		if err := s.proof(o.evidence); err != nil {
			t.Errorf("%v: %+v", err, o.evidence)
		}
	}
	for _, c := range checks {
		if s.control {
			o.add(t, c, c.run(t, sample), 0)
			continue
		}
		for attempt := uint64(0); attempt < uint64(c.inARow); attempt++ {
			if attempt > 0 {
				sample = p.sample(t, s.stream, attempt, nil)
			}
			if o.add(t, c, c.run(t, sample), attempt) {
				break
			}
		}
	}
	o.keep()
	want := s.caught
	if long() {
		want = slices.Concat(s.caught, s.long)
	}
	if got := o.failed(); !slices.Equal(got, want) {
		t.Errorf("%s fails %q, want %q", s.stream, got, want)
	}
}

func long() bool { return os.Getenv("FOUNT_LONG") != "" }

// need skips without the tool.
func need(t *testing.T, tool string) {
	if tool == "" {
		return
	}
	if _, err := exec.LookPath(tool); err != nil {
		require.Skip(t, "statistics", fmt.Sprintf("%v (Debian: apt-get install ent rng-tools5 dieharder)", err))
	}
}

// programs are two builds of the program stream. The second, without assembly, finds no word of the kernel's, and so is in
// mode window.
type programs struct{ normal, window string }

func build(t *testing.T) programs {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command to build with:", err)
	}
	dir := t.TempDir()
	p := programs{filepath.Join(dir, "stream"), filepath.Join(dir, "window")}
	for file, tags := range map[string]string{p.normal: "", p.window: "purego"} {
		cmd := exec.Command(goTool, "build", "-tags", tags, "-o", file, "./stream")
		// For this machine, also where these tests run for another under an emulator.
		cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go build ./stream: %v\n%s", err, out)
		}
	}
	return p
}

// command is the program that writes a stream.
func (p programs) command(stream string, args ...string) *exec.Cmd {
	program := p.normal
	if stream == "window" {
		program, stream = p.window, "procs"
	}
	cmd := exec.Command(program, append(args, stream)...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("FOUNT_NUMA_NODES=%d", nodes))
	return cmd
}

// A sample is some of a stream: at hand for the tools that read a file, and as a command for
// dieharder, which reads as much as it likes, from the beginning.
type sample struct {
	bytes  []byte
	stream func() *exec.Cmd
}

func (p programs) sample(t *testing.T, stream string, attempt uint64, e *evidence) sample {
	number := fmt.Sprint("-attempt=", attempt)
	cmd := p.command(stream, number, fmt.Sprint("-n=", sampleBytes))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	b, err := cmd.Output()
	if err != nil || len(b) != sampleBytes {
		t.Fatalf("stream %s: %v, %d bytes, want %d: %s", stream, err, len(b), sampleBytes, &stderr)
	}
	if e != nil {
		if err := json.Unmarshal(stderr.Bytes(), e); err != nil {
			t.Fatalf("stream %s: %v in %s", stream, err, &stderr)
		}
	}
	return sample{b, func() *exec.Cmd { return p.command(stream, number) }}
}
