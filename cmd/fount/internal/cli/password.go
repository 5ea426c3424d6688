// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password: hashes of passwords. What its commands share.

package cli

import (
	"errors"
	"strings"

	"fount/internal/policytext"
	"fount/password"
	"fount/password/legacy"

	"github.com/spf13/cobra"
)

const passwordLong = `fount password: make, check and read hashes of passwords, and find the one that
suits this machine.

A policy is the name of an algorithm (bcrypt, argon2id, scrypt, pbkdf2-sha256,
pbkdf2-sha512), which stands for OWASP's figures, and what differs from them:
bcrypt,cost=12 or argon2id,m=65536,t=3,p=4 (m in KiB).

Verify and inspect read the forms of other makers too: Django, PHP, crypt(3),
Spring, LDAP and ASP.NET. New hashes are not made in them.

A password is read from standard input, without its last newline, or at a prompt
that does not show it. It is never an argument: other users of the machine can
see arguments, and the shell stores them.`

// newPassword is the command "fount password", which has commands of its own.
func newPassword() *cobra.Command {
	cmd := parent(&cobra.Command{
		Use:   "password hash|verify|inspect|survey|wrap|calibrate [flags]",
		Short: "hash, verify and inspect; which hash suits this machine",
		Long:  passwordLong,
		Example: `  echo 'correct horse' | fount password hash >hash
  echo 'correct horse' | fount password verify --hash-file hash
  fount password inspect <hash`,
	}, "command", newPasswordHash(), newPasswordVerify(), newPasswordInspect(), newPasswordSurvey(), newPasswordWrap(), newPasswordCalibrate())
	cmd.Args = secretArgs("command", 0)
	return cmd
}

// secretArgs is the Args of a command to which someone might give a password. It takes up to n arguments, and its error
// does not repeat the one that is too many. what is what that would have to be, "" for nothing.
func secretArgs(what string, n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) <= n:
			return nil
		case what != "":
			return usagef("no such %s; usage: %s", what, cmd.UseLine())
		}
		return usagef("a password is not taken from the command line, where others see it; use standard input or the prompt")
	}
}

// plain is err without the name of the library's package, which the command's name repeats.
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
	set := func(s string) (err error) {
		*dst, err = policytext.Parse(s)
		return err
	}
	must(set(usual))
	cmd.Flags().Func("policy", "`POLICY`, such as bcrypt or argon2id,m=65536,t=3 ("+usual+")", set)
	completePolicies(cmd)
}

// completePolicies completes --policy with each algorithm, as OWASP would have it.
func completePolicies(cmd *cobra.Command) {
	var all []cobra.Completion
	for _, name := range policytext.Names {
		p, err := policytext.Parse(name)
		must(err)
		all = append(all, name, cobra.CompletionWithDesc(policytext.Of(p), "OWASP's figures, to change"))
	}
	must(cmd.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp)))
}

// usualPolicy is the one that password.Default returns.
const usualPolicy = "argon2id"

// readingAll returns the policy with the forms of all makers: who asks about one hash has chosen it.
func readingAll(p password.Policy) password.Policy {
	p.Formats = legacy.All()
	return p
}
