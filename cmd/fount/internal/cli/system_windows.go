// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

func ignoreSIGPIPE() {} // Windows has no such signal

func isReaderGone(err error) bool {
	return errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE) ||
		errors.Is(err, syscall.EPIPE)
}

func isReset(err error) bool { return errors.Is(err, windows.WSAECONNRESET) }

func isFull(error) bool { return false } // connecting waits while the queue is full

func keepOwner(*os.File, os.FileInfo) error { return nil } // a new file has the directory's permissions
