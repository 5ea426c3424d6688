// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password: hashes of passwords. What its commands have in common.

package cli

import (
	"errors"
	"strings"

	"fount/lab/logins"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordLong = `fount password: make, check and read hashes of passwords, and find what this machine can bear.

A policy is the name of an algorithm (bcrypt, argon2id, scrypt, pbkdf2-sha256, pbkdf2-sha512), which stands
for OWASP's figures, and what differs from them: bcrypt,cost=12 or argon2id,m=65536,t=3,p=4 (m in KiB).

A password is read from standard input, without its last newline, or at a prompt that does not show it. It is
never an argument: other users of the machine see those, and the shell keeps them.`

// newPassword is the command "fount password", which has commands of its own.
func newPassword() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "password hash|verify|inspect|calibrate [flags]",
		Short: "hash, verify and inspect; which hash this machine can bear",
		Long:  passwordLong,
		Example: `  echo 'correct horse' | fount password hash >hash
  echo 'correct horse' | fount password verify --hash-file hash
  fount password inspect <hash`,
		Args: secretArgs("command", 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return printHelp(cmd) },
	}
	addSubcommands(cmd, newPasswordHash(), newPasswordVerify(), newPasswordInspect(), newPasswordCalibrate())
	return cmd
}

// secretArgs is the Args of a command to which someone might give a password: it takes up to n arguments, and the
// message does not repeat what is too much. what is what one more would have to be, "" if there is nothing.
func secretArgs(what string, n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) <= n:
			return nil
		case what != "":
			return usagef("no such %s; usage: %s", what, cmd.UseLine())
		}
		return usagef("a password is not taken from the command line, where others see it; " +
			"use standard input or the prompt")
	}
}

// plain is err without the name of the library's package, which stands in the command's name already.
func plain(err error) error {
	if err == nil {
		return nil
	}
	if text, ok := strings.CutPrefix(err.Error(), "password: "); ok {
		return errors.New(text)
	}
	return err
}

// policyFlag defines --policy.
func policyFlag(cmd *cobra.Command, dst *password.Policy, usual string) {
	p, err := logins.ParsePolicy(usual)
	if err != nil {
		panic(err) // the caller's constant
	}
	*dst = p
	about := "`POLICY`, such as bcrypt or argon2id,m=65536,t=3 (" + usual + ")"
	cmd.Flags().Func("policy", about, func(s string) error {
		p, err := logins.ParsePolicy(s)
		if err != nil {
			return err
		}
		*dst = p
		return nil
	})
	completePolicies(cmd)
}

// completePolicies completes --policy with each algorithm, as OWASP would have it.
func completePolicies(cmd *cobra.Command) {
	var all []cobra.Completion
	for _, name := range logins.Policies {
		p, err := logins.ParsePolicy(name)
		if err != nil {
			panic(err) // a name of its own
		}
		all = append(all, name, cobra.CompletionWithDesc(logins.PolicyText(p), "OWASP's figures, to change"))
	}
	complete := cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("policy", complete); err != nil {
		panic(err) // the callers have defined it
	}
}

// usualPolicy is the one that password.Default returns.
const usualPolicy = "argon2id"
