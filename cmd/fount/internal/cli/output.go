// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Output of commands: text, JSON, progress, and the files that they write.

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

// printResult prints v as JSON, or as the text that text returns.
func printResult(out io.Writer, asJSON bool, v any, text func(show.Style) string) error {
	if asJSON {
		return printJSON(out, v)
	}
	_, err := io.WriteString(out, text(show.StyleOf(out)))
	return err
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// progressOn returns a line of progress on the terminal. It returns nil, which shows nothing, if
// there is no terminal or if quiet is true.
func progressOn(cmd *cobra.Command, quiet bool) *show.Progress {
	if quiet {
		return nil
	}

	for _, w := range []io.Writer{cmd.ErrOrStderr(), cmd.OutOrStdout()} {
		if isTerminal(w) {
			return show.NewProgress(w, show.StyleOf(w))
		}
	}
	return nil
}

// A privateFile is an open file for secrets.
type privateFile struct {
	*os.File
	isNew bool // createPrivate created it
}

// createPrivate creates a file with mode 0600, or opens a character device, which only root can
// make. It refuses anything else that exists: a file may be the only copy of a secret, and a named
// pipe or a link may be another user's trap. On Windows the permissions are the directory's.
func createPrivate(name string) (*privateFile, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if !errors.Is(err, fs.ErrExist) {
		return &privateFile{File: file, isNew: true}, err
	}

	there, err := os.Lstat(name)
	if err != nil || there.Mode()&fs.ModeCharDevice == 0 {
		return nil, cmp.Or(err, fmt.Errorf("%s exists already; name a new file, or use > instead of -o", name))
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

// drop closes the file, and removes it if it is new.
func (f *privateFile) drop() {
	f.Close()
	if f.isNew {
		os.Remove(f.Name())
	}
}

// isTerminal reports whether file is an open terminal.
func isTerminal(file any) bool {
	f, ok := file.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// asFile returns stream as a file, or nil if it is no file.
func asFile(stream any) *os.File {
	file, _ := stream.(*os.File)
	return file
}

// probe returns an error if the file called name can't be written. It changes nothing, except that a
// file that a dead link names is created.
func probe(name string) error {
	_, err := os.Lstat(name)
	isNew := errors.Is(err, fs.ErrNotExist)

	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	err = f.Close()
	if isNew {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// writeFile creates the file called name and calls write with it.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
