// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The command line of a run under load, and the process that makes one for a study.

package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"fount/lab/logins"

	"github.com/spf13/cobra"
)

// loadArgs are the arguments of fount that repeat a run.
func loadArgs(c logins.Config) []string {
	args := []string{"load", "password", "-m", c.Mechanism}
	add := func(flag string, value any) { args = append(args, flag, fmt.Sprint(value)) }
	if c.Engine != "" {
		add("--engine", c.Engine)
	}
	if c.Policy != logins.Bcrypt {
		add("--policy", c.Policy)
	} else {
		add("--cost", c.Cost)
	}
	if c.Open() {
		add("--rate", strconv.FormatFloat(c.Rate, 'g', -1, 64))
		if c.Seed != 0 {
			add("--seed", c.Seed)
		}
	} else {
		add("-c", c.Callers)
	}
	if c.Deadline != logins.Post().Deadline {
		add("--deadline", c.Deadline)
	}
	if c.HangUp {
		args = append(args, "--hang-up")
	}
	if c.Workers > 0 {
		add("-w", c.Workers)
	}
	if c.Mechanism == logins.Buffered {
		add("-b", c.Buffer)
	}
	if c.Memory > 0 {
		add("--memory", c.Memory)
	}
	add("-d", c.Duration)
	if c.Cut > 0 {
		add("--cut", c.Cut)
	}
	return args
}

// loadCommand is the command line that repeats a run.
func loadCommand(c logins.Config) string { return "fount " + strings.Join(loadArgs(c), " ") }

// newLoadRun is what a study runs itself by: one run, told on standard input.
func newLoadRun() *cobra.Command {
	return &cobra.Command{
		Use:   "run",
		Short: "one run of a study, which starts it and tells it what to do",
		Example: `  echo '{"mechanism": "pool", "policy": "bcrypt", "cost": 4, "callers": 2,
    "duration_ns": 1000000000, "deadline_ns": 1000000000}' |
    fount load password run`,
		Hidden: true,
		Args:   atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			f := loadFlags{json: true}
			dec := json.NewDecoder(cmd.InOrStdin())
			dec.DisallowUnknownFields() // of another version of this program
			if err := dec.Decode(&f.Config); err != nil {
				return fmt.Errorf("a run: %w", err)
			}
			return f.run(cmd)
		},
	}
}
