// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password hash: a new hash.

package cli

import (
	"errors"
	"fmt"

	"fount/internal/policytext"
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
	if err := policy.Check(""); err != nil { // before it asks for a password
		return plain(err)
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
	if info, err := password.Inspect(encoded); err == nil && info.BelowOWASP {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: warning: %s is below OWASP's minimum for %s; use it for tests only\n",
			cmd.CommandPath(), policytext.Of(policy), info.Name)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), encoded)
	return err
}
