// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount why: whether a program would gain from fount, and on which lines.

package cli

import (
	"cmp"
	"fmt"
	"time"

	"fount/cmd/fount/internal/why"

	"github.com/spf13/cobra"
)

const whyLong = `fount why reads a CPU profile of a program. It says which share of the CPU time random values and
password hashes take, on which lines, what to use there, and what that would save.

PROFILE is a file as runtime/pprof and go test -cpuprofile write it. URL is a server with net/http/pprof, which then
profiles itself. The savings are an estimate: fount why measures for a second what values of 16 bytes cost on this
machine, and takes every value for one of 16 bytes.`

func newWhy() *cobra.Command {
	d, asJSON := 30*time.Second, false
	cmd := &cobra.Command{
		Use:   "why PROFILE|URL [-d TIME] [--json]",
		Short: "read a CPU profile and say where its program would gain from fount",
		Long:  whyLong,
		Example: `  fount why cpu.pprof
  fount why http://localhost:6060 -d 10s`,
		Args:              exactlyOne("the profile"),
		ValidArgsFunction: completeFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return runWhy(cmd, args[0], d, asJSON) },
	}
	timeFlag(cmd.Flags(), &d, "duration", "d", "profile the server at URL for `TIME` (30s)", time.Second, time.Hour)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// runWhy reads the profile called name, measures, and prints the advice.
func runWhy(cmd *cobra.Command, name string, d time.Duration, asJSON bool) error {
	ctx, stop := interruptible(cmd.Context())
	defer stop()

	line := progressOn(cmd, asJSON)
	defer line.Clear()
	if why.IsURL(name) {
		line.Show(fmt.Sprintf("profiling for %v", d))
	}

	p, err := why.Open(ctx, name, d)
	if err != nil {
		return err
	}

	r, err := why.Find(p)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.Program = cmp.Or(r.Program, name)

	if len(r.Uses) > 0 {
		line.Show("measuring what draws cost here")
		r.Advise(why.Measure())
	}

	line.Clear()
	return printResult(cmd.OutOrStdout(), asJSON, r, r.Text)
}
