// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount report: everything that the other commands measure, on one page.

package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"fount/cmd/fount/internal/report"

	"github.com/spf13/cobra"
)

const reportLong = `fount report: measure this machine with the other commands, one after the other, and write one HTML page.

It runs doctor, bench nonce, bench source, bench scale, bench files and load password, which takes about
five minutes; other programs that run meanwhile show in the figures. The page stands in DIR as report.html,
needs nothing beside it, and prints. What each command printed stands beside it as JSON.

A command that fails is named on the page and does not keep the others from running; the exit status is 1
then. --from makes the page again from the files of an earlier report, without measuring.`

// reportFlags are the flags of fount report.
type reportFlags struct {
	dir   string
	from  string
	force bool
}

func newReport() *cobra.Command {
	f := new(reportFlags)
	cmd := &cobra.Command{
		Use:   "report [-o DIR] [--force] | --from DIR",
		Short: "everything above, measured and told on one page",
		Long:  reportLong,
		Args:  atMost(0),
		Example: `  fount report
  fount report -o docs/results/report --force`,
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.make(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.dir, "output", "o", "fount-report", "write the page and its files into `DIR` (fount-report)")
	flags.BoolVar(&f.force, "force", false, "write into a directory that holds files already")
	flags.StringVar(&f.from, "from", "", "make the page of the files in `DIR` again")
	for _, name := range []string{"output", "from"} {
		if err := cmd.MarkFlagDirname(name); err != nil {
			panic(err) // the flags are defined above
		}
	}
	return cmd
}

func (f *reportFlags) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case changed("output") && f.dir == "":
		return usagef("-o has an empty directory name; use . for this one")
	case changed("from") && f.from == "":
		return usagef("--from has an empty directory name; use . for this one")
	case changed("from") && (changed("output") || changed("force")):
		return usagef("--from writes where the files are; use it alone")
	}
	return nil
}

// make measures, unless the files are there, and writes the page.
func (f *reportFlags) make(cmd *cobra.Command) error {
	if f.from != "" {
		return f.page(cmd, f.from)
	}
	if err := report.Prepare(f.dir, f.force); err != nil {
		return err
	}
	failures, err := f.measure(cmd)
	if err != nil {
		return err
	}
	if err := f.page(cmd, f.dir); err != nil {
		return err
	}
	for _, failure := range failures {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: not measured: %s: %v\n", cmd.CommandPath(), failure.Step, failure.Err)
	}
	if n := len(failures); n > 0 {
		return fmt.Errorf("%d of the commands failed; the page names them", n)
	}
	return nil
}

// measure runs the commands, until somebody interrupts.
func (f *reportFlags) measure(cmd *cobra.Command) ([]report.Failure, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	line := progressOn(cmd, false)
	defer line.Clear()
	progress := func(name string, done float64, left time.Duration) {
		text := fmt.Sprintf("%3.0f %%, about %.0f min left: %s", 100*done, math.Ceil(left.Minutes()), name)
		if line == nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.CommandPath(), strings.TrimSpace(text))
		}
		line.Show(text)
	}
	failures, err := report.Run(ctx, f.dir, versionLine(), report.Program(program, os.Args[0]), progress)
	if ctx.Err() == context.Canceled && err != nil {
		return nil, &exitError{statusInterrupted, "interrupted; " + f.dir + " holds what was measured until then"}
	}
	return failures, err
}

// page writes the page and says where it is.
func (f *reportFlags) page(cmd *cobra.Command, dir string) error {
	if err := report.Make(dir); err != nil {
		return err
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), filepath.Join(dir, report.Page))
	return err
}
