// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password wrap: makes a store of weak hashes safe in one pass, and replaces its file
// completely or not at all.

package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fount/cmd/fount/internal/survey"
	"fount/cmd/internal/lab/show"
	"fount/internal/hashfile"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordWrapLong = `fount password wrap hashes each weak hash of a store again with argon2id. It needs no
passwords but one or a few, which prove how the hashes were made.

FILE, or - for standard input, is any store that fount password survey reads. The new store is written to standard
output, and differs only in its hashes. With -o it replaces a file, which may be FILE itself, once it is on the disk.
If anything fails, or either file changes meanwhile, the old file stays as it is.

A hash that is wrapped as another form than its own is lost: no password matches it any more. So wrap never guesses.
It wraps the hashes that were made as one whose password you give with --user, and those of the form that you name with
--form. Name those whom you know, one for each form of the store; their passwords are read from standard input, one a
line, or at prompts. All others are copied, and standard error says what they are. Some forms several programs write,
each with another sum, such as salted MD5 in hexadecimal and bcrypt. One password says nothing of the others there:
they are wrapped only where they are named.

Strong hashes, wrapped hashes and other lines are copied. Accounts locked by ! or * stay locked. Standard error has
the number of lines and the length of the longest, as a database column may be too short.

Exit status 1 if a hash is not proven, or can't be wrapped; standard error names its line. If nothing is proven and
named, nothing is written.`

// wrapFlags are the flags of fount password wrap.
type wrapFlags struct {
	policy password.Policy
	output string   // if "", standard output
	forms  []string // that are wrapped without a proof
	column string   // of a CSV file; "" if the file is none
	users  []string // whose passwords prove forms; if there are no forms either, a terminal is asked
}

func newPasswordWrap() *cobra.Command {
	var f wrapFlags
	cmd := &cobra.Command{
		Use:   "wrap FILE|- [-o FILE] [--user NAME] [--form FORM] [flags]",
		Short: "make a store of weak hashes safe, without the passwords",
		Long:  passwordWrapLong,
		Example: `  fount password wrap hashes -o hashes --user ada
  fount password wrap users.csv --csv password --user ada --user bob -o new <secrets
  fount password wrap - --form joomla --policy 'argon2id,m=65536,t=3' <old >new`,
		Args: oneStore,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	policyFlag(cmd, &f.policy)
	textFlag(cmd.Flags(), &f.output, "output", "o", "write to `FILE`, and replace it when all is done", "file name; use for example hashes")
	must(cmd.MarkFlagFilename("output"))
	formFlag(cmd, &f.forms, "wrap the hashes that `FORM` made; repeat for more")
	csvFlag(cmd, &f.column)
	listFlag(cmd, &f.users, "user", "wrap hashes made as that of the user `NAME`, whose password is asked; repeat for more", isUser, wantUser)
	return cmd
}

// ask returns the users whose passwords prove forms.
func (f *wrapFlags) ask(cmd *cobra.Command, store *store) ([]string, error) {
	in := cmd.InOrStdin()
	switch {
	case len(f.users) > 0 && store.was == nil:
		return nil, usagef("--user takes a password from standard input, and the store must be a FILE")
	case len(f.users)+len(f.forms) > 0 || store.was == nil || !isTerminal(in):
		return f.users, nil
	}

	fmt.Fprint(cmd.ErrOrStderr(), "User, or line number, whose password to try first (Enter for none): ")
	text, _ := bufio.NewReader(in).ReadString('\n') // a terminal returns one line
	return strings.Fields(text), nil
}

// prove returns the rows of the users' hashes, which their passwords match once they are wrapped. A
// row that others write too is not proven by one.
func (f *wrapFlags) prove(cmd *cobra.Command, policy password.Policy, store *store) (map[survey.Row]bool, error) {
	users, err := f.ask(cmd, store)
	if err != nil || len(users) == 0 {
		return nil, err
	}

	var lines []hashfile.Line
	var wrapped []string
	for _, user := range users {
		line, err := hashfile.NewReader(store, policy, f.column).Find(user)
		if err == nil {
			_, err = store.Reader.(io.Seeker).Seek(0, io.SeekStart)
		}
		if err != nil {
			return nil, store.explain(err)
		}

		text, err := password.Wrap(policy, line.Hash)
		switch {
		case err != nil:
			return nil, store.explain(fmt.Errorf("%s, can't be wrapped: %w", whose(line, user), plain(err)))
		case text == line.Hash:
			return nil, store.explain(fmt.Errorf("%s, needs no wrapping; want a user with a weak hash", whose(line, user)))
		}
		lines = append(lines, line)
		wrapped = append(wrapped, text)
	}

	secrets, err := readPasswords(cmd, users)
	defer func() {
		for _, secret := range secrets {
			clear(secret)
		}
	}()
	if err != nil {
		return nil, err
	}

	proven := map[survey.Row]bool{}
	for i, secret := range secrets {
		_, err := password.Verify(policy, secret, wrapped[i])
		if errors.Is(err, password.ErrMismatch) {
			err = fmt.Errorf("the password is not that of %s, or its hash is of another form", whose(lines[i], users[i]))
		}
		if err != nil {
			return nil, plain(err)
		}
		if row := survey.RowOf(policy, lines[i].Hash); !row.Shared() {
			proven[row] = true
		}
	}
	return proven, nil
}

func whose(line hashfile.Line, user string) string {
	return fmt.Sprintf("line %d, of the user %q", line.Number, user)
}

func (f *wrapFlags) run(cmd *cobra.Command, name string) error {
	policy := withForms(f.policy, f.forms...)
	if policy.Algorithm != password.Argon2id {
		return usagef("--policy %v wraps nothing; use argon2id", policy.Algorithm)
	}
	if err := checkPolicy(policy); err != nil {
		return err
	}

	in, err := openStore(cmd, name)
	if err != nil {
		return err
	}
	defer in.close()

	proven, err := f.prove(cmd, policy, in)
	if err != nil {
		return err
	}

	w := &wrapping{policy: policy, named: f.forms, proven: proven, unproven: map[survey.Row]int64{}}
	if f.output != "" {
		return f.replace(cmd, w, in)
	}
	return f.print(cmd, w, in)
}

// print writes the new store to standard output.
func (f *wrapFlags) print(cmd *cobra.Command, w *wrapping, in *store) error {
	to := cmd.OutOrStdout()
	if err := notItself(in, to); err != nil {
		return err
	}

	ctx, stop := interruptible(cmd.Context())
	defer stop()
	defer context.AfterFunc(ctx, stop)() // a second interrupt ends a write that nobody reads

	var line *show.Progress
	if !isTerminal(to) {
		line = progressOn(cmd, false)
	}

	isHeld := len(w.proven)+len(w.named) == 0
	if !isHeld {
		if err := f.pass(ctx, cmd, w, in, to, line); err != nil {
			return f.failure(err)
		}
		return w.left(in)
	}

	held := heldOutput{w: w}
	if err := f.pass(ctx, cmd, w, in, &held, line); err != nil {
		return f.failure(err)
	}
	if left := w.left(in); left != nil {
		return f.failure(fmt.Errorf("%w; nothing is written", left))
	}

	_, err := held.lines.WriteTo(to)
	return f.failure(err)
}

// replace writes the new store to the file --output. What is left is an error even if the file was
// replaced.
func (f *wrapFlags) replace(cmd *cobra.Command, w *wrapping, in *store) error {
	file, err := newReplacement(f.output)
	if err != nil {
		return err
	}
	defer file.drop()

	ctx, stop := interruptible(cmd.Context())
	defer stop()
	if err := f.pass(ctx, cmd, w, in, file, progressOn(cmd, false)); err != nil {
		return f.failure(nameless(err)) // without the temporary file's name
	}

	left := w.left(in)
	switch {
	case left != nil && w.wrapped == 0:
		err = left
	case in.was != nil && !unchanged(in.name, in.was):
		err = fmt.Errorf("%s has changed meanwhile", in.called)
	default:
		err = file.replace()
	}
	return cmp.Or(f.failure(err), left)
}

// pass wraps the lines of in into out, and prints the summary.
func (f *wrapFlags) pass(
	ctx context.Context, cmd *cobra.Command, w *wrapping, in *store, out io.Writer, line *show.Progress,
) error {
	lines := bufio.NewWriter(out)
	err := w.run(ctx, hashfile.NewReader(in, w.policy, f.column), lines, line)
	line.Clear()
	if flushed := lines.Flush(); flushed != nil {
		return flushed // no summary: lines that w counted are lost
	}

	fmt.Fprintln(cmd.ErrOrStderr(), w.summary())
	if err != nil && ctx.Err() == nil {
		err = in.explain(err)
	}
	return err
}

// failure returns err with what became of the output.
func (f *wrapFlags) failure(err error) error {
	if err == nil || isReaderGone(err) {
		return err
	}

	status, rest := statusFailed, ""
	if errors.Is(err, context.Canceled) {
		status = statusInterrupted
		err = errors.New("interrupted")
		rest = "; all lines that were written are complete"
	}
	if f.output != "" {
		rest = "; " + f.output + " is not replaced"
	}
	return &exitError{status, err.Error() + rest}
}

// notItself returns a usage error if out is the file of in. The shell may have emptied it already.
func notItself(in *store, out io.Writer) error {
	from, isFile := in.Reader.(*os.File)
	to, isToo := out.(*os.File)
	if !isFile || !isToo {
		return nil
	}

	a, err := from.Stat()
	b, errToo := to.Stat()
	switch {
	case err != nil || errToo != nil || !a.Mode().IsRegular() || !os.SameFile(a, b):
		return nil
	case a.Size() == 0:
		return usagef("the shell has emptied %s before it was read; restore it from a copy, and use -o, not >", in.called)
	}
	return usagef("standard output is the file of %s; use -o instead of >", in.called)
}
