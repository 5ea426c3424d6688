// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount why: whether a program needs fount, and where.

package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"fount/lab/show"
	"fount/lab/why"

	"github.com/spf13/cobra"
)

const whyLong = `fount why: read a CPU profile of a program, and say which share of its CPU time random values and password
hashes take, on which lines, what to use there, and what that saves.

PROFILE is a file of runtime/pprof, such as go test -cpuprofile writes; URL is of a server that serves net/http/pprof,
which profiles itself for that time. Nothing else is asked. What a change saves is measured here, in a second, and is an
estimate: draws count as 16 bytes. --json prints one object:
  program, seconds, cpu_seconds, samples
  uses   family, call, through, func, file, line, cpu_seconds, cpu_share (_low, _high), advice, saves_share
  costs  crypto_rand_16, uuid, uuid_text, bcrypt (ns, own_ns)`

// whyFlags are the flags of fount why.
type whyFlags struct {
	time time.Duration
	json bool
}

// newWhy is the command "fount why".
func newWhy() *cobra.Command {
	var f whyFlags
	cmd := &cobra.Command{
		Use:   "why PROFILE|URL [-d TIME] [--json]",
		Short: "whether your program needs it, and on which lines",
		Long:  whyLong,
		Example: `  fount why cpu.pprof
  fount why http://localhost:6060 -d 10s`,
		Args:    atMost(1),
		PreRunE: func(cmd *cobra.Command, args []string) error { return f.check(cmd, args) },
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.time = 30 * time.Second
	timeFlag(cmd.Flags(), &f.time, "duration", "d", "profile the server for that `TIME` (30s)", time.Hour)
	jsonFlag(cmd, &f.json)
	return cmd
}

func (f *whyFlags) check(cmd *cobra.Command, args []string) error {
	changed := cmd.Flags().Changed("duration")
	switch {
	case len(args) == 0 || args[0] == "":
		return usagef("the profile is missing; use for example cpu.pprof or http://localhost:6060")
	case changed && f.time == 0:
		return usagef("-d 0s is no time to profile; use for example 30s")
	case changed && !why.IsURL(args[0]):
		return usagef("-d is of a server, and a file has its own time")
	}
	return nil
}

// run reads, measures and prints.
func (f *whyFlags) run(cmd *cobra.Command, name string) error {
	ctx, stop := notifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	line := progressOn(cmd, f.json)
	defer line.Clear()
	r, err := f.find(ctx, name, line)
	if err != nil {
		return err
	}
	if r.Program == "" {
		r.Program = name
	}
	var costs *why.Costs
	if r.Wants() {
		line.Show("measuring what draws cost here")
		costs = why.Measure()
	}
	r.Advise(costs)
	line.Clear()
	return printResult(cmd, f.json, r, r.Text)
}

// find finds the uses in the profile of that file or server.
func (f *whyFlags) find(ctx context.Context, name string, line *show.Progress) (*why.Report, error) {
	if why.IsURL(name) {
		line.Show(fmt.Sprintf("profiling for %v", f.time))
		p, err := why.Fetch(ctx, name, f.time)
		if err != nil {
			return nil, err
		}
		return why.Find(p)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := why.Read(file)
	var r *why.Report
	if err == nil {
		r, err = why.Find(p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
