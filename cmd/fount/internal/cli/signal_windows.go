// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Pipes whose reader is gone, on Windows.

package cli

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

func ignoreSIGPIPE() {} // Windows has no such signal

// isReaderGone reports whether err says that the other end of a pipe is closed.
func isReaderGone(err error) bool {
	return errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE) ||
		errors.Is(err, syscall.EPIPE)
}
