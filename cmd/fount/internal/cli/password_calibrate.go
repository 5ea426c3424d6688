// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password calibrate: which hash, on how many cores, in how much memory.

package cli

import (
	"context"
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
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordCalibrateLong = `fount password calibrate: find the hardest hash that one core of this machine makes in a
given time, measure how many logins a second the pool does with it, and say what a rate of logins needs.

It measures for some seconds and wants a quiet machine. Use it when you deploy, write its policy into the
configuration, and do not call it at each start, where it would find another. A policy never gets below OWASP's
minimum: if that takes longer than --target, it is printed with exit status 1. --json: policy, hash_ms, target_ms,
missed_target, gomaxprocs, memory_each, memory_budget, peak_logins_per_s, workers, rate, cores, memory, enough,
sentences.`

// calibrateFlags are the flags of fount password calibrate.
type calibrateFlags struct {
	policy password.Policy
	target time.Duration
	rate   float64 // 0: not asked
	memory uint64  // 0: the pool's own
	json   bool

	time func(compare func() error) (time.Duration, error) // timeOfOne, but in tests
}

func newPasswordCalibrate() *cobra.Command {
	f := calibrateFlags{target: 250 * time.Millisecond, time: timeOfOne}
	cmd := &cobra.Command{
		Use:   "calibrate [--target TIME] [--rate N/s] [--memory SIZE] [flags]",
		Short: "find the hash that this machine can bear",
		Long:  passwordCalibrateLong,
		Example: `  fount password calibrate --target 250ms --rate 50/s --memory 512M
  fount password calibrate --policy bcrypt --target 100ms`,
		Args: secretArgs("argument", 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	timeFlag(flags, &f.target, "target", "", "`TIME` that one hash may take (250ms)", time.Minute)
	flags.Func("rate", "`N/s`: logins a second that must be borne", f.setRate)
	flags.Func("memory", "`SIZE` that running hashes may hold together, such as 512M", f.setMemory)
	policyFlag(cmd, &f.policy, usualPolicy)
	flags.BoolVar(&f.json, "json", false, "print one JSON object, and no progress")
	return cmd
}

func (f *calibrateFlags) setRate(s string) error {
	rate, err := strconv.ParseFloat(strings.TrimSuffix(s, "/s"), 64)
	if err != nil || !(rate > 0) || rate > 1e6 {
		return fmt.Errorf("%q is not a rate above 0/s and up to 1e6/s; use for example 50/s", s)
	}
	f.rate = rate
	return nil
}

func (f *calibrateFlags) setMemory(s string) error {
	n, err := parseSize(s)
	if err == nil && n == 0 {
		err = fmt.Errorf("%q holds no hash; use for example 512M", s)
	}
	f.memory = n
	return err
}

// A calibration is what --json prints.
type calibration struct {
	Policy     string   `json:"policy"` // as --policy takes it
	HashMS     float64  `json:"hash_ms"`
	TargetMS   float64  `json:"target_ms"`
	Missed     bool     `json:"missed_target"`
	GOMAXPROCS int      `json:"gomaxprocs"`
	Each       int64    `json:"memory_each"`   // bytes that one hash holds
	Budget     int64    `json:"memory_budget"` // as given; 0: none was
	Peak       float64  `json:"peak_logins_per_s"`
	Rate       float64  `json:"rate,omitempty"`
	Cores      int      `json:"cores,omitempty"`  // that the rate needs
	Memory     int64    `json:"memory,omitempty"` // and the bytes
	Workers    int      `json:"workers"`          // of the pool that made them
	Enough     *bool    `json:"enough,omitempty"` // this machine is, for the rate
	Sentences  []string `json:"sentences"`

	least bool // the policy is the one that was to be made harder
}

func (f *calibrateFlags) run(cmd *cobra.Command) error {
	if f.target == 0 {
		return usagef(`--target "0s" is no time for a hash; use for example 250ms`)
	}
	line := progressOn(cmd, f.json)
	defer line.Clear()
	line.Show("looking for the policy")
	policy, err := f.policy.Calibrate(f.target)
	if err != nil {
		return plain(err)
	}
	c, err := f.measure(cmd.Context(), policy, line)
	if err != nil {
		return err
	}
	line.Clear()
	c.plan(f.rate)
	c.Sentences = c.sentences()
	if err := c.print(cmd.OutOrStdout(), f.json); err != nil {
		return err
	}
	if c.Missed {
		return fmt.Errorf("%s missed its target: %.0f ms for a hash, and --target is %.0f ms", c.Policy, c.HashMS, c.TargetMS)
	}
	return nil
}

func (c *calibration) print(out io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(out, c)
	}
	style := show.StyleOf(out, runtime.GOOS, os.Getenv)
	var text strings.Builder
	for _, s := range c.Sentences {
		text.WriteString(show.Paragraph(s, style.Width, "", indent))
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// timeOfOne returns how long one core takes: the lanes of an argon2 would run on several, and their time is none that the
// policy was found by.
func timeOfOne(compare func() error) (time.Duration, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	start := time.Now()
	err := compare()
	return time.Since(start), err
}

// alone times one hash.
func (f *calibrateFlags) alone(p password.Policy) (*calibration, error) {
	c := &calibration{
		Policy: policyText(p), TargetMS: f.target.Seconds() * 1000,
		GOMAXPROCS: runtime.GOMAXPROCS(0), Budget: int64(f.memory), least: policyText(p) == policyText(f.policy),
	}
	job, err := logins.NewJob(c.Policy, 0)
	if err != nil {
		return nil, err
	}
	info, err := password.Inspect(job.Encoded)
	if err != nil {
		return nil, err
	}
	c.Each = info.Bytes
	if c.Budget > 0 && c.Each > c.Budget {
		return nil, fmt.Errorf("one hash of %s holds %s, and --memory is %s; give more or another --policy",
			c.Policy, formatSize(float64(c.Each)), formatSize(float64(c.Budget)))
	}
	took, err := f.time(job.Compare)
	if err != nil {
		return nil, err
	}
	c.HashMS = took.Seconds() * 1000
	c.Missed = c.HashMS > 1.1*c.TargetMS // a tenth is noise
	return c, nil
}

// measure times one hash alone, and lets the pool do as many as it can for a while.
func (f *calibrateFlags) measure(ctx context.Context, p password.Policy, line *show.Progress) (*calibration, error) {
	c, err := f.alone(p)
	if err != nil {
		return nil, err
	}
	took := time.Duration(c.HashMS * float64(time.Millisecond))
	run := logins.Post()
	run.Mechanism, run.Policy, run.Cost, run.Callers = logins.PoolLanes, c.Policy, 0, 16*c.GOMAXPROCS
	run.Memory, run.Cut = int64(f.memory), took
	run.Duration = run.Cut + max(2*time.Second, 8*took)
	r, err := run.Run(ctx, func(p logins.Progress) {
		line.Show(fmt.Sprintf("%s: %.0f of %.0f s", c.Policy, p.Elapsed.Seconds(), p.Of.Seconds()))
	})
	if err != nil {
		return nil, err
	}
	c.Peak, c.Workers = *r.Finished, r.Pool.Workers
	return c, nil
}

// plan says what the rate needs: workers at the measured rate of one, and the cores that the pool keeps free; and
// memory for the hashes that are at work at once (Little's law), as each holds its own.
func (c *calibration) plan(rate float64) {
	if rate == 0 || c.Peak == 0 || c.Workers == 0 {
		return
	}
	c.Rate = rate
	c.Cores = int(math.Ceil(rate/c.Peak*float64(c.Workers))) + max(0, c.GOMAXPROCS-c.Workers)
	c.Memory = int64(math.Ceil(rate*c.HashMS/1000)) * c.Each
	enough := rate <= c.Peak
	c.Enough = &enough
}

func (c *calibration) sentences() []string {
	first := fmt.Sprintf("Use %s: one hash takes %.0f ms of a core here", c.Policy, c.HashMS)
	if c.Each > 0 {
		first += " and holds " + formatSize(float64(c.Each))
	}
	if c.Missed {
		first += fmt.Sprintf(", more than the %.0f ms that were asked for", c.TargetMS)
		if c.least {
			first += ", and nothing cheaper should be used"
		} else {
			first += ": the machine is busy, measure again when it is quiet"
		}
	}
	peak := fmt.Sprintf("Peak: %s logins/s on %s", show.PerSecond(c.Peak), coresText(c.GOMAXPROCS))
	if c.Budget > 0 && c.Each > 0 {
		peak += fmt.Sprintf(", %d at once in %s", c.Budget/c.Each, formatSize(float64(c.Budget)))
	}
	sentences := []string{first + ".", peak + "."}
	if c.Enough == nil {
		return sentences
	}
	needs := fmt.Sprintf("%s logins/s need %s", show.PerSecond(c.Rate), coresText(c.Cores))
	if c.Memory > 0 {
		needs += " and " + formatSize(float64(c.Memory))
	}
	if *c.Enough {
		needs += ": this machine bears them"
	} else {
		needs += ": more than this machine; take more of them, or a shorter --target"
	}
	return append(sentences, needs+".")
}

func coresText(n int) string {
	if n == 1 {
		return "1 core"
	}
	return fmt.Sprintf("%d cores", n)
}
