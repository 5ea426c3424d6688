// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password: the functions that its subcommands share, and where passwords come from.

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"fount/cmd/fount/internal/survey"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/policytext"
	"fount/password"

	"github.com/spf13/cobra"
	"golang.org/x/term"
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

// formFlag defines --form, which may be repeated.
func formFlag(cmd *cobra.Command, dst *[]string, usage string) {
	listFlag(cmd, dst, "form", usage, func(s string) bool { return slices.Contains(survey.Forms, s) },
		"a form: want one of "+strings.Join(survey.Forms, ", "))
	must(cmd.RegisterFlagCompletionFunc("form", cobra.FixedCompletions(survey.Forms, cobra.ShellCompDirectiveNoFileComp)))
}

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
	must(err) // formFlag has checked the names
	p.Formats = formats
	return p
}

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
			secret, err := prompt(cmd, in.(*os.File), "Password of "+user+": ")
			secrets = append(secrets, secret)
			if err != nil {
				return secrets, err
			}
		}
		return secrets, nil
	}

	all, err := readSecret(in)
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", nameless(err))
	}
	for line := range bytes.SplitSeq(all, []byte("\n")) {
		secrets = append(secrets, bytes.TrimSuffix(line, []byte("\r")))
	}

	if len(secrets) != len(users) {
		err = fmt.Errorf("standard input has %d lines; want the passwords of %d users, one a line", len(secrets), len(users))
	}
	return secrets, err
}

// readPassword returns a password: all of standard input, without the newline that echo or an
// editor adds. On a terminal it asks at a prompt that shows nothing, and if again is true, a second
// time. The caller must clear the result.
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

// prompt asks on standard error, as standard output is for results.
func prompt(cmd *cobra.Command, terminal *os.File, text string) ([]byte, error) {
	fmt.Fprint(cmd.ErrOrStderr(), text)
	secret, err := term.ReadPassword(int(terminal.Fd()))
	fmt.Fprintln(cmd.ErrOrStderr())
	return secret, err
}

// readSecret returns all that r has, without its last newline or carriage return and newline.
func readSecret(r io.Reader) ([]byte, error) {
	buf := make([]byte, maxInput+1) // a buffer that does not grow leaves no copies
	n, err := io.ReadFull(r, buf)
	if err == nil {
		clear(buf)
		return nil, fmt.Errorf("more than %s, too much for a password or a hash", show.Size(maxInput))
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

// A store is an open file of hashes.
type store struct {
	io.Reader
	called string      // its name in errors
	name   string      // if it is a regular file
	was    os.FileInfo // of a regular file when it was opened, else nil
}

// openStore opens the file called name, or standard input if that is "-". If the name may be a
// hash, errors call it FILE.
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
		s.name = name
		s.was = info
	}
	return s, nil
}

// explain returns err with the file's name before it.
func (s *store) explain(err error) error {
	return fmt.Errorf("%s: %w", s.called, plain(nameless(err)))
}

// nameless returns err without the name of the file.
func nameless(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// close closes the file. It ignores the error, as the file was only read.
func (s *store) close() {
	if file, ok := s.Reader.(*os.File); ok {
		file.Close()
	}
}

// csvFlag defines --csv.
func csvFlag(cmd *cobra.Command, dst *string) {
	textFlag(cmd.Flags(), dst, "csv", "", "read hashes from `COLUMN` of a CSV file", "column; use for example password, or 3")
}

// isUser reports whether --user may be s.
func isUser(s string) bool { return s != "" && !strings.ContainsAny(s, ":\r\n") }

const wantUser = "a name: want one without colon and newline"
