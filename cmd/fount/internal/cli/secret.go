// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Passwords, from standard input or a prompt.

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"fount/cmd/internal/lab/show"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// maxInput is the greatest size of a password or a hash that is read: a pipe may be endless.
const maxInput = 1 << 20

// readPasswords returns the password of each user: the lines of standard input, or what is typed at
// prompts. The caller must clear the results, also beside an error.
func readPasswords(cmd *cobra.Command, users []string) (secrets [][]byte, err error) {
	in := cmd.InOrStdin()
	switch {
	case len(users) == 1:
		secret, err := readPassword(cmd, false)
		return [][]byte{secret}, err
	case isTerminal(in):
		for _, user := range users {
			secret, err := prompt(cmd, "Password of "+user+": ")
			secrets = append(secrets, secret)
			if err != nil {
				return secrets, err
			}
		}
		return secrets, nil
	}

	all, err := readSecret(in)
	if err != nil {
		return nil, err
	}
	for line := range bytes.SplitSeq(all, []byte("\n")) {
		secrets = append(secrets, bytes.TrimSuffix(line, []byte("\r")))
	}
	if len(secrets) != len(users) {
		err = fmt.Errorf("standard input has %d lines; want the passwords of %d users, one a line", len(secrets), len(users))
	}
	return secrets, err
}

// clearAll wipes the secrets.
func clearAll(secrets [][]byte) {
	for _, secret := range secrets {
		clear(secret)
	}
}

// readPassword returns a password: all of standard input, without the newline that echo or an
// editor adds. On a terminal it asks at a prompt that shows nothing, and if again is true, a second
// time. The caller must clear the result.
func readPassword(cmd *cobra.Command, again bool) ([]byte, error) {
	in := cmd.InOrStdin()
	if !isTerminal(in) {
		return readSecret(in)
	}

	first, err := prompt(cmd, "Password: ")
	if err != nil || !again {
		return first, err
	}

	second, err := prompt(cmd, "Again: ")
	defer clear(second)
	if err == nil && !bytes.Equal(first, second) {
		err = errors.New("the two passwords differ")
	}
	if err != nil {
		clear(first)
		return nil, err
	}
	return first, nil
}

// prompt asks on standard error, as standard output is for results, and reads from standard input,
// which must be a terminal.
func prompt(cmd *cobra.Command, text string) ([]byte, error) {
	terminal := asFile(cmd.InOrStdin())
	fmt.Fprint(cmd.ErrOrStderr(), text)
	secret, err := term.ReadPassword(int(terminal.Fd()))
	fmt.Fprintln(cmd.ErrOrStderr())
	return secret, err
}

// readSecret returns all that standard input has, without its last newline or carriage return and
// newline.
func readSecret(stdin io.Reader) ([]byte, error) {
	buf := make([]byte, maxInput+1) // a buffer that does not grow leaves no copies
	n, err := io.ReadFull(stdin, buf)
	isEnd := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	switch {
	case err == nil:
		clear(buf)
		return nil, fmt.Errorf("standard input: more than %s, too much for a password or a hash", show.Size(maxInput))
	case !isEnd:
		clear(buf)
		return nil, fmt.Errorf("standard input: %w", nameless(err))
	}

	secret, hasNewline := bytes.CutSuffix(buf[:n], []byte("\n"))
	if hasNewline {
		secret = bytes.TrimSuffix(secret, []byte("\r"))
	}
	return secret, nil
}
