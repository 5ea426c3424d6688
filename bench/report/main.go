// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Report measures fount beside its competitors and prints a table for each task.
//
//	go run ./bench/report
//
// It takes all peers in turns of the lab's harness, in rounds, so that whatever else the machine does meets all alike; the
// peers that are for FIPS mode in processes of that mode. With the defaults it takes 2 minutes. -o writes all rounds as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"fount/bench/peers"
	"fount/lab/measure"
	"fount/lab/show"
)

// options are the flags.
type options struct {
	bench     string
	benchtime time.Duration
	count     int
	file      string
	serve     bool // make one round for another process
}

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
	f.StringVar(&o.file, "o", "", "write all rounds as JSON into `FILE`")
	f.BoolVar(&o.serve, "serve", false, "make the round that standard input asks for, for another process")
	f.SetOutput(io.Discard)
	switch err = f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		f.SetOutput(os.Stdout)
		f.Usage()
		return o, err
	case err != nil:
		return o, err
	case f.NArg() != 0:
		return o, fmt.Errorf("%q is one argument too many; want flags only", f.Arg(0))
	case o.benchtime <= 0:
		return o, fmt.Errorf("-benchtime is %v; want more than 0", o.benchtime)
	case o.count <= 0:
		return o, fmt.Errorf("-count is %d; want 1 or more", o.count)
	}
	if _, err := regexp.Compile(o.bench); err != nil {
		return o, fmt.Errorf("-bench %s: %w", o.bench, err)
	}
	return o, nil
}

// run measures, prints the tables, and writes the file.
func run(ctx context.Context, o options, stdout io.Writer) error {
	var file *os.File
	if o.file != "" { // known now and not after minutes
		var err error
		if file, err = os.Create(o.file); err != nil {
			return err
		}
		defer file.Close()
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	r, err := measurements(ctx, o, []string{program, "-serve"})
	if err != nil {
		return err
	}
	if err := r.print(stdout); err != nil || file == nil {
		return err
	}
	return errors.Join(json.NewEncoder(file).Encode(r), file.Close())
}

// print prints what is to be known of the measurement, and a table for each task.
func (r *Result) print(w io.Writer) error {
	m := r.Machine
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, %s %s, %s %s\n%d rounds in turns of %v ms; %s\n", m.CPU, m.OS, m.Kernel, m.GoVersion, m.GoLevel, r.Rounds,
		float64(r.TurnNS)/1e6, strings.Join(r.Versions, ", "))
	fmt.Fprintf(t, "ns: %s on one core. all: added up, while one goroutine a core draws. gain: how many times as much all cores draw, by the clock.\n", r.clock())
	for _, task := range peers.Tasks() {
		head := false
		for _, p := range peers.All() {
			one := r.find(task.Name, p.Name, false)
			if one == nil {
				continue
			}
			if !head {
				fmt.Fprintf(t, "\n%s\tns\t95 %%\tto %s\tall\tgain\tallocations\n", task.Title, task.Base)
				head = true
			}
			if one.Error != "" {
				fmt.Fprintf(t, "  %s\tnot measured: %s\n", p.Label(), one.Error)
				continue
			}
			fmt.Fprintf(t, "  %s\t%s\n", p.Label(), strings.Join(r.cells(task, p), "\t"))
		}
	}
	return t.Flush()
}

// cells are a peer's figures at a task.
func (r *Result) cells(task peers.Task, p peers.Peer) []string {
	ratio, all, gain := "-", "-", "-"
	if base := peer(task.Base); r.has(task, base) {
		ratio = show.Ratio(measure.Of(r.ratios(task, p, base)...).Median)
	}
	if r.Cores > 1 {
		all = show.NS(r.cost(task, p, true).Median)
		gain = show.Ratio(measure.Of(r.gains(task, p)...).Median)
	}
	cost := r.cost(task, p, false)
	return []string{show.NS(cost.Median), cost.Percent(), ratio, all, gain, fmt.Sprintf("%.0f", r.get(task, p, false).Allocations)}
}
