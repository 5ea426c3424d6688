// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password calibrate: which hash, on how many cores, in how much memory.

package cli

import (
	"fmt"
	"time"

	"fount/lab/logins"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const passwordCalibrateLong = `fount password calibrate: find the hardest hash that one core of this machine
makes in a given time, measure how many logins a second the pool does with it,
and say what a rate of logins needs.

It measures for some seconds and needs a quiet machine. Run it when you deploy,
and write its policy into the configuration. Do not run it at each start: it
would find another policy. A policy never falls below OWASP's minimum: if that
takes longer than --target, it is printed with exit status 1. --json: policy,
hash_ms, target_ms, missed_target, gomaxprocs, memory_each, memory_budget,
peak_logins_per_s, workers, rate, cores, memory, enough, sentences.`

func newPasswordCalibrate() *cobra.Command {
	k := logins.Calibrator{Target: 250 * time.Millisecond}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "calibrate [--target TIME] [--rate N/s] [--memory SIZE] [flags]",
		Short: "find the hash that suits this machine",
		Long:  passwordCalibrateLong,
		Example: `  fount password calibrate --target 250ms --rate 50/s --memory 512M
  fount password calibrate --policy bcrypt --target 100ms`,
		Args: secretArgs("argument", 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runPasswordCalibrate(cmd, k, asJSON) },
	}
	flags := cmd.Flags()
	timeFlag(flags, &k.Target, "target", "", "`TIME` that one hash may take (250ms)", time.Minute)
	rateFlag(flags, &k.Rate, "`N/s`: logins a second to plan for", "/s", "50/s")
	memoryFlag(flags, &k.Memory, "`SIZE` that running hashes may hold together, such as 512M")
	policyFlag(cmd, &k.Policy, usualPolicy)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func runPasswordCalibrate(cmd *cobra.Command, k logins.Calibrator, asJSON bool) error {
	if k.Target == 0 {
		return usagef(`--target "0s" is no time for a hash; use for example 250ms`)
	}
	line := progressOn(cmd, asJSON)
	c, err := k.Measure(cmd.Context(), line.Show)
	line.Clear()
	if err != nil {
		return plain(err)
	}
	err = printResult(cmd, asJSON, c, func(s show.Style) (text string) {
		for _, sentence := range c.Sentences {
			text += show.Paragraph(sentence, s.Width, "", show.Indent)
		}
		return text
	})
	if err == nil && c.Missed {
		return fmt.Errorf("%s missed its target: %.0f ms for a hash, and --target is %.0f ms", c.Policy, c.HashMS, c.TargetMS)
	}
	return err
}
