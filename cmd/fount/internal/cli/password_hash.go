// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password hash and fount password calibrate: a new hash, and which hash suits this machine.

package cli

import (
	"errors"
	"fmt"
	"time"

	"fount/cmd/internal/bytesize"
	"fount/cmd/internal/lab/logins"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/policytext"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordHashLong = `fount password hash: read a password and print its hash, as it is stored.

At a prompt it asks for the password twice. Exit status 1 if the policy refuses
the password: bcrypt takes at most 72 bytes. With a policy below OWASP's minimum
it prints a warning on standard error too.`

func newPasswordHash() *cobra.Command {
	var policy password.Policy
	cmd := &cobra.Command{
		Use:   "hash [--policy POLICY]",
		Short: "make the hash of a password",
		Long:  passwordHashLong,
		Example: `  fount password hash                                   asks for the password
  printf %s "$SECRET" | fount password hash --policy 'bcrypt,cost=12'`,
		Args: secretArgs("", 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runPasswordHash(cmd, policy) },
	}
	policyFlag(cmd, &policy, usualPolicy)
	return cmd
}

var errEmpty = errors.New("the password is empty; standard input held none")

func runPasswordHash(cmd *cobra.Command, policy password.Policy) error {
	if err := checkPolicy(policy); err != nil {
		return err
	}
	secret, err := readPassword(cmd, true)
	defer clear(secret)
	if err != nil {
		return err
	}
	if len(secret) == 0 {
		return errEmpty
	}
	encoded, err := password.Hash(policy, secret)
	if err != nil {
		return plain(err)
	}
	if warning := policytext.Weakness(policy, encoded); warning != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: warning: %s\n", cmd.CommandPath(), warning)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), encoded)
	return err
}

const passwordCalibrateLong = `fount password calibrate: find the hardest hash that one core of this machine
makes in a given time, measure how many logins a second the pool does with it,
and say what a rate of logins needs.

Run it when you deploy, and write its policy into the configuration: at each
start it might find another. It counts CPU time, so other programs change little;
outside of Linux the policy is weaker on a busy machine. A policy never falls
below OWASP's minimum: if that takes longer than --target, it is printed with
exit status 1.`

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
	timeFlag(flags, &k.Target, "target", "", "`TIME` that one hash may take (250ms)", time.Millisecond, time.Minute)
	rateFlag(flags, &k.Rate, "`N/s`: logins a second to plan for", "/s", "50/s")
	value(flags, &k.Memory, "memory", "", "`SIZE` that running hashes may hold together, such as 512M", func(s string) (int64, bool) {
		n, err := bytesize.Parse(s)
		return n, err == nil && n > 0
	}, "a size that holds a hash; use for example 512M")
	policyFlag(cmd, &k.Policy, usualPolicy)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func runPasswordCalibrate(cmd *cobra.Command, k logins.Calibrator, asJSON bool) error {
	if err := checkPolicy(k.Policy); err != nil {
		return err
	}
	line := progressOn(cmd, asJSON)
	line.Show("looking for the policy, and making some seconds of hashes")
	c, err := k.Measure(cmd.Context())
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
