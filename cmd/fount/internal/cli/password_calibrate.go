// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password calibrate: the hash that suits this machine.

package cli

import (
	"errors"
	"fmt"
	"time"

	"fount/cmd/fount/internal/calibrate"
	"fount/cmd/internal/bytesize"
	"fount/cmd/internal/lab/show"

	"github.com/spf13/cobra"
)

const passwordCalibrateLong = `fount password calibrate finds the hardest hash that one core of this machine makes in
the time --target. It measures how many logins a second the pool serves with that hash, and says what --rate needs.

Run it on a quiet machine, and put the policy into the configuration: the next run may find another policy. Other
programs slow a hash through the caches, so if they left less than 0.9 of the core time, or of a CPU quota, or if the
system does not tell, it prints what it measured, chooses nothing, and exits with status 1. It does so too if the hash
that it found takes a tenth longer than --target: OWASP's minimum, below which no policy is, or one on a machine whose
speed varies.`

func newPasswordCalibrate() *cobra.Command {
	k := calibrate.Calibrator{Target: 250 * time.Millisecond}
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
	timeFlag(flags, &k.Target, "target", "", "maximum `TIME` of one hash (250ms)", time.Millisecond, time.Minute)
	rateFlag(flags, &k.Rate, "plan for `N/s` logins a second", "/s", "50/s")
	parsedFlag(flags, &k.Memory, "memory", "", "maximum `SIZE` of all running hashes together, such as 512M", func(s string) (int64, bool) {
		n, err := bytesize.Parse(s)
		return n, err == nil && n > 0
	}, "a size that holds a hash; use for example 512M")
	policyFlag(cmd, &k.Policy)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func runPasswordCalibrate(cmd *cobra.Command, k calibrate.Calibrator, asJSON bool) error {
	if err := checkPolicy(k.Policy); err != nil {
		return err
	}

	line := progressOn(cmd, asJSON)
	line.Show("looking for the policy, then hashing for some seconds")
	c, err := k.Measure(cmd.Context())
	line.Clear()
	if err != nil {
		return plain(err)
	}

	err = printResult(cmd.OutOrStdout(), asJSON, c, func(s show.Style) (text string) {
		for _, sentence := range c.Says {
			text += show.Paragraph(sentence, s.Width, "", show.Indent)
		}
		return text
	})

	switch {
	case err != nil:
		return err
	case c.Missed:
		return fmt.Errorf("no policy is chosen: %s took %.0f ms, and --target is %.0f ms", c.Tried, c.HashMS, c.TargetMS)
	case c.Policy == "":
		return errors.New("no policy is chosen beside other programs; try again when they are quiet")
	}
	return nil
}
