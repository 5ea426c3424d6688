// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password wrap: a store of weak hashes, safe in one pass, and the file that replaces it
// whole or not at all.

package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/lab/survey"
	"fount/internal/hashfile"
	"fount/internal/safedir"
	"fount/password"
	"fount/password/legacy"

	"github.com/spf13/cobra"
)

const passwordWrapLong = `fount password wrap: put each weak hash of a store inside of an argon2id,
without its password.

FILE, or standard input for -, is any file that fount password survey reads. It
is written to standard output, and nothing of it but hashes is changed. With -o
it replaces a file, which may be FILE itself, when all is on the disk. If
anything fails, or either file changes meanwhile, the old one stays as it is.

What is strong, wrapped already or no hash is written as it is, and a locked
account, behind ! or *, stays locked. Standard error counts the lines, and gives
the longest one's length: a column of a database may be too short.

A hash that several makers' forms read, as salted md5$ or sha1$, is refused
until --form says whose it is. Nothing tells a wrong one: the hash is lost, and
nobody signs in with it. So one user's known password is tried first, before
anything is written: --user names him, and the password comes from standard
input. On a terminal it asks for both.

Exit status 1 if a hash, whose line standard error names, can't be wrapped; if
none is, -o replaces nothing.`

// wrapFlags are the flags of fount password wrap.
type wrapFlags struct {
	policy password.Policy
	output string          // "": standard output
	form   password.Format // of hashes that several read; nil: such are refused
	column string          // of a CSV; "": lines
	user   string          // whose password is tried; "": on a terminal it asks
}

func newPasswordWrap() *cobra.Command {
	var f wrapFlags
	cmd := &cobra.Command{
		Use:   "wrap FILE|- [-o FILE] [--form FORM] [flags]",
		Short: "make a store of weak hashes safe at once",
		Long:  passwordWrapLong,
		Example: `  fount password wrap hashes -o hashes
  fount password wrap - --policy 'argon2id,m=65536,t=3' <htpasswd >htpasswd.new
  fount password wrap users.csv --csv password --form django --user ada -o new <secret`,
		Args: oneStore,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	policyFlag(cmd, &f.policy, usualPolicy)
	filled(cmd.Flags(), &f.output, "output", "o", "replace `FILE` when all is done", "file name; use for example hashes")
	must(cmd.MarkFlagFilename("output"))
	names := legacy.Names()
	form := func(s string) (password.Format, bool) {
		f, err := legacy.Form(s)
		return f, err == nil
	}
	value(cmd.Flags(), &f.form, "form", "", "take a hash that several makers' forms read for one of `FORM`",
		form, "a form: want one of "+strings.Join(names, ", "))
	must(cmd.RegisterFlagCompletionFunc("form", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)))
	csvFlag(cmd, &f.column)
	userFlag(cmd, &f.user, "first try `NAME`'s password, from standard input")
	return cmd
}

// try verifies one user's password with his hash as it would be wrapped.
func (f *wrapFlags) try(cmd *cobra.Command, policy password.Policy, store *store) error {
	user, in := f.user, cmd.InOrStdin()
	switch {
	case user != "" && store.was == nil:
		return usagef("--user takes a password from standard input, and the store must be a FILE")
	case user == "" && store.was != nil && isTerminal(in):
		fmt.Fprint(cmd.ErrOrStderr(),
			"A user whose password you know, or his line's number, to try it first (Enter for none): ")
		text, _ := bufio.NewReader(in).ReadString('\n') // a terminal gives no more than a line
		user = strings.TrimSpace(text)
	}
	if user == "" {
		return nil
	}
	line, err := hashfile.NewReader(store, policy, f.column).Find(user)
	if err != nil {
		return store.explain(err)
	}
	whose := fmt.Sprintf("line %d, of the user %q", line.Number, user)
	wrapped, err := survey.Wrap(policy, f.form, line.Hash)
	switch {
	case err != nil:
		return store.explain(fmt.Errorf("%s, can't be wrapped: %w", whose, plain(err)))
	case wrapped == line.Hash:
		return store.explain(fmt.Errorf("%s, needs no wrapping; want a user with a weak hash", whose))
	}
	secret, err := readPassword(cmd, false)
	defer clear(secret)
	if err == nil {
		_, err = password.Verify(policy, secret, wrapped)
	}
	if errors.Is(err, password.ErrMismatch) {
		err = fmt.Errorf("the password is not that of %s, or its hash is of another form", whose)
	}
	if err == nil {
		_, err = store.Reader.(io.Seeker).Seek(0, io.SeekStart)
	}
	return plain(err)
}

func (f *wrapFlags) run(cmd *cobra.Command, name string) error {
	policy := readingAll(f.policy)
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
	if err := f.try(cmd, policy, in); err != nil {
		return err
	}
	var file *replacement // nil: standard output
	to := cmd.OutOrStdout()
	if f.output != "" {
		if file, err = newReplacement(f.output); err != nil {
			return err
		}
		defer file.drop()
		to = file
	} else if err := notItself(in, to); err != nil {
		return err
	}
	w := &wrapping{policy: policy, form: f.form}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	if file == nil {
		defer context.AfterFunc(ctx, stop)() // a second interrupt ends a write that nobody takes
	}
	var line *show.Progress
	if file != nil || !isTerminal(to) {
		line = progressOn(cmd, false)
	}
	out := bufio.NewWriter(to)
	err = w.run(ctx, hashfile.NewReader(in, policy, f.column), out, line)
	line.Clear()
	if flushed := out.Flush(); flushed != nil {
		err = flushed // lines that w counts are lost
		if file != nil {
			err = nameless(err) // which is a temporary one
		}
	} else {
		fmt.Fprintln(cmd.ErrOrStderr(), w.summary())
		if err != nil && ctx.Err() == nil {
			err = in.explain(err)
		}
	}
	var failed error
	if err == nil && w.failed > 0 {
		failed = fmt.Errorf("%s: line %d is the first whose hash can't be wrapped, and stays as it is: %w",
			in.called, w.firstFailed, w.firstError)
	}
	switch {
	case failed != nil && w.wrapped == 0:
		err = failed
	case err == nil && file != nil && in.was != nil && !unchanged(in.name, in.was):
		err = fmt.Errorf("%s has changed meanwhile", in.called)
	case err == nil && file != nil:
		err = file.replace()
	}
	return cmp.Or(f.failure(err), failed)
}

// failure says of an error what became of the output.
func (f *wrapFlags) failure(err error) error {
	if err == nil || isReaderGone(err) {
		return err
	}
	status, rest := statusFailed, ""
	if errors.Is(err, context.Canceled) {
		status, err, rest = statusInterrupted, errors.New("interrupted"), "; what is written are whole lines"
	}
	if f.output != "" {
		rest = "; " + f.output + " is not replaced"
	}
	return &exitError{status, err.Error() + rest}
}

// notItself refuses to write a store onto itself, which the shell may have emptied already.
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
	return usagef("standard output is the file of %s; use -o in place of >", in.called)
}

// A wrapping is one pass over a store. As many lines as there are cores are in memory.
type wrapping struct {
	policy password.Policy
	form   password.Format // of wrapFlags

	lines, wrapped, strong, other, failed, longest int
	firstFailed                                    int64 // a line's number
	firstError                                     error
}

// A wrappedLine is what becomes of a line.
type wrappedLine struct {
	number int64
	text   string
	err    error // nil: its hash was wrapped
}

// run writes the lines of in to out, in their order. Once ctx is done it does not wait for in.
func (w *wrapping) run(ctx context.Context, in *hashfile.Reader, out io.Writer, line *show.Progress) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results, end := make(chan chan wrappedLine, runtime.GOMAXPROCS(0)), make(chan error, 1)
	go func() { end <- w.read(ctx, in, results) }()
	shown := time.Now()
	for {
		var result chan wrappedLine
		select {
		case result = <-results:
		case <-ctx.Done():
			return ctx.Err()
		}
		if result == nil { // the last has been written
			return <-end
		}
		done := <-result
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.count(done)
		if _, err := io.WriteString(out, done.text); err != nil {
			return err
		}
		if time.Since(shown) > time.Second/5 {
			shown = time.Now()
			line.Show(show.Count(int64(w.lines)) + " lines")
		}
	}
}

// read has a goroutine for each line that is on its way. Their results are in the lines' order.
func (w *wrapping) read(ctx context.Context, in *hashfile.Reader, results chan<- chan wrappedLine) error {
	defer close(results)
	for line, err := range in.All() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		result := make(chan wrappedLine, 1)
		select {
		case results <- result:
			go func() { result <- w.wrap(line) }()
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// What is written as it is.
var (
	errNoHash = errors.New("no hash")
	errStrong = errors.New("strong, or wrapped before")
)

// wrap returns the line with its hash wrapped, or as it is.
func (w *wrapping) wrap(line hashfile.Line) wrappedLine {
	text, err := "", cmp.Or(line.Err, errNoHash)
	if line.Hash != "" && line.Err == nil {
		text, err = survey.Wrap(w.policy, w.form, line.Hash)
	}
	switch {
	case err != nil:
		return wrappedLine{line.Number, line.Text(), err}
	case text == line.Hash:
		return wrappedLine{line.Number, line.Text(), errStrong}
	}
	return wrappedLine{line.Number, line.With(text), nil}
}

func (w *wrapping) count(line wrappedLine) {
	w.lines++
	w.longest = max(w.longest, len(strings.TrimRight(line.text, "\r\n")))
	switch {
	case line.err == nil:
		w.wrapped++
	case errors.Is(line.err, errStrong):
		w.strong++
	case errors.Is(line.err, errNoHash):
		w.other++
	default:
		w.failed++
		if w.failed == 1 {
			w.firstFailed, w.firstError = line.number, plain(line.err)
		}
	}
}

func (w *wrapping) summary() string {
	return fmt.Sprintf("%d wrapped, %d strong or wrapped before, %d without a hash, %d that can't be wrapped; the longest line has %d bytes",
		w.wrapped, w.strong, w.other, w.failed, w.longest)
}

// A replacement is written beside the file that it replaces.
type replacement struct {
	*os.File
	name string      // of the other, behind all links
	was  os.FileInfo // nil: there was none
}

// newReplacement makes an empty file with the owner, mode and attributes of the other, else mode
// 0600.
func newReplacement(name string) (*replacement, error) {
	r := &replacement{name: name}
	behind, err := filepath.EvalSymlinks(name)
	switch _, notLink := os.Readlink(name); {
	case err == nil:
		r.name = behind
		if r.was, err = os.Stat(behind); err != nil {
			return nil, err
		}
		if !r.was.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no regular file, and can't be replaced", name)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case notLink == nil:
		return nil, fmt.Errorf("%s is a link to a file that is not there; want the file's name", name)
	}
	r.File, err = os.CreateTemp(filepath.Dir(r.name), "."+filepath.Base(r.name)+".*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, nameless(err))
	}
	if r.was != nil {
		if err := cmp.Or(keepOwner(r.File, r.was), keepAttributes(r.File, r.name), r.Chmod(r.was.Mode())); err != nil {
			r.drop()
			return nil, fmt.Errorf("%s can't be replaced by a file like it: %w", name, nameless(err))
		}
	}
	return r, nil
}

// unchanged reports whether the file is what it was, or, if that is nil, not there.
func unchanged(name string, was os.FileInfo) bool {
	now, err := os.Stat(name)
	if was == nil || err != nil {
		return was == nil && errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(now, was) && now.Size() == was.Size() && now.ModTime().Equal(was.ModTime())
}

// replace puts the file in the other's place, unless that has changed since.
func (r *replacement) replace() error {
	if !unchanged(r.name, r.was) {
		return fmt.Errorf("%s has changed meanwhile", r.name)
	}
	if err := safedir.Replace(r.File, r.name); err != nil {
		return fmt.Errorf("%s: %w", r.name, nameless(err))
	}
	return nil
}

// drop removes the file, unless it has replaced the other.
func (r *replacement) drop() {
	r.Close()
	_ = os.Remove(r.Name()) // there is none after replace
}
