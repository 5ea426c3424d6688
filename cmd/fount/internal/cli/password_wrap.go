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

const passwordWrapLong = `fount password wrap hashes each weak hash of a store again with argon2id. It needs no
passwords.

FILE, or - for standard input, is any store that fount password survey reads. The new store is written to standard
output, and differs only in its hashes. With -o it replaces a file, which may be FILE itself, once it is on the disk.
If anything fails, or either file changes meanwhile, the old file stays as it is.

Strong hashes, wrapped hashes and other lines are copied. Accounts locked by ! or * stay locked. Standard error has
the number of lines and the length of the longest, as a database column may be too short.

Some hashes, such as salted md5$ or sha1$, have the form of several makers. They are refused unless --form names the
right maker. With the wrong maker such hashes are lost: no password matches them any more. To be sure, give --user and
that user's password on standard input: fount password wrap tries it before it writes anything. On a terminal it asks
for both.

Exit status 1 if a hash can't be wrapped; standard error names its line. If no hash was wrapped, -o replaces nothing.`

// wrapFlags are the flags of fount password wrap.
type wrapFlags struct {
	policy password.Policy
	output string          // if "", standard output
	form   password.Format // of ambiguous hashes; if nil, they are refused
	column string          // of a CSV file; "" if the file is none
	user   string          // whose password is tried; if "", a terminal is asked
}

func newPasswordWrap() *cobra.Command {
	var f wrapFlags
	cmd := &cobra.Command{
		Use:   "wrap FILE|- [-o FILE] [--form FORM] [flags]",
		Short: "make a store of weak hashes safe, without the passwords",
		Long:  passwordWrapLong,
		Example: `  fount password wrap hashes -o hashes
  fount password wrap - --policy 'argon2id,m=65536,t=3' <htpasswd >htpasswd.new
  fount password wrap users.csv --csv password --form django --user ada -o new <secret`,
		Args: oneStore,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	policyFlag(cmd, &f.policy)
	textFlag(cmd.Flags(), &f.output, "output", "o", "write to `FILE`, and replace it when all is done", "file name; use for example hashes")
	must(cmd.MarkFlagFilename("output"))
	names := legacy.Names()
	form := func(s string) (password.Format, bool) {
		f, err := legacy.Form(s)
		return f, err == nil
	}
	parsedFlag(cmd.Flags(), &f.form, "form", "", "read hashes that may be of several makers as `FORM`",
		form, "a form: want one of "+strings.Join(names, ", "))
	must(cmd.RegisterFlagCompletionFunc("form", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)))
	csvFlag(cmd, &f.column)
	userFlag(cmd, &f.user, "first try the password of the user `NAME`, from standard input")
	return cmd
}

// try verifies the password of one user with the user's hash after wrapping.
func (f *wrapFlags) try(cmd *cobra.Command, policy password.Policy, store *store) error {
	user, in := f.user, cmd.InOrStdin()
	switch {
	case user != "" && store.was == nil:
		return usagef("--user takes a password from standard input, and the store must be a FILE")
	case user == "" && store.was != nil && isTerminal(in):
		fmt.Fprint(cmd.ErrOrStderr(),
			"User, or line number, whose password to try first (Enter for none): ")
		text, _ := bufio.NewReader(in).ReadString('\n') // a terminal returns one line
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
	policy := withAllForms(f.policy)
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
		defer context.AfterFunc(ctx, stop)() // a second interrupt ends a write that nobody reads
	}
	var line *show.Progress
	if file != nil || !isTerminal(to) {
		line = progressOn(cmd, false)
	}
	out := bufio.NewWriter(to)
	err = w.run(ctx, hashfile.NewReader(in, policy, f.column), out, line)
	line.Clear()
	if flushed := out.Flush(); flushed != nil {
		err = flushed // no summary: lines that w counted are lost
		if file != nil {
			err = nameless(err) // without the temporary file's name
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

// failure returns err with what became of the output.
func (f *wrapFlags) failure(err error) error {
	if err == nil || isReaderGone(err) {
		return err
	}
	status, rest := statusFailed, ""
	if errors.Is(err, context.Canceled) {
		status, err, rest = statusInterrupted, errors.New("interrupted"), "; all lines that were written are complete"
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

// A wrapping is one pass over a store. It has one line for each core in memory.
type wrapping struct {
	policy password.Policy
	form   password.Format // of wrapFlags

	lines, wrapped, strong, other, failed, longest int
	firstFailed                                    int64 // a line's number
	firstError                                     error
}

// A wrappedLine is a line of the new store.
type wrappedLine struct {
	number int64
	text   string
	err    error // why its hash was not wrapped
}

// run writes the lines of in to out, in the same order. When ctx ends, it does not wait for in.
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
		if result == nil { // the channel is closed: all lines are written
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

// read starts a goroutine for each line, and sends their results in the order of the lines.
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

// Reasons to copy a line unchanged.
var (
	errNoHash = errors.New("no hash")
	errStrong = errors.New("strong, or wrapped before")
)

// wrap returns the line with its hash wrapped, or unchanged and with the reason.
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

// A replacement is a temporary file that will replace another in the same directory.
type replacement struct {
	*os.File
	name string      // of the file to replace
	was  os.FileInfo // of the file to replace, nil if it did not exist
}

// newReplacement creates an empty file with the owner, mode and attributes of the file called name,
// or with mode 0600 if there is no such file.
func newReplacement(name string) (*replacement, error) {
	r := &replacement{name: name}
	var err error
	r.was, err = os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.was = nil
	case err != nil:
		return nil, err
	case r.was.Mode()&fs.ModeSymlink != 0: // in /tmp it may be another user's, and lead to a file of root's
		return nil, fmt.Errorf("%s is a link; name the file that it leads to", name)
	case !r.was.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file, and can't be replaced", name)
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

// unchanged reports whether the file called name is still the one of was. If was is nil, it reports
// whether there is still no such file.
func unchanged(name string, was os.FileInfo) bool {
	now, err := os.Stat(name)
	if was == nil || err != nil {
		return was == nil && errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(now, was) && now.Size() == was.Size() && now.ModTime().Equal(was.ModTime())
}

// replace renames r to the file that it replaces, unless that file has changed since.
func (r *replacement) replace() error {
	if !unchanged(r.name, r.was) {
		return fmt.Errorf("%s has changed meanwhile", r.name)
	}
	if err := safedir.Replace(r.File, r.name); err != nil {
		return fmt.Errorf("%s: %w", r.name, nameless(err))
	}
	return nil
}

// drop removes the temporary file, if replace has not renamed it.
func (r *replacement) drop() {
	r.Close()
	_ = os.Remove(r.Name()) // after replace there is no such file
}
