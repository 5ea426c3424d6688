// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Where fount bench writes what it measured in Go's benchmark format.

package cli

import (
	"io"
	"os"
)

// A resultFile is where -o writes. Nil is nowhere.
type resultFile struct {
	w    io.Writer // standard output, nil if it is a file
	name string
	file *os.File // nil if it is not there yet
}

// create looks at the file, so that a name which can't be written is known before anything is measured. What it holds
// stays until there is something to take its place.
func (b *bench) create() (*resultFile, error) {
	switch b.file {
	case "":
		return nil, nil
	case "-":
		return &resultFile{w: b.out}, nil
	}
	return openResultFile(b.file)
}

// openResultFile is create for a file.
func openResultFile(name string) (*resultFile, error) {
	file, err := openResult(name)
	if err != nil {
		return nil, err
	}
	return &resultFile{name: name, file: file}, nil
}

// close is for the returns before write.
func (f *resultFile) close() {
	if f != nil && f.file != nil {
		f.file.Close()
	}
}

// write has the results written.
func (f *resultFile) write(results func(io.Writer) error) (err error) {
	switch {
	case f == nil:
		return nil
	case f.w != nil:
		return results(f.w)
	case f.file == nil:
		f.file, err = os.Create(f.name)
	default:
		if info, statErr := f.file.Stat(); statErr == nil && info.Mode().IsRegular() {
			err = f.file.Truncate(0)
		}
	}
	if err != nil {
		return err
	}
	if err := results(f.file); err != nil {
		return err
	}
	return f.file.Close()
}
