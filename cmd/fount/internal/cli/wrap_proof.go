// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password wrap: the proof of how the hashes of a store were made, by users' passwords.

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"fount/cmd/fount/internal/survey"
	"fount/internal/hashfile"
	"fount/password"

	"github.com/spf13/cobra"
)

// A sample is the line of a user whose password is known, and its hash once it is wrapped.
type sample struct {
	user    string
	line    hashfile.Line
	wrapped string
}

func (s sample) String() string {
	return fmt.Sprintf("line %d, of the user %q", s.line.Number, s.user)
}

// prove asks for the passwords of users, and returns the rows that they prove.
func (f *wrapFlags) prove(cmd *cobra.Command, policy password.Policy, in *store) (map[survey.Row]bool, error) {
	users, err := f.usersToAsk(cmd, in)
	if err != nil || len(users) == 0 {
		return nil, err
	}

	var samples []sample
	for _, user := range users {
		s, err := newSample(policy, in, f.column, user)
		if err != nil {
			return nil, in.explain(err)
		}
		samples = append(samples, s)
	}

	secrets, err := readPasswords(cmd, users)
	defer clearAll(secrets)
	if err != nil {
		return nil, err
	}
	return provenRows(policy, samples, secrets)
}

// usersToAsk returns the users of --user. If there are neither these nor forms, it asks on a
// terminal for one.
func (f *wrapFlags) usersToAsk(cmd *cobra.Command, in *store) ([]string, error) {
	isFile := in.was != nil
	isTold := len(f.users)+len(f.forms) > 0
	stdin := cmd.InOrStdin()

	switch {
	case len(f.users) > 0 && !isFile:
		return nil, usagef("--user takes a password from standard input, and the store must be a FILE")
	case isTold || !isFile || !isTerminal(stdin):
		return f.users, nil
	}

	fmt.Fprint(cmd.ErrOrStderr(), "User, or line number, whose password to try first (Enter for none): ")
	text, _ := bufio.NewReader(stdin).ReadString('\n') // a terminal returns one line
	return strings.Fields(text), nil
}

// newSample finds the user's line in a store, which must be a file, and wraps its hash.
func newSample(policy password.Policy, in *store, column, user string) (s sample, err error) {
	s.user = user
	s.line, err = hashfile.NewReader(in, policy, column).Find(user)
	if err != nil {
		return s, err
	}
	if _, err := asFile(in.Reader).Seek(0, io.SeekStart); err != nil {
		return s, err
	}

	s.wrapped, err = password.Wrap(policy, s.line.Hash)
	switch {
	case err != nil:
		return s, fmt.Errorf("%s, can't be wrapped: %w", s, plain(err))
	case s.wrapped == s.line.Hash:
		return s, fmt.Errorf("%s, needs no wrapping; want a user with a weak hash", s)
	}
	return s, nil
}

// provenRows returns the rows of the samples, each of which its password must match. A row that
// others write too is not proven by one.
func provenRows(policy password.Policy, samples []sample, secrets [][]byte) (map[survey.Row]bool, error) {
	proven := make(map[survey.Row]bool)
	for i, s := range samples {
		_, err := password.Verify(policy, secrets[i], s.wrapped)
		if errors.Is(err, password.ErrMismatch) {
			return nil, fmt.Errorf("the password is not that of %s, or its hash is of another form", s)
		}
		if err != nil {
			return nil, plain(err)
		}

		if row := survey.RowOf(policy, s.line.Hash); !row.Shared() {
			proven[row] = true
		}
	}
	return proven, nil
}
