// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password: its subcommands, and the flags that they share.

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fount/cmd/fount/internal/survey"
	"fount/cmd/internal/policytext"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordLong = `fount password makes, verifies and inspects password hashes, and finds the hash that suits this
machine.

A POLICY is the name of an algorithm (bcrypt, argon2id, scrypt, pbkdf2-sha256, pbkdf2-sha512), then any parameters
that differ from OWASP's recommendation: bcrypt,cost=12 or argon2id,m=65536,t=3,p=4 (m in KiB).

All subcommands also read hashes of Django, PHP, crypt(3), Spring, LDAP and ASP.NET. New hashes are never made in
these forms.

A password is read from standard input, without its last newline, or at a prompt that does not show it. It is never an
argument: other users of the machine can see arguments, and the shell stores them.`

func newPassword() *cobra.Command {
	cmd := parent(&cobra.Command{
		Use:   "password COMMAND [flags]",
		Short: "hash and verify passwords, and read stores of hashes",
		Long:  passwordLong,
		Example: `  echo 'correct horse' | fount password hash >hash
  echo 'correct horse' | fount password verify --hash-file hash
  fount password inspect <hash`,
	}, "command", newPasswordHash(), newPasswordVerify(), newPasswordInspect(), newPasswordSurvey(), newPasswordWrap(), newPasswordCalibrate())
	cmd.Args = secretArgs("command", 0)
	return cmd
}

// secretArgs returns the Args of a command that takes at most n arguments. One too many may be a
// password, so the error does not repeat it. noun names what it should have been; "" if nothing.
func secretArgs(noun string, n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) <= n:
			return nil
		case noun != "":
			return usagef("no such %s; usage: %s", noun, cmd.UseLine())
		}
		return usagef("a password is not taken from the command line, where others see it; use standard input or the prompt")
	}
}

// oneStore checks the arguments of a command that reads a store. As an argument may be a hash, the
// error repeats none.
func oneStore(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("want one file, or - for standard input; usage: %s", cmd.UseLine())
	}
	return nil
}

// plain returns err without the prefix "password: ", as the command's name says that already.
func plain(err error) error {
	if err == nil {
		return nil
	}
	if text, ok := strings.CutPrefix(err.Error(), "password: "); ok {
		return errors.New(text)
	}
	return err
}

// policyFlag defines --policy, and sets *dst to the default policy.
func policyFlag(cmd *cobra.Command, dst *password.Policy) {
	set := func(s string) (err error) {
		*dst, err = policytext.Parse(s)
		return err
	}
	must(set(defaultPolicy))
	cmd.Flags().Func("policy", "`POLICY` of new hashes ("+defaultPolicy+"), such as bcrypt,cost=12", set)
	must(cmd.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions(policytext.Names, cobra.ShellCompDirectiveNoFileComp)))
}

// checkPolicy returns a usage error if p can make no hash. Commands call it before they read
// anything.
func checkPolicy(p password.Policy) error {
	if err := p.Check(""); err != nil {
		return usagef("--policy %s: %s", policytext.Of(p), strings.TrimPrefix(plain(err).Error(), "Policy: "))
	}
	return nil
}

// defaultPolicy names the policy that password.Default returns.
const defaultPolicy = "argon2id"

// storeFlags are the flags of commands that read stored hashes.
type storeFlags struct {
	policy password.Policy
	column string   // of a CSV file; "" if the file is none
	forms  []string // that are named
}

// addTo defines --policy, --csv and --form, whose usage differs.
func (f *storeFlags) addTo(cmd *cobra.Command, formUsage string) {
	policyFlag(cmd, &f.policy)
	textFlag(cmd.Flags(), &f.column, "csv", "", "read hashes from `COLUMN` of a CSV file",
		"column; use for example password, or 3")
	listFlag(cmd, &f.forms, "form", formUsage, func(s string) bool { return slices.Contains(survey.Forms, s) },
		"a form: want one of "+strings.Join(survey.Forms, ", "))
	must(cmd.RegisterFlagCompletionFunc("form", cobra.FixedCompletions(survey.Forms, cobra.ShellCompDirectiveNoFileComp)))
}

// readAsForm is the usual usage of --form.
const readAsForm = "read hashes that several programs write alike as `FORM` made them; repeat for more"

// listFlag defines a flag that may be repeated.
func listFlag(cmd *cobra.Command, dst *[]string, name, usage string, valid func(string) bool, want string) {
	cmd.Flags().Func(name, usage, func(s string) error {
		if !valid(s) {
			return fmt.Errorf("%q is not %s", s, want)
		}
		if !slices.Contains(*dst, s) {
			*dst = append(*dst, s)
		}
		return nil
	})
}

// withForms returns p with the forms of all makers, and of those named all that they write.
func withForms(p password.Policy, named ...string) password.Policy {
	formats, err := survey.Formats(named...)
	must(err) // --form has checked the names
	p.Formats = formats
	return p
}

// isUser reports whether --user may be s.
func isUser(s string) bool { return s != "" && !strings.ContainsAny(s, ":\r\n") }

const wantUser = "a name: want one without colon and newline"
