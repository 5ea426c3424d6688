// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Where bytes go: terminals, which get text only, and files, which are private before the first byte.

package cli

import (
	"errors"
	"io"
	"os"

	"golang.org/x/term"
)

// createPrivate opens the file of that name for writing. A regular file is empty and has mode 0600 when
// it returns, whatever the umask and whatever was there; its mode changes first, so that a file which
// belongs to someone else keeps its content. Windows knows no such mode and keeps the directory's
// permissions.
func createPrivate(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		if info.Mode() != 0o600 {
			err = file.Chmod(0o600)
		}
		if err == nil {
			err = file.Truncate(0)
		}
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// A closedOutput is the standard output of a program that was started without one. In place of a descriptor that is closed
// the Go runtime opens /dev/null, where a token would vanish with status 0.
type closedOutput struct{ devNull io.Writer }

func (closedOutput) Write([]byte) (int, error) {
	return 0, errors.New("standard output is closed; use >/dev/null if nothing is to be kept")
}

// isTerminal reports whether w is a file that is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}
