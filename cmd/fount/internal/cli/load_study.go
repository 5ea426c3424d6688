// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount load password STUDY: runs that together show one thing, each in a process of its own.

package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"fount/lab/logins"
	"fount/lab/machine"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const studyLong = `fount load password %s: %s.

Each run is a process of its own: a compare can't be stopped, and would disturb the next run.
-d is the time of the runs; some are a part of it.
-o writes password-%[1]s.txt and password-%[1]s.json into a directory.
Exit status 1 if a condition is not met. --json: machine, and what was measured.`

// studyFlags are the flags of all studies.
type studyFlags struct {
	cost     int
	duration time.Duration
	dir      string
	json     bool

	run logins.Runner // nil: a process for each run
}

// newStudies are the commands below fount load password.
func newStudies() (cmds []*cobra.Command) {
	var names []string
	for _, plan := range logins.Plans {
		cmds = append(cmds, newStudy(plan))
		names = append(names, plan.Name)
	}
	return append(cmds, newAllStudies(names))
}

func newStudy(plan logins.Plan) *cobra.Command {
	f := studyFlags{cost: 10}
	cmd := &cobra.Command{
		Use:     plan.Name + " [-o DIR] [--json]",
		Short:   plan.About,
		Long:    fmt.Sprintf(studyLong, plan.Name, plan.About),
		Example: "  fount load password " + plan.Name + " -o results",
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.make(cmd, plan) },
	}
	costFlag(cmd, &f.cost)
	timeFlag(cmd.Flags(), &f.duration, "duration", "d", "`TIME` of its runs ("+plan.Duration.String()+")", time.Hour)
	directory(cmd, &f.dir, "output", "o", "write a text and a JSON file into `DIR` too")
	jsonFlag(cmd, &f.json)
	return cmd
}

// check refuses what can't be measured or written, before anything is measured.
func (f *studyFlags) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("duration") && f.duration == 0 {
		return usagef("-d 0s leaves no time to run; use for example 5s")
	}
	return checkDirectory(f.dir)
}

// make makes the study, prints it, and writes its files. It prints the heading before it measures anything: an output that
// can't be written fails at once.
func (f *studyFlags) make(cmd *cobra.Command, plan logins.Plan) error {
	made := f.madeBy(plan.Name, machine.Inspect())
	heading := func(s show.Style) string { return plan.Heading(made, s) }
	if !f.json {
		if err := printResult(cmd, false, nil, heading); err != nil {
			return err
		}
	}
	line := progressOn(cmd, f.json)
	run := f.run
	if run == nil {
		run = func(ctx context.Context, c logins.Config) (logins.Report, error) {
			return runElsewhere[logins.Report](ctx, c, "load", "password", "run")
		}
	}
	named := func(ctx context.Context, c logins.Config) (logins.Report, error) {
		r, err := run(ctx, c)
		if r.Command = loadCommand(c); err != nil {
			err = fmt.Errorf("%s: %w", r.Command, err)
		}
		return r, err
	}
	found, err := plan.Find(cmd.Context(), logins.Terms{Cost: f.cost, Duration: f.duration, Run: named, Show: line.Show})
	line.Clear()
	if err != nil {
		return err
	}
	page := show.Style{Width: 118}
	err = errors.Join(printResult(cmd, f.json, found, found.Text), writeStudy(f.dir, "password-"+plan.Name, heading(page)+found.Text(page), found))
	if err == nil {
		err = found.Err()
	}
	return err
}

// madeBy says how the study was made: with the flags that are not as usual.
func (f *studyFlags) madeBy(name string, m machine.Facts) string {
	if f.cost != 10 {
		name += fmt.Sprintf(" --cost %d", f.cost)
	}
	if f.duration != 0 {
		name += fmt.Sprintf(" -d %v", f.duration)
	}
	return fmt.Sprintf("Made by: go run ./cmd/fount load password %s -o results (%s %s/%s, GOMAXPROCS %d, %s). "+
		"Each run differs.", name, m.GoVersion, runtime.GOOS, runtime.GOARCH, m.GOMAXPROCS, m.CPU)
}

// newAllStudies is the command that makes all studies.
func newAllStudies(names []string) *cobra.Command {
	var f studyFlags
	cmd := &cobra.Command{
		Use:   "all -o DIR",
		Short: "all of these, one after the other: half an hour",
		Long: "fount load password all: " + strings.Join(names, ", ") + ", one after the other.\n\n" +
			"They take half an hour and need the machine to themselves. If the conditions of one are not met, the\n" +
			"others are made all the same, and the exit status is 1.",
		Example: "  fount load password all -o results",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.dir == "" {
				return usagef("the directory of the results is missing; use for example -o results")
			}
			return makeAll(cmd, f.dir, names)
		},
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
	}
	directory(cmd, &f.dir, "output", "o", "write the text and JSON files into `DIR`")
	return cmd
}

// makeAll makes each study in a process of its own, so that none starts with the memory of another.
func makeAll(cmd *cobra.Command, dir string, names []string) error {
	var failed []string
	for _, name := range names {
		child, err := thisProgram(cmd.Context(), "load", "password", name, "-o", dir)
		if err != nil {
			return err
		}
		child.Stdout, child.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
		if err := child.Run(); err != nil {
			failed = append(failed, fmt.Sprintf("%s: %v", name, err))
		}
	}
	if failed != nil {
		return errors.New(strings.Join(failed, "; "))
	}
	return nil
}
