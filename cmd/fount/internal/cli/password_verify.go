// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password verify: whether a password matches a stored hash.

package cli

import (
	"errors"
	"fmt"

	"fount/password"

	"github.com/spf13/cobra"
)

const passwordVerifyLong = `fount password verify: read a password and say whether it matches a stored hash.

Exit status 0: it matches. 1: it does not. 2: it can't tell, because the hash is
malformed or asks for more work than the limits allow. It compares the hash with
--policy, and says if a match should be hashed anew. --json prints match,
needs_rehash, truncated. Put the hash between single quotes: the shell takes its
$ for variables. With --user, the file has lines of NAME:HASH, as htpasswd
writes them and /etc/shadow has them, one of them NAME's.`

func newPasswordVerify() *cobra.Command {
	var stored storedFlags
	cmd := &cobra.Command{
		Use:   "verify HASH | --hash-file FILE [flags]",
		Short: "check a password against a hash",
		Long:  passwordVerifyLong,
		Example: `  fount password verify --hash-file hash       asks for the password
  fount password verify --hash-file .htpasswd --user ada
  printf %s "$SECRET" | fount password verify '$2b$12$...'`,
		Args: secretArgs("", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPasswordVerify(cmd, args, stored)
		},
	}
	stored.addTo(cmd)
	return cmd
}

// A verifyReport is what --json prints.
type verifyReport struct {
	Match       bool `json:"match"`
	NeedsRehash bool `json:"needs_rehash"`
	Truncated   bool `json:"truncated"`
}

func runPasswordVerify(cmd *cobra.Command, args []string, stored storedFlags) error {
	policy := readingAll(stored.policy)
	encoded, err := stored.read(cmd, args, false)
	if err != nil {
		return undecided(err)
	}
	if encoded == "" {
		return undecided(password.ErrMalformed)
	}
	if err := policy.Check(encoded); err != nil { // before it asks for a password
		return undecided(err)
	}
	secret, err := readPassword(cmd, false)
	defer clear(secret)
	if err != nil {
		return undecided(err)
	}
	if len(secret) == 0 {
		return undecided(errEmpty)
	}
	result, err := password.Verify(policy, secret, encoded)
	if err != nil && !errors.Is(err, password.ErrMismatch) {
		return undecided(err)
	}
	if printed := printVerify(cmd, result, err == nil, stored.asJSON); isReaderGone(printed) {
		return printed
	} else if printed != nil {
		return undecided(printed)
	}
	if err != nil {
		return &exitError{statusFailed, "mismatch"}
	}
	return nil
}

// undecided is the error of a check that found neither a match nor a mismatch.
func undecided(err error) error {
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit
	}
	return &exitError{statusUsage, plain(err).Error()}
}

func printVerify(cmd *cobra.Command, r password.Result, match, asJSON bool) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return printJSON(out, verifyReport{match, r.NeedsRehash, r.Truncated})
	}
	if !match {
		return nil // the message says it
	}
	text := "match\n"
	if r.Truncated {
		text += "truncated: the hash is of the first 72 bytes of the password\n"
	}
	if r.NeedsRehash {
		text += "needs rehash: it should be replaced by one of the policy\n"
	}
	_, err := fmt.Fprint(out, text)
	return err
}
