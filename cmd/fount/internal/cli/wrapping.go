// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password wrap: one pass over a store.

package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"fount/cmd/fount/internal/survey"
	"fount/cmd/internal/lab/show"
	"fount/internal/hashfile"
	"fount/password"
)

// A wrapping is one pass over a store. It has one line for each core in memory.
type wrapping struct {
	policy password.Policy
	named  []string            // forms of --form
	proven map[survey.Row]bool // by the passwords of --user
	tally
}

// A wrappedLine is a line of the new store.
type wrappedLine struct {
	number int64
	text   string
	fate   fate
	row    survey.Row
	err    error // why it failed
}

// A fate is what became of a line.
type fate int

const (
	lineWrapped fate = iota
	lineStrong       // or wrapped before
	lineNoHash
	lineUnproven // weak, and copied
	lineFailed   // can't be read or wrapped
	fates        // how many there are
)

// run writes the lines of in to out, in the same order. When ctx ends, it does not wait for in.
func (w *wrapping) run(ctx context.Context, in *hashfile.Reader, out io.Writer, progress *show.Progress) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	// Each line has a channel of its own: lines are wrapped side by side, and received in order.
	results := make(chan chan wrappedLine, runtime.GOMAXPROCS(0))
	readErr := make(chan error, 1)
	go func() { readErr <- w.start(ctx, in, results) }()

	for {
		var result chan wrappedLine
		select {
		case result = <-results:
		case <-ctx.Done():
			return ctx.Err()
		}
		if result == nil { // closed: all lines are written
			return <-readErr
		}

		done := <-result
		if ctx.Err() != nil {
			return ctx.Err()
		}

		w.count(done)
		if _, err := io.WriteString(out, done.text); err != nil {
			return err
		}

		if w.lines%100 == 0 {
			progress.Show(show.Count(int64(w.lines)) + " lines")
		}
	}
}

// start reads lines, starts a goroutine for each, and sends the channel of its result.
func (w *wrapping) start(ctx context.Context, in *hashfile.Reader, results chan<- chan wrappedLine) error {
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

// wrap returns the line with its hash wrapped, or as it was.
func (w *wrapping) wrap(line hashfile.Line) wrappedLine {
	done := wrappedLine{number: line.Number, text: line.Text(), row: survey.RowOf(w.policy, line.Hash)}
	done.fate, done.err = w.fateOf(line, done.row)
	if done.fate != lineWrapped {
		return done
	}

	text, err := password.Wrap(w.policy, line.Hash)
	if err != nil {
		done.fate = lineFailed
		done.err = err
		return done
	}
	done.text = line.With(text)
	return done
}

// fateOf returns what is to become of a line whose hash is of that row.
func (w *wrapping) fateOf(line hashfile.Line, row survey.Row) (fate, error) {
	switch {
	case line.Err != nil:
		return lineFailed, line.Err
	case line.Hash == "":
		return lineNoHash, nil
	}

	weak, err := survey.IsWeak(w.policy, line.Hash)
	isProven := w.proven[row] || slices.Contains(w.named, row.Form)
	switch {
	case err != nil:
		return lineFailed, err
	case !weak:
		return lineStrong, nil
	case !isProven:
		return lineUnproven, nil
	}
	return lineWrapped, nil
}

// A tally counts what became of the lines of a store.
type tally struct {
	lines   int
	longest int // in bytes
	of      [fates]int

	firstFailed wrappedLine
	unprovenAt  map[survey.Row]int64 // the first line of each
}

func (t *tally) count(line wrappedLine) {
	t.lines++
	t.longest = max(t.longest, len(strings.TrimRight(line.text, "\r\n")))
	t.of[line.fate]++

	switch {
	case line.fate == lineFailed && t.of[lineFailed] == 1:
		t.firstFailed = line
	case line.fate == lineUnproven && t.unprovenAt[line.row] == 0:
		if t.unprovenAt == nil {
			t.unprovenAt = make(map[survey.Row]int64)
		}
		t.unprovenAt[line.row] = line.number
	}
}

func (t *tally) summary() string {
	text := fmt.Sprintf("%d wrapped, %d strong or wrapped before, %d without a hash, %d that can't be wrapped",
		t.of[lineWrapped], t.of[lineStrong], t.of[lineNoHash], t.of[lineFailed])
	if t.of[lineUnproven] > 0 {
		text += fmt.Sprintf(", %d not proven", t.of[lineUnproven])
	}
	return fmt.Sprintf("%s; the longest line has %d bytes", text, t.longest)
}

// unwrapped returns the error that says which weak hashes are not wrapped, or nil. It proposes
// --form FORM without a form's name: that would be typed unproven.
func (t *tally) unwrapped(in *store) error {
	var reasons []string
	if t.of[lineFailed] > 0 {
		reasons = append(reasons, fmt.Sprintf("line %d is the first whose hash can't be wrapped, and stays as it is: %v",
			t.firstFailed.number, plain(t.firstFailed.err)))
	}

	if t.of[lineUnproven] > 0 {
		var rows []string
		for row, first := range t.unprovenAt {
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

// A heldOutput holds the lines of a store of which nothing is proven, until one has a hash that is
// weak or is not read: then none is written. It asks w, which counts a line before it writes it.
type heldOutput struct {
	w     *wrapping
	lines bytes.Buffer
}

func (h *heldOutput) Write(p []byte) (int, error) {
	if h.w.of[lineUnproven]+h.w.of[lineFailed] > 0 {
		h.lines = bytes.Buffer{}
		return len(p), nil
	}
	return h.lines.Write(p)
}
