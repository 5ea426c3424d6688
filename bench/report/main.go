// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Report measures fount beside its competitors and writes down what came out. It judges nothing but
// the bars that the project has set itself.
//
// From the root of the checkout, or from bench:
//
//	go run ./bench/report
//
// It takes all peers in turns of the lab's harness, in rounds, so that whatever else the machine does meets all alike; the
// peers that are for FIPS mode in processes of that mode. With the defaults it takes 2 minutes. Into docs/results it writes
//
//	peers.json        what was measured
//	peers.md          tables
//	peers-size.svg    throughput by size of a read
//	peers-values.svg  the cost of single values
//
// Everything but peers.json follows from peers.json: -redraw makes it again without measuring. The exit
// status is 0 if all was written, whether or not a bar was held or a peer could be measured, 1 if something else failed, and 2
// for a mistake in the command line.
package main

import (
	"bytes"
	"context"
	"encoding/json"
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
	serve     bool   // make one round for another process
	command   string // the command line, for the files
}

// quick is what -quick stands for.
const (
	quickTime  = 2 * time.Millisecond
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
	if o.serve {
		err = serve(os.Stdin, os.Stdout)
	} else {
		err = run(ctx, o, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

// parse reads the command line.
func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("report", flag.ContinueOnError)
	f.StringVar(&o.bench, "bench", "", "measure what matches `REGEX`, of names like Nonce/fount and Read/size=16/frand")
	f.DurationVar(&o.benchtime, "benchtime", 12*time.Millisecond, "draw for `D` in each turn")
	f.IntVar(&o.count, "count", 30, "make `N` rounds; below 6 there are no intervals")
	f.BoolVar(&o.serve, "serve", false, "make the round that standard input asks for, for another process")
	f.StringVar(&o.out, "out", "", "write into `DIR` (default docs/results of the checkout)")
	f.BoolVar(&o.redraw, "redraw", false, "make tables and plots again from DIR/peers.json, without measuring")
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
	f.Visit(func(given *flag.Flag) {
		if given.Name != "out" { // where the files are is their readers' to know
			o.command += " " + quote("-"+given.Name+"="+given.Value.String())
		}
	})
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
	path := filepath.Join(o.out, "peers.json")
	if !o.redraw {
		if _, err := os.Stat(o.out); err != nil { // now and not after minutes
			return err
		}
		program, err := os.Executable()
		if err != nil {
			return err
		}
		r, err := measurements(ctx, o, []string{program, "-serve"})
		if err != nil {
			return err
		}
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		lines := bytes.ReplaceAll(append(text, '\n'), []byte(`{"task"`), []byte("\n{\"task\""))
		if err := os.WriteFile(path, lines, 0o666); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r, err := read(text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
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
	for _, line := range append(failures(r), checks(r)...) {
		fmt.Fprintln(stdout, line)
	}
	return nil
}

// render returns the files that follow from the results, by name.
func render(r *Result) (map[string][]byte, error) {
	files := map[string][]byte{"peers.md": tables(r)}
	for name, draw := range map[string]func(*Result) ([]byte, error){"peers-size.svg": drawSizes, "peers-values.svg": drawValues} {
		svg, err := draw(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if svg != nil {
			files[name] = svg
		}
	}
	return files, nil
}
