// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Report measures fount beside its competitors and writes down what came out. It judges nothing but
// the bars that the project has set itself.
//
// From the root of the checkout, or from bench:
//
//	go run ./bench/report
//
// It builds the benchmarks of fount/bench and runs all of them in rounds, so that whatever else
// the machine does meets all peers alike, and once more in a process in FIPS mode for the peers that
// are for it. With the defaults it takes 3 to 4 minutes. Where other programs run too, more and shorter
// rounds take as long and give narrower intervals: -count 40 -benchtime 12ms. Into docs/results it writes
//
//	peers.txt         what the benchmarks printed, which benchstat reads
//	peers.md          tables
//	peers-size.svg    throughput by size of a read
//	peers-values.svg  the cost of single values
//
// Everything but peers.txt follows from peers.txt: -redraw makes it again without measuring. The exit
// status is 0 if all was written, whether or not a bar was held, 1 if something failed, and 2
// for a mistake in the command line.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	bench     string
	benchtime time.Duration
	count     int
	out       string
	redraw    bool
	command   string // the command line, for the files
}

// quick is what -quick stands for.
const (
	quickTime  = 10 * time.Millisecond
	quickCount = 3
)

func main() {
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

// parse reads the command line.
func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("report", flag.ContinueOnError)
	f.StringVar(&o.bench, "bench", ".", "run the benchmarks that match `REGEX`, as go test does")
	f.DurationVar(&o.benchtime, "benchtime", 50*time.Millisecond, "run each benchmark for about `D` in each round")
	f.IntVar(&o.count, "count", 10, "run `N` rounds; below 6 there are no intervals")
	f.StringVar(&o.out, "out", "", "write into `DIR` (default docs/results of the checkout)")
	f.BoolVar(&o.redraw, "redraw", false, "make tables and plots again from DIR/peers.txt, without measuring")
	quick := f.Bool("quick", false, fmt.Sprintf("short for -benchtime %v -count %d: to try, not to publish", quickTime, quickCount))

	var message strings.Builder
	f.SetOutput(&message)
	f.Usage = func() {}
	switch err = f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		f.SetOutput(os.Stdout)
		fmt.Println("usage: report [-bench REGEX] [-benchtime D] [-count N] [-out DIR] [-quick | -redraw]")
		f.PrintDefaults()
		return o, err
	case err != nil:
		return o, err
	case f.NArg() != 0:
		return o, fmt.Errorf("%q is one argument too many; want flags only", f.Arg(0))
	}
	if *quick {
		o.benchtime, o.count = quickTime, quickCount
	}
	switch {
	case *quick && o.redraw:
		return o, errors.New("-quick measures and -redraw does not; want one of them")
	case o.benchtime <= 0:
		return o, fmt.Errorf("-benchtime is %v; want more than 0", o.benchtime)
	case o.count <= 0:
		return o, fmt.Errorf("-count is %d; want 1 or more", o.count)
	}
	if _, err := regexp.Compile(o.bench); err != nil {
		return o, fmt.Errorf("-bench %s: %w", o.bench, err)
	}
	o.command = "go run ./bench/report"
	for _, arg := range args {
		o.command += " " + quote(arg)
	}
	return o, nil
}

// quote writes an argument as a shell reads it.
func quote(arg string) string {
	if regexp.MustCompile(`^[0-9A-Za-z_./=:-]+$`).MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// run measures if it is to, writes the files, and prints the checks.
func run(ctx context.Context, o options, stdout io.Writer) error {
	if o.out == "" {
		root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "fount").Output()
		if err != nil {
			return fmt.Errorf("go list -m fount: %w; run this from the checkout", err)
		}
		o.out = filepath.Join(strings.TrimSpace(string(root)), "docs", "results")
	}
	path := filepath.Join(o.out, "peers.txt")
	if !o.redraw {
		if _, err := os.Stat(o.out); err != nil { // now and not after minutes
			return err
		}
		text, err := measure(ctx, o)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r, err := read(path, text)
	if err != nil {
		return err
	}
	files, err := render(r)
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(o.out, name), content, 0o666); err != nil {
			return err
		}
	}
	for _, line := range checks(r) {
		fmt.Fprintln(stdout, line)
	}
	return nil
}

// render returns the files that follow from the results, by name.
func render(r *results) (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, write := range map[string]func(io.Writer, *results) error{
		"peers.md":         writeTables,
		"peers-size.svg":   writeSizes,
		"peers-values.svg": writeValues,
	} {
		var b bytes.Buffer
		if err := write(&b, r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if b.Len() > 0 {
			files[name] = b.Bytes()
		}
	}
	return files, nil
}
