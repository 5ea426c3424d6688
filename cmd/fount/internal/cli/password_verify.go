// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password verify: a password against a stored hash.

package cli

import (
	"errors"
	"io"
	"strings"

	"fount/internal/hashfile"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordVerifyLong = `fount password verify reads a password and says whether it matches a stored hash, and
whether --policy asks for a new hash.

HASH needs single quotes, as the shell takes $ for variables. FILE may be any store that fount password survey reads.
NAME is a user of that store, or a line number if its lines have no names.

Exit status 0 if the password matches, 1 if it does not. 2 if that can't be told: the hash is malformed, or asks for
more work than the limits allow.`

// verifyFlags are the flags of fount password verify.
type verifyFlags struct {
	storeFlags
	file string
	user string // whose line has the hash; "": the first line
}

func newPasswordVerify() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify HASH | --hash-file FILE [flags]",
		Short: "say whether a password matches a hash",
		Long:  passwordVerifyLong,
		Example: `  fount password verify --hash-file hash       asks for the password
  fount password verify --hash-file .htpasswd --user ada
  printf %s "$SECRET" | fount password verify '$2b$12$...'`,
		Args: secretArgs("", 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runPasswordVerify(cmd, args, f) },
	}

	f.addTo(cmd, readAsForm)
	textFlag(cmd.Flags(), &f.file, "hash-file", "", "read the hash from the first line of `FILE`",
		"file name; use for example hash")
	parsedFlag(cmd.Flags(), &f.user, "user", "", "read the hash from the line of the user `NAME`",
		func(s string) (string, bool) { return s, isUser(s) }, wantUser)
	return cmd
}

func runPasswordVerify(cmd *cobra.Command, args []string, stored verifyFlags) error {
	policy := withForms(stored.policy, stored.forms...)
	line, err := stored.read(cmd, args, policy)
	switch {
	case err != nil:
		return undecided(err)
	case line.Named() && stored.user == "":
		return usagef("the line is a user's, NAME:HASH; say whose hash with --user NAME")
	case line.Locked:
		return undecided(errors.New("the account is locked, by a mark before its hash"))
	}

	if err := policy.Check(line.Hash); err != nil { // before it asks for a password
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

	result, err := password.Verify(policy, secret, line.Hash)
	switch {
	case errors.Is(err, password.ErrMismatch):
		return &exitError{statusFailed, "mismatch"}
	case err != nil:
		return undecided(err)
	}

	err = printMatch(cmd.OutOrStdout(), result)
	if err != nil && !isReaderGone(err) {
		return undecided(err)
	}
	return err
}

// read returns the line that holds the hash: the argument, or a line of --hash-file.
func (f *verifyFlags) read(cmd *cobra.Command, args []string, policy password.Policy) (line hashfile.Line, err error) {
	isArgument := len(args) > 0
	isInFile := f.file != "" || f.user != "" || f.column != ""
	switch {
	case isArgument && isInFile:
		return line, usagef("HASH excludes --hash-file, --user and --csv; leave it or these out")
	case isArgument:
		return hashfile.NewReader(strings.NewReader(args[0]), policy, "").Find("")
	case f.file == "":
		return line, usagef("the stored hash is missing; usage: %s", cmd.UseLine())
	}

	store, err := openStore(cmd, f.file)
	if err != nil {
		return line, err
	}
	defer store.close()

	line, err = hashfile.NewReader(store, policy, f.column).Find(f.user)
	if err != nil {
		err = store.explain(err)
	}
	return line, err
}

// undecided returns the error of a check that found neither a match nor a mismatch.
func undecided(err error) error {
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit
	}
	return &exitError{statusUsage, plain(err).Error()}
}

func printMatch(out io.Writer, r password.Result) error {
	text := "match\n"
	if r.Truncated {
		text += "truncated: the hash is of the first 72 bytes of the password\n"
	}
	if r.NeedsRehash {
		text += "needs rehash: replace the hash by a new one of the policy\n"
	}
	_, err := io.WriteString(out, text)
	return err
}
