// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount load recovery: how a login service comes back from an overload when its clients retry.

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"fount/lab/recovery"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const loadRecoveryLong = `fount load recovery overloads a login service for ten seconds, with clients that
try again, and measures how long it takes until new logins work again. Each run
is one service (max_out: a goroutine a login; semaphore; pool+lanes:
fount/password's Pool) and one way to wait between attempts: no jitter, jitter
from a clock seed or one seed for all, full jitter and decorrelated jitter of
fount/backoff; for the Pool also with clients that obey its Retry-After.

A run takes 20 to 45 s, all of them a quarter of an hour; they need the machine
to themselves. -o writes after each run, so that --resume can go on after a
break. --json prints one object: machine, runs, and of each its config,
capacity_per_s, clients, attempts, logged_in, gave_up, refused, timed_out,
wasted, recovery_s, peak, and slots of 100 ms.`

type recoveryFlags struct {
	dir    string
	cost   int
	runs   *regexp.Regexp
	quick  bool
	resume bool
	json   bool

	elsewhere recovery.Runner // a process for each run
}

func newLoadRecovery() *cobra.Command {
	f := recoveryFlags{cost: 10, elsewhere: func(ctx context.Context, c recovery.Config) (recovery.Result, error) {
		return runElsewhere[recovery.Result](ctx, c, "load", "recovery", "run")
	}}
	cmd := &cobra.Command{
		Use:   "recovery [--runs REGEXP] [--quick] [-o DIR [--resume]] [--json]",
		Short: "how a login service recovers while its clients retry",
		Long:  loadRecoveryLong,
		Example: `  fount load recovery -o results
  fount load recovery --runs pool -o results --resume
  fount load recovery --quick --runs 'pool.*full'`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check() },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	costFlag(cmd, &f.cost)
	expressionFlag(cmd.Flags(), &f.runs, "runs", "make the runs whose \"service, delays\" match `REGEXP` (all)")
	cmd.Flags().BoolVar(&f.quick, "quick", false, "a fifth of the time, for a first look")
	directory(cmd, &f.dir, "output", "o", "write recovery.txt, .json and .svg into `DIR` too")
	cmd.Flags().BoolVar(&f.resume, "resume", false, "keep the runs that recovery.json in the directory of -o has")
	jsonFlag(cmd, &f.json)
	cmd.AddCommand(newRecoveryRun())
	return cmd
}

// all is the runs of a whole study.
func (f *recoveryFlags) all() []recovery.Config {
	if f.quick {
		return recovery.Plan(f.cost, 5)
	}
	return recovery.Plan(f.cost, 1)
}

// plan is those that were asked for.
func (f *recoveryFlags) plan() []recovery.Config {
	return slices.DeleteFunc(f.all(), func(c recovery.Config) bool { return f.runs != nil && !f.runs.MatchString(c.Name()) })
}

func (f *recoveryFlags) check() error {
	if f.resume && f.dir == "" {
		return usagef("--resume goes on with a study in a directory; use for example -o results")
	}
	if err := checkDirectory(f.dir); err != nil {
		return err
	}
	if len(f.plan()) == 0 {
		return usagef("--runs %q matches no run; use for example pool", f.runs)
	}
	return nil
}

func (f *recoveryFlags) run(cmd *cobra.Command) error {
	study, err := f.begun()
	if err != nil {
		return err
	}
	line := progressOn(cmd, f.json)
	err = study.Make(cmd.Context(), f.plan(), f.elsewhere, line.Show, func() error { return f.write(study) })
	line.Clear()
	if err != nil {
		return err
	}
	return errors.Join(printResult(cmd, f.json, study, study.Text), f.write(study)) // also where nothing was left to do
}

// begun is the study to go on with.
func (f *recoveryFlags) begun() (s recovery.Study, err error) {
	if !f.resume {
		return s, nil
	}
	name := filepath.Join(f.dir, "recovery.json")
	object, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(object, &s)
	}
	if err == nil {
		err = s.Accepts(f.all())
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w; leave out --resume to begin anew", name, err)
	}
	return s, nil
}

// write writes the files.
func (f *recoveryFlags) write(study recovery.Study) error {
	made := "Made by: fount load recovery -o results"
	if f.cost != 10 {
		made += fmt.Sprintf(" --cost %d", f.cost)
	}
	if f.quick {
		made += " --quick"
	}
	return writeStudy(f.dir, "recovery", fmt.Sprintf("%s (%s %s/%s, GOMAXPROCS %d, %s). Each run differs.\n\n%s", made, study.GoVersion,
		runtime.GOOS, runtime.GOARCH, study.GOMAXPROCS, study.CPU, study.Text(show.Style{Width: 118})), study)
}

// newRecoveryRun is the command that the study runs in a process of its own, which reads its run from standard input.
func newRecoveryRun() *cobra.Command {
	return &cobra.Command{
		Use:   "run",
		Short: "one run of the study, which starts it and tells it what to do",
		Example: `  echo '{"service": "semaphore", "policy": "full jitter", "cost": 4, ...}' |
    fount load recovery run`,
		Hidden: true,
		Args:   atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var c recovery.Config
			if err := readRun(cmd, &c); err != nil {
				return err
			}
			r, err := recovery.Run(cmd.Context(), c)
			if err != nil {
				return err
			}
			return printJSON(cmd.OutOrStdout(), r)
		},
	}
}
