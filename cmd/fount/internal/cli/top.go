// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount top: what another process does, live, by the figures that it publishes.

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"fount/cmd/fount/internal/top"

	"github.com/spf13/cobra"
)

const topLong = `fount top ADDRESS shows what a process that uses fount does: demand, goodput, waits, refusals by reason, workers,
memory, how late goroutines run, and how random values are made. The process publishes telemetry.Read by expvar.Func (at
/debug/vars) or fountprometheus (at /metrics); ADDRESS is HOST:PORT, a URL, or a Unix socket (unix:PATH, or a path).

Rates and quantiles are of the last interval. Quantiles are bucket ends: up to 19 % too high by expvar, up to twice
the true value by Prometheus. A process that goes away is waited for; one that restarted is said to have. An answer may
take 10 s and have 16 MiB.

On a terminal, q quits and Tab goes to the next pool; NO_COLOR is honoured. In a pipe, each interval is a line a pool.
--json prints an object a line; docs/telemetry.md has its fields. The exit status is 1 if there are no figures at the
start, or none in the last of --count intervals.`

type topFlags struct {
	interval time.Duration
	count    int
	json     bool
}

func newTop() *cobra.Command {
	f := topFlags{interval: 2 * time.Second}
	cmd := &cobra.Command{
		Use:   "top [flags] ADDRESS",
		Short: "live figures of a process that uses fount",
		Long:  topLong,
		Example: `  fount load password -m pool --rate 200 -d 1m --metrics 127.0.0.1:6060 &
  fount top 127.0.0.1:6060
  fount top --json -n 1 unix:/run/app.sock | jq '.pools[].demand_per_second'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("the address of a process is missing; usage: %s", cmd.UseLine())
			}
			return atMost(1)(cmd, args)
		},
		ValidArgsFunction: completeFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	value(flags, &f.interval, "interval", "", "`TIME` from one frame to the next (2s)", func(s string) (time.Duration, bool) {
		d, err := time.ParseDuration(s)
		return d, err == nil && 100*time.Millisecond <= d && d <= time.Hour
	}, "a time from 100ms to 1h; use for example 2s")
	number(flags, &f.count, "count", "n", "end after `N` intervals", 1, 1e6, "number of intervals; use for example 10")
	cmd.Flags().BoolVar(&f.json, "json", false, "print a JSON object a line, one for each interval")
	return cmd
}

func (f *topFlags) run(cmd *cobra.Command, address string) error {
	source, err := top.NewSource(address)
	if err != nil {
		return usagef("address %q %v", address, err)
	}
	watch, last, err := top.NewWatch(cmd.Context(), source)
	if err != nil {
		return fmt.Errorf("%s: %w", source.Address(), err)
	}
	if screen, ok := f.screen(cmd); ok {
		screen.Next = watch.Next
		last, err = screen.Show(last)
	} else {
		last, err = f.print(cmd, watch)
	}
	var signal top.Signaled
	switch {
	case errors.As(err, &signal):
		return &exitError{status: 128 + int(signal)} // as a shell reports it
	case err == nil && f.count > 0 && last.Error != "":
		return fmt.Errorf("%s: %s", source.Address(), last.Error)
	}
	return err
}

// screen is the terminal, if there is one to show and one to type at.
func (f *topFlags) screen(cmd *cobra.Command) (top.Screen, bool) {
	in, out := asFile(cmd.InOrStdin()), asFile(cmd.OutOrStdout())
	ok := top.HasScreen && !f.json && in != nil && out != nil && isTerminal(in) && isTerminal(out) && os.Getenv("TERM") != "dumb"
	return top.Screen{In: in, Out: out, Interval: f.interval, Count: f.count, Style: styleOf(out), Color: os.Getenv("NO_COLOR") == ""}, ok
}

// print writes plain lines, or JSON.
func (f *topFlags) print(cmd *cobra.Command, watch *top.Watch) (top.Frame, error) {
	out := cmd.OutOrStdout()
	if !f.json {
		if _, err := io.WriteString(out, top.Head); err != nil {
			return top.Frame{}, err
		}
	}
	return watch.Each(cmd.Context(), f.interval, f.count, func(frame top.Frame) error {
		text := frame.Text()
		if f.json {
			var err error
			if text, err = frame.JSON(); err != nil {
				return err
			}
		}
		_, err := io.WriteString(out, text)
		return err
	})
}
