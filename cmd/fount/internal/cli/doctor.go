// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount doctor: what random values and password hashes cost on this machine, and what to do.

package cli

import (
	"fmt"
	"io"
	"strings"

	"fount/cmd/fount/internal/doctor"
	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/show"

	"github.com/spf13/cobra"
)

const doctorLong = `fount doctor inspects this machine, measures what random values and password hashes cost on it,
and advises what to do. It takes up to 12 s if nothing else runs, changes nothing, and needs no privileges.

To repeat the last row of the last table, run fount load -c 32 -d 0 -m pool; the rows above it are -m max_out and -m
semaphore. Times "of a core" are CPU time on Linux and elapsed time elsewhere.

Exit status 1 if random values are not random, or can't be made at all.`

func newDoctor() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [--json]",
		Short: "measure what random values and password hashes cost here, and advise",
		Long:  doctorLong,
		Args:  atMost(0),
		Example: `  fount doctor
  fount doctor --json | jq .verdict.use`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return examine(cmd, asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func examine(cmd *cobra.Command, asJSON bool) error {
	ctx, stop := interruptible(cmd.Context())
	defer stop()

	out := cmd.OutOrStdout()
	line := progressOn(cmd, asJSON)
	defer line.Clear()

	x := doctor.Default
	x.Progress = line.Show

	r, err := x.Run(ctx, machine.Inspect(), show.StyleOf(out), func(section string) error {
		if asJSON {
			return nil
		}
		line.Clear()
		_, err := io.WriteString(out, section)
		return err
	})

	switch {
	case ctx.Err() != nil:
		return &exitError{status: statusInterrupted}
	case err == nil && asJSON:
		err = printJSON(out, r)
	}

	if err == nil && len(r.Problems) > 0 {
		err = fmt.Errorf("problem found: %s", strings.Join(r.Problems, ", "))
	}
	return err
}
