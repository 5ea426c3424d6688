// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// Measuring: the benchmarks are built once and run in rounds, in one process a round for each mode.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"fount/bench/peers"
)

// modes are the values of GODEBUG's fips140 that processes are started with: a process measures
// the peers that are for its mode.
var modes = []string{"off", "on"}

// measure returns the text of peers.txt.
func measure(ctx context.Context, o options) ([]byte, error) {
	dir, err := os.MkdirTemp("", "fount-report-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := bench{program: filepath.Join(dir, "bench.test"), regex: o.bench}
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", b.program, "fount/bench")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go test -c fount/bench: %w\n%s", err, out)
	}

	p := newProgress()
	defer p.clear()
	t, err := b.try(ctx, p)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	writeHeader(&text, o, t)
	start, done := time.Now(), 0
	for round := range o.count {
		for _, mode := range t.modes {
			out, err := b.run(ctx, mode, o.benchtime.String(), func(name string) {
				done++
				p.show("round %d of %d, %s left: %s", round+1, o.count, left(time.Since(start), done, t.all*o.count), name)
			})
			if err != nil {
				return nil, err
			}
			slices.SortStableFunc(out.results, func(a, b string) int { return cmp.Compare(t.place(a), t.place(b)) })
			for _, line := range out.results {
				fmt.Fprintln(&text, line)
			}
		}
	}
	return text.Bytes(), nil
}

// A trial is what one operation of each benchmark shows.
type trial struct {
	header []string // as output has it
	modes  []string // those that have benchmarks here
	all    int      // benchmarks in a round
	noFIPS bool     // this build has no FIPS mode

	places map[string]int // of the benchmarks in the file: rounds have orders of their own
}

// place is where a line of results stands in a round.
func (t trial) place(line string) int { return t.places[strings.Fields(line)[0]] }

// try runs each benchmark once, to see that it works and to count.
func (b bench) try(ctx context.Context, p progress) (t trial, err error) {
	t.places = map[string]int{}
	for _, mode := range modes {
		out, err := b.run(ctx, mode, "1x", func(name string) { p.show("trying %s", name) })
		if mode == "on" && errors.Is(err, errNoFIPS) {
			t.noFIPS = true
			continue
		}
		if err != nil {
			return t, err
		}
		if len(out.results) > 0 {
			t.header = out.header
			t.modes = append(t.modes, mode)
			t.all += len(out.results)
			for _, line := range out.results {
				t.places[strings.Fields(line)[0]] = len(t.places)
			}
		}
	}
	if t.all == 0 {
		return t, fmt.Errorf("-bench %s matches no benchmark; want a pattern like Nonce or Read/size=16$/", b.regex)
	}
	return t, nil
}

// writeHeader writes what is to be known of the results: comments, which benchstat skips, and
// the configuration that it prints.
func writeHeader(w io.Writer, o options, t trial) {
	fmt.Fprintf(w, "# %s\n", o.command)
	fmt.Fprintf(w, "# %d rounds of %d benchmarks, each run for about %v in each round.\n", o.count, t.all, o.benchtime)
	if t.noFIPS {
		fmt.Fprintln(w, "# This build has no FIPS mode.")
	} else {
		fmt.Fprintln(w, "# Peers in FIPS mode ran in processes of their own, started with GODEBUG=fips140=on.")
	}
	fmt.Fprintf(w, "# Versions: %s.\n", strings.Join(versions(), ", "))
	for _, line := range t.header {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "go: %s\nkernel: %s\n\n", runtime.Version(), kernel())
}

// versions lists the modules of the peers as go.mod has them.
func versions() (list []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return []string{"not known"}
	}
	for _, p := range peers.All() {
		for _, m := range info.Deps {
			if v := m.Path + " " + m.Version; m.Path == p.Module && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	return list
}

// kernel is the name and release of the operating system, as far as it tells.
func kernel() string {
	if out, err := exec.Command("uname", "-sr").Output(); err == nil {
		return strings.TrimSpace(string(out))
	}
	return runtime.GOOS
}

// bench is the built benchmarks.
type bench struct {
	program string
	regex   string
}

// output is what one process printed.
type output struct {
	header  []string // goos, goarch, pkg, cpu
	results []string
}

var errNoFIPS = errors.New("no FIPS mode")

// run runs the benchmarks once in a process with GODEBUG=fips140=mode, and calls each with the name
// of one that is done.
func (b bench) run(ctx context.Context, mode, benchtime string, each func(name string)) (out output, err error) {
	cmd := exec.CommandContext(ctx, b.program, "-test.run=^$", "-test.bench="+b.regex, "-test.benchtime="+benchtime, "-test.timeout=0", "-shuffle-peers")
	cmd.Env = append(os.Environ(), "GODEBUG="+strings.TrimPrefix(os.Getenv("GODEBUG")+",fips140="+mode, ","))
	var stderr, all bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return out, err
	}
	if err := cmd.Start(); err != nil {
		return out, err
	}
	lines := bufio.NewScanner(io.TeeReader(pipe, &all))
	for lines.Scan() {
		out.add(lines.Text(), each)
	}
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if strings.Contains(stderr.String(), "fips140: FIPS 140-3 mode is") {
			return out, errNoFIPS
		}
		return out, fmt.Errorf("the benchmarks: %w\n%s%s", err, &all, &stderr)
	}
	return out, lines.Err()
}

// add takes a line of the process if it is one to keep.
func (o *output) add(line string, each func(name string)) {
	key, _, _ := strings.Cut(line, ":")
	switch {
	case strings.HasPrefix(line, "Benchmark") && strings.Contains(line, "ns/op"):
		o.results = append(o.results, line)
		each(strings.TrimPrefix(strings.Fields(line)[0], "Benchmark"))
	case slices.Contains([]string{"goos", "goarch", "pkg", "cpu"}, key):
		o.header = append(o.header, line)
	}
}
