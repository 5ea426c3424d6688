// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What commands print, on a terminal and for programs, and the files that they write.

package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"fount/cmd/internal/lab/show"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// printResult writes v as JSON or as text.
func printResult(cmd *cobra.Command, asJSON bool, v any, text func(show.Style) string) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return printJSON(out, v)
	}
	_, err := io.WriteString(out, text(styleOf(out)))
	return err
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// styleOf is the style for w.
func styleOf(w io.Writer) show.Style { return show.StyleOf(w) }

// progressOn is a line of progress on the terminal, nil where there is none, and for asJSON.
func progressOn(cmd *cobra.Command, asJSON bool) *show.Progress {
	if asJSON {
		return nil
	}
	for _, w := range []io.Writer{cmd.ErrOrStderr(), cmd.OutOrStdout()} {
		if isTerminal(w) {
			return show.NewProgress(w, styleOf(w))
		}
	}
	return nil
}

// A privateFile is a file for secrets while it is written.
type privateFile struct {
	*os.File
	isNew bool // it was not there before
}

// createPrivate makes a file with mode 0600, or opens a character device. It refuses whatever else is
// there: a file may be the only copy of a secret, and a named pipe or a link may be another user's,
// laid there to get this one. Only root makes devices. On Windows the directory's permissions hold.
func createPrivate(name string) (*privateFile, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if !errors.Is(err, fs.ErrExist) {
		return &privateFile{File: file, isNew: true}, err
	}
	there, err := os.Lstat(name)
	if err != nil || there.Mode()&fs.ModeCharDevice == 0 {
		return nil, cmp.Or(err, fmt.Errorf("%s is there already; name a new file, or use > in place of -o", name))
	}
	if file, err = os.OpenFile(name, os.O_WRONLY, 0); err != nil {
		return nil, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(there, opened) {
		file.Close()
		return nil, cmp.Or(err, fmt.Errorf("%s was replaced while it was opened", name))
	}
	return &privateFile{File: file}, nil
}

// drop closes the file and removes a new one, so that a command that fails leaves none.
func (f *privateFile) drop() {
	f.Close()
	if f.isNew {
		os.Remove(f.Name())
	}
}

// isTerminal reports whether file is one, and a terminal.
func isTerminal(file any) bool {
	f, ok := file.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// probe finds out, before anything is measured, whether a file can be written. It changes nothing.
func probe(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		return errors.Join(f.Close(), os.Remove(name))
	}
	if errors.Is(err, fs.ErrExist) {
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666); err == nil { // a dead link
			err = f.Close()
		}
	}
	return err
}

// writeFile writes a file when there is something to write.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
