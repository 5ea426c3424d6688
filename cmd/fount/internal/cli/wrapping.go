// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password wrap: one pass over a store.

package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"fount/cmd/fount/internal/survey"
	"fount/cmd/internal/lab/show"
	"fount/internal/hashfile"
	"fount/password"
)

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

	results := make(chan chan wrappedLine, runtime.GOMAXPROCS(0))
	end := make(chan error, 1)
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
	isProven := w.proven[row] || slices.Contains(w.named, row.Form)
	switch {
	case err != nil:
		same.err = err
	case !weak:
		same.err = errStrong
	case !isProven:
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
		if w.unproven[unproven.row] == 0 {
			w.unproven[unproven.row] = line.number
		}
	default:
		w.failed++
		if w.failed == 1 {
			w.firstFailed = line.number
			w.firstError = plain(line.err)
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
