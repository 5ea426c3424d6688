// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount load password: one run of the load generator.

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"fount/lab/logins"
	"fount/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const loadPasswordLong = `fount load password: compare a password with its hash for a while, and say what callers got
and what was left for the rest of the process. The defaults and the first two lines are those of the bcrypt load
post: -c goroutines that ask again when they have an answer. What is under way when the time is over is waited for,
and compares/s counts it, the first two lines do not. With --rate requests come when they come (a
Poisson process) and latency counts from the intended start. Mechanisms: max_out (each on its own goroutine at once),
buffered (workers behind a channel), semaphore, pool (fount/password's, a hash at a time per worker), and
pool+lanes (several bcrypts at once on a core). --json: command, config, gomaxprocs, compares, seconds,
submitted = good + late + refused + expired + failed + unanswered; offered_per_s, goodput_per_s,
finished_per_s, cores_used; latency, wait, service, refusal, heartbeat, endpoint (count, p50_ms, p99_ms,
p99_9_ms, max_ms); memory (base, peak), pool, failure. The commands below are whole studies.`

// loadFlags are the flags of fount load password.
type loadFlags struct {
	logins.Config
	json bool
}

func newLoadPassword() *cobra.Command {
	f := loadFlags{Config: logins.Post()}
	cmd := &cobra.Command{
		Use:   "password [-m MECHANISM] [-c N | --rate N] [-d TIME] [flags]",
		Short: "compare passwords in a closed or an open loop",
		Long:  loadPasswordLong,
		Example: `  fount load password -c 90 -m max_out           90 goroutines, as in the post
  fount load password -m pool --rate 100 -d 60s --cut 5s
  fount load password all -o docs/results        all studies: half an hour`,
		Args:    subcommandArgs("study"),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.addTo(cmd)
	addSubcommands(cmd, newStudies()...)
	cmd.AddCommand(newLoadRun())
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
	timeFlag(flags, &f.Duration, "duration", "d", "`TIME` of the run (5s)", time.Hour)
	timeFlag(flags, &f.Cut, "cut", "", "`TIME` at the start that does not count (0s)", time.Hour)
	flags.Func("memory", "`SIZE` that the pool's hashes may hold", f.setMemory)
	flags.Func("rate", "`N` requests a second, in an open loop", f.setRate)
	timeFlag(flags, &f.Deadline, "deadline", "", "`TIME` after which an answer is too late (1s)", time.Hour)
	flags.BoolVar(&f.HangUp, "hang-up", false, "leave at the deadline and tell nobody, as HTTP clients do; the pool has its defaults")
	choice(cmd, &f.Engine, "engine", "", "bcrypt outside the pool: `NAME` is x/crypto or fount",
		"an engine", logins.Engines...)
	flags.Func("seed", "`N` that repeats the arrivals (secure draws)", f.setSeed)
	number(flags, &f.Cost, "cost", "", "`N` of bcrypt (10)", 4, 16, "cost of bcrypt; use for example 10")
	flags.Func("policy", "`POLICY`, such as argon2id,m=19456,t=2 (bcrypt)", f.setPolicy)
	completePolicies(cmd)
	flags.BoolVar(&f.json, "json", false, "print one JSON object, and no progress")
}

func (f *loadFlags) setRate(s string) error {
	rate, err := strconv.ParseFloat(s, 64)
	if err != nil || !(rate > 0) || rate > 1e6 {
		return fmt.Errorf("%q is not a rate above 0 and up to 1e6; use for example 100", s)
	}
	f.Rate = rate
	return nil
}

func (f *loadFlags) setMemory(s string) error {
	n, err := parseSize(s)
	if err == nil && n == 0 {
		err = fmt.Errorf("%q holds no hash; use for example 512M", s)
	}
	f.Memory = int64(n)
	return err
}

func (f *loadFlags) setSeed(s string) error {
	seed, err := strconv.ParseUint(s, 10, 64)
	if err != nil || seed == 0 {
		return fmt.Errorf("%q is not a seed, a whole number from 1 to %d; use for example 1", s, uint64(math.MaxUint64))
	}
	f.Seed = seed
	return nil
}

func (f *loadFlags) setPolicy(s string) error {
	if _, err := logins.ParsePolicy(s); err != nil {
		return err
	}
	f.Policy = s
	return nil
}

// check finds what excludes what.
func (f *loadFlags) check(cmd *cobra.Command) error {
	set := cmd.Flags().Changed
	switch {
	case set("rate") && set("callers"):
		return usagef("-c is of the closed loop and --rate of the open one; use one of them")
	case set("seed") && !set("rate"):
		return usagef("--seed is of the open loop; use it with --rate")
	case set("buffer") && f.Mechanism != logins.Buffered:
		return usagef("-b is the buffer of -m buffered, and -m is %s", f.Mechanism)
	case set("memory") && f.Mechanism != logins.Pool && f.Mechanism != logins.PoolLanes:
		return usagef("--memory is of -m pool, and -m is %s", f.Mechanism)
	case set("workers") && f.Mechanism == logins.MaxOut:
		return usagef("-w limits what runs at once, and -m max_out has no limit; use -m buffered, semaphore or pool")
	case f.HangUp && !set("rate"):
		return usagef("--hang-up is of the open loop; use it with --rate")
	case set("engine") && (f.Mechanism == logins.Pool || f.Mechanism == logins.PoolLanes):
		return usagef("--engine is of -m max_out, buffered and semaphore, and -m is %s", f.Mechanism)
	case set("engine") && f.Policy != logins.Bcrypt:
		return usagef("--engine is of --policy bcrypt, and the policy is %s", f.Policy)
	case set("cost") && f.Policy != logins.Bcrypt:
		return usagef("--cost is of --policy bcrypt, and the policy is %s", f.Policy)
	case f.Deadline == 0:
		return usagef("--deadline 0s answers nobody in time; use for example 1s")
	case f.Duration == 0:
		return usagef("-d 0s is no time to run; use for example 5s")
	case f.Cut >= f.Duration:
		return usagef("--cut %v leaves nothing of -d %v", f.Cut, f.Duration)
	}
	if f.Policy != logins.Bcrypt {
		f.Cost = 0
	}
	return nil
}

func (f *loadFlags) run(cmd *cobra.Command) error {
	line := progressOn(cmd, f.json)
	r, err := f.Run(cmd.Context(), func(p logins.Progress) { line.Show(loadProgress(p)) })
	line.Clear()
	if err != nil {
		return err
	}
	r.Command = loadCommand(f.Config)
	out := cmd.OutOrStdout()
	if f.json {
		err = printJSON(out, r)
	} else {
		_, err = io.WriteString(out, loadText(r, show.StyleOf(out, runtime.GOOS, os.Getenv)))
	}
	if err == nil && r.Failed > 0 {
		return fmt.Errorf("%d of %d compares failed, the first with: %s", r.Failed, r.Submitted, r.Failure)
	}
	return err
}

// loadProgress is one line: how far, and what became of the requests so far.
func loadProgress(p logins.Progress) string {
	line := fmt.Sprintf("%.0f of %.0f s: %d in time, %d late", p.Elapsed.Seconds(), p.Of.Seconds(), p.Good, p.Late)
	if p.Refused > 0 {
		line += fmt.Sprintf(", %d refused", p.Refused)
	}
	if p.Expired > 0 {
		line += fmt.Sprintf(", %d gave up", p.Expired)
	}
	if p.Left > 0 {
		line += fmt.Sprintf("; %d under way", p.Left)
	}
	return line
}

// progressOn is a line on the terminal that shows progress, nil if there is none or the output is for programs.
func progressOn(cmd *cobra.Command, asJSON bool) *show.Progress {
	if asJSON {
		return nil
	}
	for _, w := range []io.Writer{cmd.ErrOrStderr(), cmd.OutOrStdout()} {
		if isTerminal(w) {
			return show.NewProgress(w, show.StyleOf(w, runtime.GOOS, os.Getenv))
		}
	}
	return nil
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// loadText is the post's two lines, and what else was measured.
func loadText(r logins.Report, s show.Style) string {
	took := time.Duration(r.Seconds * float64(time.Second)).Round(time.Millisecond)
	text := fmt.Sprintf("number of compares: %d\ntime taken: %v\n\n", r.Compares, took)
	for _, sentence := range loadSentences(r) {
		text += show.Paragraph(sentence, s.Width, "", indent)
	}
	t := show.Table{Head: []string{"ms", "count", "p50", "p99", "p99.9", "greatest"}}
	for _, row := range []struct {
		name string
		of   *logins.Summary
	}{
		{"latency", r.Latency}, {"wait", r.Wait}, {"service", r.Service}, {"refusal", r.Refusal},
		{"heartbeat late", r.Heartbeat}, {"endpoint late", r.Endpoint},
	} {
		if of := row.of; of != nil {
			t.Rows = append(t.Rows, []string{row.name, strconv.FormatInt(of.Count, 10),
				millis(of.P50), millis(of.P99), millis(of.P999), millis(of.Max)})
		}
	}
	return text + "\n" + t.Fit(s.Width-len(indent), "p99.9", "count").String(indent)
}

// loadSentences say what became of the requests, and what it took.
func loadSentences(r logins.Report) []string {
	within := ""
	switch {
	case !r.Config.Open():
		within = fmt.Sprintf("%s compares/s until the last had ended, %s/s within %v.",
			show.PerSecond(*r.Finished), show.PerSecond(r.Goodput), r.Config.Deadline)
	case r.Finished == nil:
		within = fmt.Sprintf("Of %s requests/s, %s/s were answered within %v; %d compares were under way at the end.",
			show.PerSecond(r.Offered), show.PerSecond(r.Goodput), r.Config.Deadline, r.Unanswered)
	default:
		within = fmt.Sprintf("Of %s requests/s, %s/s were answered within %v; %s compares/s ended.",
			show.PerSecond(r.Offered), show.PerSecond(r.Goodput), r.Config.Deadline, show.PerSecond(*r.Finished))
	}
	counts := fmt.Sprintf("%d submitted: %d in time, %d late, %d refused, %d given up, %d failed, "+
		"%d without an answer at the end.",
		r.Submitted, r.Good, r.Late, r.Refused, r.Expired, r.Failed, r.Unanswered)
	sentences := []string{within, counts}
	used := fmt.Sprintf("GOMAXPROCS %d", r.GOMAXPROCS)
	if r.Cores > 0 {
		used += fmt.Sprintf(", %.2f cores used", r.Cores)
	}
	if r.Memory.Peak > 0 {
		used += fmt.Sprintf(", memory %s at its peak", formatSize(float64(r.Memory.Peak)))
		if r.Memory.Base > 0 {
			used += fmt.Sprintf(", %s before", formatSize(float64(r.Memory.Base)))
		}
	}
	return append(sentences, used+".")
}

// millis is a time in ms, "-" for none.
func millis(v *float64) string {
	if v == nil {
		return "-"
	}
	return show.MS(*v)
}

// timeFlag defines a flag for a time up to most.
func timeFlag(flags *pflag.FlagSet, dst *time.Duration, name, short, usage string, most time.Duration) {
	flags.FuncP(name, short, usage, func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 || d > most {
			return fmt.Errorf("%q is not a time from 0s to %s; use for example 5s", s, timeText(most))
		}
		*dst = d
		return nil
	})
}

// timeText is a time without parts that are 0: 1h for 1h0m0s.
func timeText(d time.Duration) string {
	text := d.String()
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}
