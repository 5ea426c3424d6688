// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password wrap: a store of weak hashes, safe in one pass, and the file that replaces it
// whole or not at all.

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
	"strings"
	"time"

	"fount/lab/show"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordWrapLong = `fount password wrap: put each weak hash of a store inside of an argon2id,
without its password.

FILE, or standard input for -, has a hash a line, or NAME:HASH as htpasswd,
shadow and passwd have. The lines are written in their order, to standard
output. With -o they replace a file, which may be FILE itself, when all are on
the disk; if anything fails or FILE changes meanwhile, it stays as it is.

What is strong, wrapped already or no hash is written as it is, and a locked
account, behind ! or *, stays locked. Standard error counts the lines, and gives
the longest one's length: a column of a database may be too short.

A salted md5$ or sha1$ may be that of Django, web2py or Werkzeug before 3, so it
can't be wrapped here; a Go program that names the form wraps Django's. Of a
salted sha224$ to sha512$ nothing tells who wrote it: it can't be wrapped.

Verify one user's known password in a new file before it replaces FILE. Exit
status 1 if a hash, whose line standard error names, can't be wrapped; if none
is, -o replaces nothing.`

// wrapFlags are the flags of fount password wrap.
type wrapFlags struct {
	policy password.Policy
	output string // "": standard output
}

func newPasswordWrap() *cobra.Command {
	var f wrapFlags
	cmd := &cobra.Command{
		Use:   "wrap FILE|- [-o FILE] [--policy POLICY]",
		Short: "make a store of weak hashes safe at once",
		Long:  passwordWrapLong,
		Example: `  fount password wrap hashes -o hashes
  fount password wrap - --policy 'argon2id,m=65536,t=3' <htpasswd >htpasswd.new
  fount password verify --hash-file htpasswd.new --user ada`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("want one file, or - for standard input; usage: %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	policyFlag(cmd, &f.policy, usualPolicy)
	filled(cmd.Flags(), &f.output, "output", "o", "replace `FILE` when all is done", "file name; use for example hashes")
	must(cmd.MarkFlagFilename("output"))
	return cmd
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
	w := newWrapping(policy)
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
	err = w.run(ctx, in, out, line)
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

// A wrapping is one pass over a store. As many lines as have places are in memory at a time.
type wrapping struct {
	policy password.Policy
	places int

	lines, wrapped, strong, other, failed, longest int
	firstFailed                                    int // a line's number
	firstError                                     error
}

func newWrapping(policy password.Policy) *wrapping {
	return &wrapping{policy: policy, places: runtime.GOMAXPROCS(0)}
}

// A wrappedLine is what becomes of a line.
type wrappedLine struct {
	text string
	err  error // nil: its hash was wrapped
}

// run writes the lines of in to out, in their order. Once ctx is done it does not wait for in.
func (w *wrapping) run(ctx context.Context, in io.Reader, out io.Writer, line *show.Progress) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results, end := make(chan chan wrappedLine, w.places), make(chan error, 1)
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
func (w *wrapping) read(ctx context.Context, in io.Reader, results chan<- chan wrappedLine) error {
	defer close(results)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLine)
	lines.Split(wholeLine)
	n := 0
	for ctx.Err() == nil && lines.Scan() {
		n++
		text, result := lines.Text(), make(chan wrappedLine, 1)
		select {
		case results <- result:
			go func() { result <- w.wrap(text) }()
		case <-ctx.Done():
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d has more than %d bytes; want a hash, or NAME:HASH", n+1, mostLine)
	}
	return cmp.Or(lines.Err(), ctx.Err())
}

// wholeLine is a bufio.SplitFunc for lines with their ends, which come out as they are.
func wholeLine(data []byte, atEOF bool) (int, []byte, error) {
	end := bytes.IndexByte(data, '\n') + 1
	if end == 0 && atEOF {
		end = len(data)
	}
	if end == 0 {
		return 0, nil, nil
	}
	return end, data[:end], nil
}

// What is written as it is.
var (
	errNoHash = errors.New("no hash")
	errStrong = errors.New("strong, or wrapped before")
)

// wrap returns the line with its hash wrapped, or as it is.
func (w *wrapping) wrap(line string) wrappedLine {
	from, to := w.hashIn(line)
	hash := unlocked(line[from:to])
	locked := len(hash) < to-from
	from = to - len(hash)
	if strings.HasPrefix(strings.TrimPrefix(line, "\ufeff"), "#") || strings.TrimSpace(hash) == "" {
		return wrappedLine{line, errNoHash}
	}
	text, err := password.Wrap(w.policy, hash)
	if locked && errors.Is(err, password.ErrMalformed) {
		err = errNoHash
	}
	if err == nil && text == hash {
		err = errStrong
	}
	if err != nil {
		return wrappedLine{line, err}
	}
	return wrappedLine{line[:from] + text + line[to:], nil}
}

// hashIn returns where the hash is in a line, without byte order mark and line end. Werkzeug's
// hashes have colons, so the whole line is tried before what follows a colon.
func (w *wrapping) hashIn(line string) (from, to int) {
	from = len(line) - len(strings.TrimPrefix(line, "\ufeff"))
	to = len(strings.TrimRight(line, "\r\n"))
	if w.policy.Check(line[from:to]) == nil {
		return from, to
	}
	if name, rest, ok := strings.Cut(line[from:to], ":"); ok {
		from += len(name) + 1
		to = from + len(hashOf(rest))
	}
	return from, to
}

// unlocked returns what follows the marks of a locked account on Linux, Solaris and FreeBSD.
func unlocked(hash string) string {
	hash = strings.TrimPrefix(strings.TrimPrefix(hash, "*LOCKED*"), "*LK*")
	return strings.TrimLeft(hash, "!*")
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
		if w.failed++; w.failed == 1 {
			w.firstFailed, w.firstError = w.lines, plain(line.err)
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

// newReplacement makes an empty file with the owner and mode of the other, else mode 0600.
func newReplacement(name string) (*replacement, error) {
	r := &replacement{name: name}
	behind, err := filepath.EvalSymlinks(name)
	switch {
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
	}
	r.File, err = os.CreateTemp(filepath.Dir(r.name), "."+filepath.Base(r.name)+".*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, nameless(err))
	}
	if r.was != nil {
		if err := errors.Join(keepOwner(r.File, r.was), r.Chmod(r.was.Mode().Perm())); err != nil {
			r.drop()
			return nil, fmt.Errorf("%s can't keep its owner and mode: %w", name, err)
		}
	}
	return r, nil
}

// replace syncs the file and puts it in the other's place, unless that has changed since.
func (r *replacement) replace() error {
	if now, err := os.Stat(r.name); r.was != nil &&
		(err != nil || !os.SameFile(now, r.was) || now.Size() != r.was.Size() || !now.ModTime().Equal(r.was.ModTime())) {
		return fmt.Errorf("%s has changed meanwhile", r.name)
	}
	for _, step := range []func() error{r.Sync, r.Close, func() error { return os.Rename(r.Name(), r.name) }} {
		if err := step(); err != nil {
			return fmt.Errorf("%s: %w", r.name, nameless(err))
		}
	}
	if dir, err := os.Open(filepath.Dir(r.name)); err == nil {
		_ = dir.Sync() // not every system can
		dir.Close()
	}
	return nil
}

// drop removes the file, unless it has replaced the other.
func (r *replacement) drop() {
	r.Close()
	_ = os.Remove(r.Name()) // there is none after replace
}
