// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount load: a password check under load, as the tool of the bcrypt load post.

package cli

import (
	"fmt"
	"time"

	"fount/lab/logins"

	"github.com/spf13/cobra"
)

const loadLong = `fount load compares a password with its bcrypt for a while, and says what callers get and what is left for the rest of
the process. The flags -m, -c, -w, -b and -d, their defaults and the first two lines are those of the bcrypt load post:
-c goroutines ask again when they have an answer; those of buffered, as in the post, when the channel has taken what
they asked. The run waits for compares under way at its end: "compares that ended" counts them, the first two lines do
not. With --rate, requests arrive at random (a Poisson process), and latency counts from the intended start.

Mechanisms: max_out (each on its own goroutine at once), buffered (workers behind a channel), semaphore, and pool
(fount/password's, several bcrypts at once on a core). fount bench logins runs all of them.`

// loadFlags are the flags of fount load.
type loadFlags struct {
	logins.Config
	json bool
}

func newLoad() *cobra.Command {
	cmd := loadCommand("load", "what callers of a password check get under load")
	old := loadCommand("password", "the same, by its name in the post")
	old.Hidden = true
	cmd.AddCommand(old)
	return cmd
}

func loadCommand(name, short string) *cobra.Command {
	f := loadFlags{Config: logins.Post()}
	cmd := &cobra.Command{
		Use:   name + " [-m MECHANISM] [-c N | --rate N] [-d TIME] [flags]",
		Short: short,
		Long:  loadLong,
		Example: `  fount load -c 90 -m max_out                            90 goroutines, as in the post
  fount load -m pool --rate 100 --deadline 500ms         100 requests a second`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	choice(cmd, &f.Mechanism, "mechanism", "m", "`NAME` of a mechanism ("+f.Mechanism+")", "a mechanism", logins.Mechanisms...)
	number(flags, &f.Callers, "callers", "c", "`N` callers of the closed loop (15)", 1, 1e6, "number of callers; use for example 15")
	number(flags, &f.Buffer, "buffer", "b", "`N` compares fit the channel of buffered (15)", 0, 1e6,
		"number of compares; use for example 15")
	number(flags, &f.Workers, "workers", "w", "`N` workers or places (GOMAXPROCS; buffered: 1)", 1, 1e4,
		"number of workers; use for example 2")
	timeFlag(flags, &f.Duration, "duration", "d", "`TIME` of the run (5s)", time.Hour)
	rateFlag(flags, &f.Rate, "`N` requests a second, in an open loop", "", "100")
	timeFlag(flags, &f.Deadline, "deadline", "", "`TIME` after which an answer is too late (1s)", time.Hour)
	costFlag(cmd, &f.Cost)
	jsonFlag(cmd, &f.json)
	return cmd
}

// mostCost is the most that the usual password.Limits allow less one, 2 s.
const mostCost = 15

// costFlag defines --cost.
func costFlag(cmd *cobra.Command, dst *int) {
	number(cmd.Flags(), dst, "cost", "", "`N` of bcrypt (10)", 4, mostCost, "cost of bcrypt; use for example 10")
}

// check refuses flags that exclude each other. The post's program takes -b and -w with any -m, and so does this one.
func (f *loadFlags) check(cmd *cobra.Command) error {
	set := cmd.Flags().Changed
	switch {
	case set("rate") && set("callers"):
		return usagef("-c is of the closed loop and --rate of the open one; use one of them")
	case f.Deadline == 0:
		return usagef("--deadline 0s makes every answer late; use for example 1s")
	case f.Duration == 0:
		return usagef("-d 0s leaves no time to run; use for example 5s")
	}
	if f.Mechanism == logins.MaxOut {
		f.Workers = 0
	}
	return nil
}

func (f *loadFlags) run(cmd *cobra.Command) error {
	line := progressOn(cmd, f.json)
	r, err := f.Run(cmd.Context(), line.Show)
	line.Clear()
	if err != nil {
		return err
	}
	err = printResult(cmd, f.json, r, r.Text)
	if err == nil && r.Failed > 0 {
		return fmt.Errorf("%d of %d compares failed, the first with: %s", r.Failed, r.Submitted, r.Failure)
	}
	return err
}
