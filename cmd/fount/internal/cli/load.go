// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount load: a password check under load.

package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"fount/internal/policytext"
	"fount/lab/logins"

	"github.com/spf13/cobra"
)

func newLoad() *cobra.Command {
	return parent(&cobra.Command{
		Use:   "load password|recovery [flags]",
		Short: "what callers of a password check get under load",
		Example: `  fount load password --cost 4 -d 300ms
  fount load password -m pool --cost 4 --rate 2000 --deadline 100ms -d 300ms`,
	}, "load", newLoadPassword(), newLoadRecovery())
}

const loadPasswordLong = `fount load password: compare a password with its hash for a while, and say what callers get
and what is left for the rest of the process. The defaults and the first two lines are those of the bcrypt load
post: -c goroutines that each ask again when they have an answer; with --fan-in, as in the post, those of
buffered ask at once. max_out ignores -b and -w, as there. The run waits for compares under way at its end:
compares/s counts them, the first two lines do not. With --rate, requests arrive at random (a Poisson process),
and latency counts from the intended start. Mechanisms: max_out (each on its own goroutine at once),
buffered (workers behind a channel), semaphore, pool (fount/password's, one hash at a time per worker), and
pool+lanes (several bcrypts at once on a core). --json: command, config, gomaxprocs, compares, seconds,
submitted = good + late + refused + expired + failed + unanswered; offered_per_s, goodput_per_s,
finished_per_s, cores_used; latency, wait, service, refusal, heartbeat, endpoint (count, p50_ms, p99_ms,
p99_9_ms, max_ms); memory (base, peak), pool, failure.`

// loadFlags are the flags of fount load password.
type loadFlags struct {
	logins.Config
	metrics metricsAddress
	json    bool
}

func newLoadPassword() *cobra.Command {
	f := loadFlags{Config: logins.Post()}
	cmd := parent(&cobra.Command{
		Use:   "password [-m MECHANISM] [-c N | --rate N] [-d TIME] [flags]",
		Short: "compare passwords in a closed or an open loop",
		Long:  loadPasswordLong,
		Example: `  fount load password -c 90 -m max_out           90 goroutines, as in the post
  fount load password -m pool --rate 100 -d 60s --cut 5s
  fount load password all -o results        all studies: half an hour`,
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
	}, "study", append(newStudies(), newLoadRun())...)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.run(cmd) }
	f.addTo(cmd)
	return cmd
}

func (f *loadFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	choice(cmd, &f.Mechanism, "mechanism", "m", "`NAME` of a mechanism ("+f.Mechanism+")",
		"a mechanism", logins.Mechanisms...)
	number(flags, &f.Callers, "callers", "c", "`N` callers of the closed loop (15)", 1, 1e6,
		"number of callers; use for example 15")
	number(flags, &f.Buffer, "buffer", "b", "`N` compares fit the channel of buffered (15)", 0, 1e6,
		"number of compares; use for example 15")
	number(flags, &f.Workers, "workers", "w", "`N` workers or places (GOMAXPROCS; buffered: 1)", 1, 1e4,
		"number of workers; use for example 2")
	flags.BoolVar(&f.FanIn, "fan-in", false, "callers of buffered wait for no answer")
	timeFlag(flags, &f.Duration, "duration", "d", "`TIME` of the run (5s)", time.Hour)
	timeFlag(flags, &f.Cut, "cut", "", "`TIME` at the start that does not count (0s)", time.Hour)
	memoryFlag(flags, &f.Memory, "`SIZE` that the pool's hashes may hold")
	rateFlag(flags, &f.Rate, "`N` requests a second, in an open loop", "", "100")
	timeFlag(flags, &f.Deadline, "deadline", "", "`TIME` after which an answer is too late (1s)", time.Hour)
	flags.BoolVar(&f.HangUp, "hang-up", false, "leave unannounced at the deadline, as HTTP clients do")
	choice(cmd, &f.Engine, "engine", "", "bcrypt outside the pool: `NAME` is x/crypto or fount",
		"an engine", logins.Engines...)
	value(flags, &f.Seed, "seed", "", "`N` that repeats the arrivals (secure draws)", func(s string) (uint64, bool) {
		seed, err := strconv.ParseUint(s, 10, 64)
		return seed, err == nil && seed > 0
	}, fmt.Sprintf("a seed, a whole number from 1 to %d; use for example 1", uint64(math.MaxUint64)))
	costFlag(cmd, &f.Cost)
	flags.Func("policy", "`POLICY`, such as argon2id,m=19456,t=2 (bcrypt)", f.setPolicy)
	completePolicies(cmd)
	metricsFlag(flags, &f.metrics)
	jsonFlag(cmd, &f.json)
}

// mostCost is the BcryptCost of the usual password.Limits, which refuse to make a hash of more.
const mostCost = 15

// costFlag defines --cost.
func costFlag(cmd *cobra.Command, dst *int) {
	number(cmd.Flags(), dst, "cost", "", "`N` of bcrypt (10)", 4, mostCost, "cost of bcrypt; use for example 10")
}

func (f *loadFlags) setPolicy(s string) error {
	_, err := policytext.Parse(s)
	f.Policy = s
	return err
}

// check refuses flags that exclude each other.
func (f *loadFlags) check(cmd *cobra.Command) error {
	set := cmd.Flags().Changed
	pooled := f.Mechanism == logins.Pool || f.Mechanism == logins.PoolLanes
	switch {
	case set("rate") && set("callers"):
		return usagef("-c is of the closed loop and --rate of the open one; use one of them")
	case set("seed") && !set("rate"):
		return usagef("--seed is of the open loop; use it with --rate")
	case set("buffer") && f.Mechanism != logins.Buffered && f.Mechanism != logins.MaxOut:
		return usagef("-b is the buffer of -m buffered, and -m is %s", f.Mechanism)
	case f.FanIn && f.Mechanism != logins.Buffered:
		return usagef("--fan-in is of -m buffered, and -m is %s", f.Mechanism)
	case f.FanIn && set("rate"):
		return usagef("--fan-in is of the closed loop and --rate of the open one; use one of them")
	case set("memory") && !pooled:
		return usagef("--memory is of -m pool, and -m is %s", f.Mechanism)
	case set("metrics") && !pooled:
		return usagef("--metrics is of -m pool, and -m is %s", f.Mechanism)
	case f.HangUp && !set("rate"):
		return usagef("--hang-up is of the open loop; use it with --rate")
	case set("engine") && pooled:
		return usagef("--engine is of -m max_out, buffered and semaphore, and -m is %s", f.Mechanism)
	case set("engine") && f.Policy != logins.Bcrypt:
		return usagef("--engine is of --policy bcrypt, and the policy is %s", f.Policy)
	case set("cost") && f.Policy != logins.Bcrypt:
		return usagef("--cost is of --policy bcrypt, and the policy is %s", f.Policy)
	case f.Deadline == 0:
		return usagef("--deadline 0s makes every answer late; use for example 1s")
	case f.Duration == 0:
		return usagef("-d 0s leaves no time to run; use for example 5s")
	case f.Cut >= f.Duration:
		return usagef("--cut %v leaves nothing of -d %v", f.Cut, f.Duration)
	}
	if f.Policy != logins.Bcrypt {
		f.Cost = 0
	}
	if f.Mechanism == logins.MaxOut {
		f.Workers = 0 // the post's program takes -b and -w with any -m; this one has no use for them
	}
	return nil
}

func (f *loadFlags) run(cmd *cobra.Command) error {
	endpoint, err := f.metrics.open()
	if err != nil {
		return err
	}
	defer endpoint.Close()
	if endpoint != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: metrics at %s\n", cmd.CommandPath(), endpoint)
	}
	line := progressOn(cmd, f.json)
	r, err := f.RunShown(cmd.Context(), endpoint.show, func(p logins.Progress) { line.Show(p.String()) })
	line.Clear()
	if err != nil {
		return err
	}
	r.Command = loadCommand(f.Config)
	err = printResult(cmd, f.json, r, r.Text)
	if err == nil && r.Failed > 0 {
		return fmt.Errorf("%d of %d compares failed, the first with: %s", r.Failed, r.Submitted, r.Failure)
	}
	return err
}

// loadArgs are the arguments of fount that repeat a run.
func loadArgs(c logins.Config) []string {
	args := []string{"load", "password", "-m", c.Mechanism}
	add := func(given bool, flag string, value any) {
		if given {
			args = append(args, flag, fmt.Sprint(value))
		}
	}
	bcrypt, open := c.Policy == logins.Bcrypt, c.Open()
	add(c.Engine != "", "--engine", c.Engine)
	add(!bcrypt, "--policy", c.Policy)
	add(bcrypt, "--cost", c.Cost)
	add(open, "--rate", strconv.FormatFloat(c.Rate, 'g', -1, 64))
	add(open && c.Seed != 0, "--seed", c.Seed)
	add(!open, "-c", c.Callers)
	add(c.Deadline != logins.Post().Deadline, "--deadline", c.Deadline)
	if c.HangUp {
		args = append(args, "--hang-up")
	}
	add(c.Workers > 0, "-w", c.Workers)
	add(c.Mechanism == logins.Buffered, "-b", c.Buffer)
	if c.FanIn {
		args = append(args, "--fan-in")
	}
	add(c.Memory > 0, "--memory", c.Memory)
	add(true, "-d", c.Duration)
	add(c.Cut > 0, "--cut", c.Cut)
	return args
}

// loadCommand is the command line that repeats a run.
func loadCommand(c logins.Config) string { return "fount " + strings.Join(loadArgs(c), " ") }

// newLoadRun is the command a study runs in a process of its own, which reads its run from standard input.
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
			if err := readRun(cmd, &f.Config); err != nil {
				return err
			}
			return f.run(cmd)
		},
	}
}
