// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password: what its commands share, and where passwords come from.

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/policytext"
	"fount/password"
	"fount/password/legacy"

	"github.com/spf13/cobra"
	"golang.org/x/term"
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
		Use:   "password COMMAND [flags]",
		Short: "hash, verify and inspect; which hash suits this machine",
		Long:  passwordLong,
		Example: `  echo 'correct horse' | fount password hash >hash
  echo 'correct horse' | fount password verify --hash-file hash
  fount password inspect <hash`,
	}, "command", newPasswordHash(), newPasswordVerify(), newPasswordInspect(), newPasswordSurvey(), newPasswordWrap(), newPasswordCalibrate())
	cmd.Args = secretArgs("command", 0)
	return cmd
}

// secretArgs is the Args of a command to which someone might give a password: up to n, and the
// error does not repeat the one too many. what is what that would have to be, "" for nothing.
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

// oneStore is the Args of a command that reads a store. The error does not repeat what may be a hash.
func oneStore(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("want one file, or - for standard input; usage: %s", cmd.UseLine())
	}
	return nil
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
	cmd.Flags().Func("policy", "`POLICY` ("+usual+"), such as bcrypt,cost=12", set)
	must(cmd.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions(policytext.Names, cobra.ShellCompDirectiveNoFileComp)))
}

// checkPolicy refuses a policy that makes no hash, before anything is asked or read.
func checkPolicy(p password.Policy) error {
	if err := p.Check(""); err != nil {
		return usagef("--policy %s: %s", policytext.Of(p), strings.TrimPrefix(plain(err).Error(), "Policy: "))
	}
	return nil
}

// usualPolicy is the one that password.Default returns.
const usualPolicy = "argon2id"

// readingAll returns the policy with the forms of all makers: who names a hash has chosen its form.
func readingAll(p password.Policy) password.Policy {
	p.Formats = legacy.All()
	return p
}

// mostInput bounds what is read of a password or a hash: a pipe may be endless.
const mostInput = 1 << 20

// readPassword reads standard input to its end, without the newline that echo or an editor adds;
// from a terminal, at a prompt that shows nothing, and twice if again is set. The caller wipes the
// result.
func readPassword(cmd *cobra.Command, again bool) ([]byte, error) {
	in := cmd.InOrStdin()
	f, ok := in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		secret, err := readSecret(in)
		if err != nil {
			err = fmt.Errorf("standard input: %w", nameless(err))
		}
		return secret, err
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
		return nil, fmt.Errorf("more than %s, too much for a password or a hash", show.Size(mostInput))
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

// A store is a file of hashes that is read.
type store struct {
	io.Reader
	called string      // in errors
	name   string      // of a regular file
	was    os.FileInfo // when it was opened; nil: it is none
}

// openStore opens the file, or standard input for "-". Errors call what may be a hash FILE.
func openStore(cmd *cobra.Command, name string) (*store, error) {
	if name == "-" {
		return &store{Reader: cmd.InOrStdin(), called: "standard input"}, nil
	}
	s := &store{called: name}
	if strings.ContainsAny(name, "${") {
		s.called = "FILE"
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, s.explain(err)
	}
	s.Reader = file
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		s.name, s.was = name, info
	}
	return s, nil
}

// explain names the file, once.
func (s *store) explain(err error) error {
	return fmt.Errorf("%s: %w", s.called, plain(nameless(err)))
}

// nameless is the error without the name of the file.
func nameless(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// close closes the file. What is read to its end has no error left to tell.
func (s *store) close() {
	if file, ok := s.Reader.(*os.File); ok {
		file.Close()
	}
}

// csvFlag defines --csv.
func csvFlag(cmd *cobra.Command, dst *string) {
	filled(cmd.Flags(), dst, "csv", "", "read the column `COLUMN` of a CSV", "column; use for example password, or 3")
}

// userFlag defines --user.
func userFlag(cmd *cobra.Command, dst *string, usage string) {
	value(cmd.Flags(), dst, "user", "", usage, func(s string) (string, bool) {
		return s, s != "" && !strings.ContainsAny(s, ":\r\n")
	}, "a name: want one without colon and newline")
}
