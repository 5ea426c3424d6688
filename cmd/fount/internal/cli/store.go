// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Stores of hashes, as files or standard input.

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// A store is an open file of hashes.
type store struct {
	io.Reader
	called string      // its name in errors
	name   string      // if it is a regular file
	was    os.FileInfo // of a regular file when it was opened, else nil
}

// openStore opens the file called name, or standard input if that is "-". If the name may be a
// hash, errors call it FILE.
func openStore(cmd *cobra.Command, name string) (*store, error) {
	if name == "-" {
		return &store{Reader: cmd.InOrStdin(), called: "standard input"}, nil
	}

	s := &store{called: name}
	if strings.ContainsAny(name, "${") {
		s.called = "FILE"
	}

	file, err := os.Open(name)
	if err != nil {
		return nil, s.explain(err)
	}

	s.Reader = file
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		s.name = name
		s.was = info
	}
	return s, nil
}

// explain returns err with the file's name before it.
func (s *store) explain(err error) error {
	return fmt.Errorf("%s: %w", s.called, plain(nameless(err)))
}

// nameless returns err without the name of the file.
func nameless(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// close closes the file, if it is one. It ignores the error, as the file was only read.
func (s *store) close() {
	asFile(s.Reader).Close()
}
