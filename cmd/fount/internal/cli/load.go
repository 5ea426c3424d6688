// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount load, a password check under load as the tool of the bcrypt load post, and fount live, some
// of its mechanisms in a browser.

package cli

import (
	"fmt"
	"slices"
	"time"

	"fount/cmd/internal/lab/live"
	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const loadLong = `fount load compares a password with its bcrypt for a while, and says what callers get and what is left for the rest of
the process. The flags -m, -c, -w, -b and -d, their defaults and the first two lines are those of the bcrypt load post:
-c goroutines ask again when they have an answer; those of buffered, as in the post, when the channel has taken what
they asked. All that was asked is followed until it is answered. With -d 0 each caller asks once, at the same time. With
--rate, requests arrive at random (a Poisson process), latency counts from the intended start, and what is due in the
first --deadline does not count.

Mechanisms: max_out (each on its own goroutine at once), buffered (workers behind a channel), semaphore (which, with
--rate, refuses what it could not answer in time), pool (fount/password's, several bcrypts at once on a core), and
one_lane (the pool without that). fount bench logins runs all of them.`

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
  fount load -c 32 -d 0 -m pool                          32 at once, as in fount doctor
  fount load -m pool --rate 100 --deadline 500ms         100 requests a second`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	value(flags, &f.Mechanism, "mechanism", "m", "`NAME` of a mechanism ("+f.Mechanism+")",
		func(s string) (string, bool) { return s, slices.Contains(logins.Mechanisms, s) },
		"a mechanism; use "+show.Choice(logins.Mechanisms))
	must(cmd.RegisterFlagCompletionFunc("mechanism",
		cobra.FixedCompletions(logins.Mechanisms, cobra.ShellCompDirectiveNoFileComp)))
	number(flags, &f.Callers, "callers", "c", "`N` callers of the closed loop (15)", 1, 1e6)
	number(flags, &f.Buffer, "buffer", "b", "`N` compares fit the channel of buffered (15)", 0, 1e6)
	number(flags, &f.Workers, "workers", "w", "`N` workers or places (GOMAXPROCS; buffered: 1)", 1, 1e4)
	timeFlag(flags, &f.Duration, "duration", "d", "`TIME` in which callers ask (5s); 0: each asks once", 0, time.Hour)
	rateFlag(flags, &f.Rate, "`N` requests a second, in an open loop", "", "100")
	timeFlag(flags, &f.Deadline, "deadline", "", "`TIME` after which an answer is too late (1s)", time.Millisecond, time.Hour)
	costFlag(flags, &f.Cost)
	jsonFlag(cmd, &f.json)
	return cmd
}

// costFlag defines --cost, up to one less than the usual password.Limits allow: 2 s a hash.
func costFlag(flags *pflag.FlagSet, dst *int) {
	number(flags, dst, "cost", "", "`N`, the cost of bcrypt (10)", 4, 15)
}

// check refuses flags that exclude each other. As in the post, -b and -w go with any -m.
func (f *loadFlags) check(cmd *cobra.Command) error {
	if set := cmd.Flags().Changed; set("rate") && set("callers") {
		return usagef("-c is of the closed loop and --rate of the open one; use one of them")
	}
	if f.Mechanism == logins.MaxOut {
		f.Workers = 0
	}
	if f.IsOpen() {
		if f.Duration == 0 {
			return usagef("-d 0 is of the closed loop and --rate of the open one; use for example -d 5s")
		}
		f.Cut = f.Deadline // until then callers still find the mechanism empty
		f.Duration += f.Cut
	}
	return nil
}

func (f *loadFlags) run(cmd *cobra.Command) error {
	line := progressOn(cmd, f.json)
	line.Show(fmt.Sprintf("callers ask for %v, and then wait for their answers", f.Duration))
	r, err := f.Run(cmd.Context())
	line.Clear()
	if err != nil {
		return err
	}
	err = printResult(cmd, f.json, r, r.Text)
	if err == nil && r.Failed > 0 {
		return fmt.Errorf("%d of %d compares failed, the first with: %s", r.Failed, r.Asked, r.Failure)
	}
	return err
}

const liveLong = `fount live hashes the same logins in three ways, each in a process with its part
of the cores: a goroutine for each, a semaphore that refuses what it could not
answer in time, and fount's pool; on one or two cores without the semaphore. It
serves a page on loopback, which shows as it happens how many are answered
within a second, are late or refused, and how long another request takes
meanwhile. A slider on it changes the load. Ctrl-C ends it.`

func newLive() *cobra.Command {
	rate, cost := 40, 10
	cmd := &cobra.Command{
		Use:     "live [--rate N] [--cost N]",
		Short:   "ways to hash logins, side by side in a browser",
		Long:    liveLong,
		Example: "  fount live --rate 80",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return live.Run(ctx, rate, cost, func(url string) { fmt.Fprintln(cmd.OutOrStdout(), url) })
		},
	}
	number(cmd.Flags(), &rate, "rate", "", "`N` logins a second at the start (40)", 1, live.MostRate)
	costFlag(cmd.Flags(), &cost)
	return cmd
}
