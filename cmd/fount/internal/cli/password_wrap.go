// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password wrap: makes a store of weak hashes safe in one pass, and replaces its file
// completely or not at all. wrap_proof.go says which hashes it takes, wrapping.go is the pass.

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

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
	storeFlags          // hashes of its forms are wrapped without a proof
	output     string   // if "", standard output
	users      []string // whose passwords prove forms; if there are no forms either, a terminal is asked
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
		Args:              oneStore,
		ValidArgsFunction: completeFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.addTo(cmd, "wrap the hashes that `FORM` made; repeat for more")
	textFlag(cmd.Flags(), &f.output, "output", "o", "write to `FILE`, and replace it when all is done",
		"file name; use for example hashes")
	listFlag(cmd, &f.users, "user", "wrap hashes made as that of the user `NAME`, whose password is asked; repeat for more", isUser, wantUser)
	return cmd
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

	w := &wrapping{policy: policy, named: f.forms, proven: proven}
	if f.output != "" {
		return f.replace(cmd, w, in)
	}
	return f.print(cmd, w, in)
}

// print writes the new store to standard output. If nothing is proven or named, it writes the store
// only if no hash is weak.
func (f *wrapFlags) print(cmd *cobra.Command, w *wrapping, in *store) error {
	stdout := cmd.OutOrStdout()
	if err := notItself(in, stdout); err != nil {
		return err
	}

	ctx, stop := interruptible(cmd.Context())
	defer stop()
	defer context.AfterFunc(ctx, stop)() // a second interrupt ends a write that nobody reads

	out := stdout
	held := heldOutput{w: w}
	isHeld := len(w.proven)+len(w.named) == 0
	if isHeld {
		out = &held
	}
	if err := f.pass(ctx, cmd, w, in, out); err != nil {
		return f.failure(err)
	}

	unwrapped := w.unwrapped(in)
	switch {
	case !isHeld:
		return unwrapped
	case unwrapped != nil:
		return f.failure(fmt.Errorf("%w; nothing is written", unwrapped))
	}
	_, err := held.lines.WriteTo(stdout)
	return f.failure(err)
}

// replace writes the new store to the file --output. What is not wrapped is an error even
// if the file was replaced.
func (f *wrapFlags) replace(cmd *cobra.Command, w *wrapping, in *store) error {
	file, err := newReplacement(f.output)
	if err != nil {
		return err
	}
	defer file.drop()

	ctx, stop := interruptible(cmd.Context())
	defer stop()
	if err := f.pass(ctx, cmd, w, in, file); err != nil {
		return f.failure(nameless(err)) // without the temporary file's name
	}

	unwrapped := w.unwrapped(in)
	hasChanged := in.was != nil && !unchanged(in.name, in.was)
	switch {
	case unwrapped != nil && w.of[lineWrapped] == 0:
		return f.failure(unwrapped)
	case hasChanged:
		return f.failure(fmt.Errorf("%s has changed meanwhile", in.called))
	}

	if err := file.replace(); err != nil {
		return f.failure(err)
	}
	return unwrapped
}

// pass wraps the lines of in into out, and prints the summary.
func (f *wrapFlags) pass(ctx context.Context, cmd *cobra.Command, w *wrapping, in *store, out io.Writer) error {
	progress := progressOn(cmd, isTerminal(out)) // where lines are shown, no progress is
	lines := bufio.NewWriter(out)
	err := w.run(ctx, hashfile.NewReader(in, w.policy, f.column), lines, progress)
	progress.Clear()
	if flushed := lines.Flush(); flushed != nil {
		return flushed // no summary: lines that w counted are lost
	}

	fmt.Fprintln(cmd.ErrOrStderr(), w.summary())
	if err != nil && ctx.Err() == nil {
		return in.explain(err)
	}
	return err
}

// failure returns err with what became of the output.
func (f *wrapFlags) failure(err error) error {
	if err == nil || isReaderGone(err) {
		return err
	}

	status := statusFailed
	outcome := ""
	if errors.Is(err, context.Canceled) {
		status = statusInterrupted
		err = errors.New("interrupted")
		outcome = "; all lines that were written are complete"
	}
	if f.output != "" { // then nobody sees the lines that were written
		outcome = "; " + f.output + " is not replaced"
	}
	return &exitError{status, err.Error() + outcome}
}

// notItself returns a usage error if out is the file of in. The shell may have emptied it already.
func notItself(in *store, out io.Writer) error {
	from, fromErr := asFile(in.Reader).Stat() // an error if it is no file
	to, toErr := asFile(out).Stat()
	isItself := fromErr == nil && toErr == nil && from.Mode().IsRegular() && os.SameFile(from, to)
	switch {
	case !isItself:
		return nil
	case from.Size() == 0:
		return usagef("the shell has emptied %s before it was read; restore it from a copy, and use -o, not >", in.called)
	}
	return usagef("standard output is the file of %s; use -o instead of >", in.called)
}
