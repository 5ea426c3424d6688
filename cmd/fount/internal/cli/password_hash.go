// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password hash: the hash of a password.

package cli

import (
	"errors"
	"fmt"

	"fount/cmd/internal/policytext"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordHashLong = `fount password hash reads a password and prints its hash in the form to store.

On a terminal it asks for the password twice. If the policy is below OWASP's minimum, it warns on standard error. Exit
status 1 if the policy refuses the password: bcrypt takes at most 72 bytes.`

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
	policyFlag(cmd, &policy)
	return cmd
}

var errEmpty = errors.New("the password is empty; want one on standard input or at the prompt")

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
