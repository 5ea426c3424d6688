// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench seeds: the seeds of the post "A Tale of Two rands" (2017), tried.

package cli

import (
	"context"
	"fmt"

	"fount/lab/machine"
	"fount/lab/seeds"

	"github.com/spf13/cobra"
)

const benchSeedsLong = `fount bench seeds: how often two clients of math/rand begin with the same seed, so that they draw the same
numbers.

In the first table each client seeds math/rand from crypto/rand, as the post's Seed does; math/rand keeps 31
bits. The probability that two clients collide is computed (the birthday problem) and tried, with clients that
really seed. In the second table clients that start together seed with time.Now().UnixNano(), as the post's
Native does: goroutines, processes, and processes in namespaces of their own. A cell is the share of clients
that have another's seed in that unit, or as math/rand keeps it (31 bits); span is the time from a round's
first seed to its last. It takes 15 s. Clones of a virtual machine are tried by a test of fount's sources
(FOUNT_LONG=1 go test -v -run ClockSeeds ./test/clone). --json prints one object: machine, trials,
places and conclusion.`

// seedsFlags are the flags of fount bench seeds.
type seedsFlags struct {
	seeds.Options
	json bool
}

func newBenchSeeds() *cobra.Command {
	f := seedsFlags{Options: seeds.Options{Seedings: 1_000_000, Procs: 100, Rounds: 5}}
	cmd := &cobra.Command{
		Use:   "seeds [--procs N] [flags]",
		Short: "clients whose seeds collide: of 31 bits, and of the clock (2017)",
		Long:  benchSeedsLong,
		Example: `  fount bench seeds
  fount bench seeds --seedings 20000000     for the trials' interval: minutes`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	number(flags, &f.Seedings, "seedings", "", "`N` clients seed in the trials of a row (1000000)", 1, 1e9,
		"number of clients; use for example 1000000")
	number(flags, &f.Procs, "procs", "", "`N` processes and goroutines start together (100)", 2, 1000,
		"number of processes; use for example 100")
	number(flags, &f.Rounds, "count", "", "`N` rounds of starts (5)", 1, 1000, "number of rounds; use for example 5")
	jsonFlag(cmd, &f.json)
	cmd.AddCommand(newSeedsProcess())
	return cmd
}

// A seedsReport is what --json prints.
type seedsReport struct {
	machine.Facts `json:"machine"`
	seeds.Result
}

func (f *seedsFlags) run(cmd *cobra.Command) error {
	out := cmd.OutOrStdout()
	b := &bench{benchFlags: benchFlags{json: f.json}, out: out, style: styleOf(out)}
	r := seedsReport{Facts: machine.Inspect()}
	words := fmt.Sprintf("fount bench seeds --seedings %d --procs %d --count %d", f.Seedings, f.Procs, f.Rounds)
	var err error
	r.Result, err = withProcesses(cmd, f.json, "bench seeds process", func(ctx context.Context, program []string, progress func(string)) (seeds.Result, error) {
		f.Progress, f.Program = progress, program
		if err := b.print(titleOf(words, r.Facts, b.style) + "\n"); err != nil {
			return seeds.Result{}, err
		}
		return seeds.Run(ctx, f.Options)
	})
	if err != nil {
		return err
	}
	if f.json {
		return printJSON(out, r)
	}
	return b.print(r.Text(b.style))
}

// newSeedsProcess is the command that fount bench seeds runs as each of its processes.
func newSeedsProcess() *cobra.Command {
	return &cobra.Command{
		Use:    "process",
		Short:  "one process of fount bench seeds, which starts it and tells it when to seed",
		Hidden: true,
		Args:   atMost(0),
		RunE:   func(cmd *cobra.Command, _ []string) error { return seeds.Process(cmd.InOrStdin(), cmd.OutOrStdout()) },
	}
}
