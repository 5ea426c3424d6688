// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password wrap: makes a store of weak hashes safe in one pass, and replaces its file
// completely or not at all.

package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fount/cmd/fount/internal/survey"
	"fount/cmd/internal/lab/show"
	"fount/internal/hashfile"
	"fount/internal/safedir"
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
		lines, wrapped = append(lines, line), append(wrapped, text)
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
	w := &wrapping{policy: policy, named: f.forms, proven: proven}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	if file == nil {
		defer context.AfterFunc(ctx, stop)() // a second interrupt ends a write that nobody reads
	}
	var line *show.Progress
	if file != nil || !isTerminal(to) {
		line = progressOn(cmd, false)
	}
	held := heldOutput{w: w}
	isHeld := file == nil && len(proven)+len(f.forms) == 0
	out := bufio.NewWriter(to)
	if isHeld {
		out.Reset(&held)
	}
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
	var left error
	if err == nil {
		left = w.left(in)
	}
	switch {
	case left != nil && isHeld:
		err = fmt.Errorf("%w; nothing is written", left)
	case left != nil && w.wrapped == 0:
		err = left
	case err == nil && isHeld:
		_, err = held.lines.WriteTo(to)
	case err == nil && file != nil && in.was != nil && !unchanged(in.name, in.was):
		err = fmt.Errorf("%s has changed meanwhile", in.called)
	case err == nil && file != nil:
		err = file.replace()
	}
	return cmp.Or(f.failure(err), left)
}

// left returns the error that says which weak hashes are not wrapped, or nil. The form that it has
// the user type is not filled in: who knows it knows it from elsewhere.
func (w *wrapping) left(in *store) error {
	var reasons []string
	if w.failed > 0 {
		reasons = append(reasons, fmt.Sprintf("line %d is the first whose hash can't be wrapped, and stays as it is: %v", w.firstFailed, w.firstError))
	}
	if len(w.unproven) > 0 {
		var rows []string
		for row, first := range w.unproven {
			rows = append(rows, fmt.Sprintf("%v from line %d on", row, first))
		}
		slices.Sort(rows)
		reasons = append(reasons, fmt.Sprintf("not proven, and stay as they are: %s; type fount password wrap %s --user NAME for each, "+
			"of a user whose password you know, or --form FORM if you know what made them", strings.Join(rows, ", "), cmp.Or(in.name, "FILE")))
	}
	if reasons == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", in.called, strings.Join(reasons, "; "))
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
	named  []string // of wrapFlags
	proven map[survey.Row]bool

	lines, wrapped, strong, other, failed, longest int
	firstFailed                                    int64 // a line's number
	firstError                                     error

	unprovenLines int
	unproven      map[survey.Row]int64 // the first line of each
}

// A heldOutput holds the lines of a store of which nothing is proven, until one has a hash that is
// weak or is not read: then none is written.
type heldOutput struct {
	w     *wrapping
	lines bytes.Buffer
}

func (h *heldOutput) Write(p []byte) (int, error) {
	if h.w.unprovenLines+h.w.failed > 0 {
		h.lines = bytes.Buffer{}
		return len(p), nil
	}
	return h.lines.Write(p)
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

// An unprovenError is the reason to copy a weak hash.
type unprovenError struct{ row survey.Row }

func (e unprovenError) Error() string { return e.row.String() + " is not proven" }

// wrap returns the line with its hash wrapped, or unchanged and with the reason.
func (w *wrapping) wrap(line hashfile.Line) wrappedLine {
	same := wrappedLine{line.Number, line.Text(), cmp.Or(line.Err, errNoHash)}
	if line.Hash == "" || line.Err != nil {
		return same
	}
	weak, err := survey.IsWeak(w.policy, line.Hash)
	row := survey.RowOf(w.policy, line.Hash)
	switch {
	case err != nil:
		same.err = err
	case !weak:
		same.err = errStrong
	case !w.proven[row] && !slices.Contains(w.named, row.Form):
		same.err = unprovenError{row}
	default:
		text, err := password.Wrap(w.policy, line.Hash)
		if err == nil {
			return wrappedLine{line.Number, line.With(text), nil}
		}
		same.err = err
	}
	return same
}

func (w *wrapping) count(line wrappedLine) {
	w.lines++
	w.longest = max(w.longest, len(strings.TrimRight(line.text, "\r\n")))
	unproven, isUnproven := errors.AsType[unprovenError](line.err)
	switch {
	case line.err == nil:
		w.wrapped++
	case errors.Is(line.err, errStrong):
		w.strong++
	case errors.Is(line.err, errNoHash):
		w.other++
	case isUnproven:
		w.unprovenLines++
		if w.unproven == nil {
			w.unproven = map[survey.Row]int64{}
		}
		if w.unproven[unproven.row] == 0 {
			w.unproven[unproven.row] = line.number
		}
	default:
		w.failed++
		if w.failed == 1 {
			w.firstFailed, w.firstError = line.number, plain(line.err)
		}
	}
}

func (w *wrapping) summary() string {
	unproven := ""
	if w.unprovenLines > 0 {
		unproven = fmt.Sprintf(", %d not proven", w.unprovenLines)
	}
	return fmt.Sprintf("%d wrapped, %d strong or wrapped before, %d without a hash, %d that can't be wrapped%s; the longest line has %d bytes",
		w.wrapped, w.strong, w.other, w.failed, unproven, w.longest)
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
