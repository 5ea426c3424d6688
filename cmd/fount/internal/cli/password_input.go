// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Where passwords and hashes come from: standard input, a prompt without echo, a file.

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"fount/lab/show"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// mostInput bounds what is read of a password or a hash. No policy takes so long a password, and a pipe may be endless.
const mostInput = 1 << 20

// readPassword reads standard input to its end, without the newline that echo or an editor adds. If standard input is a
// terminal it reads at a prompt that does not show the password, twice if again is set. The caller wipes the result.
func readPassword(cmd *cobra.Command, again bool) ([]byte, error) {
	in := cmd.InOrStdin()
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return readSecret(in)
	}
	first, err := prompt(cmd, f, "Password: ")
	if err != nil || !again {
		return first, err
	}
	second, err := prompt(cmd, f, "Again: ")
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

// prompt asks on standard error: standard output is for the answer.
func prompt(cmd *cobra.Command, terminal *os.File, text string) ([]byte, error) {
	fmt.Fprint(cmd.ErrOrStderr(), text)
	secret, err := term.ReadPassword(int(terminal.Fd()))
	fmt.Fprintln(cmd.ErrOrStderr())
	return secret, err
}

// readSecret reads to the end and removes one newline, and a carriage return before it.
func readSecret(r io.Reader) ([]byte, error) {
	buf := make([]byte, mostInput+1) // one that does not grow leaves no copies behind
	n, err := io.ReadFull(r, buf)
	if err == nil {
		clear(buf)
		return nil, fmt.Errorf("standard input holds more than %s, too much for a password", show.Size(mostInput))
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		clear(buf)
		return nil, err
	}
	secret, cut := bytes.CutSuffix(buf[:n], []byte("\n"))
	if cut {
		secret = bytes.TrimSuffix(secret, []byte("\r"))
	}
	return secret, nil
}
