// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Pipes whose reader is gone, on Unix.

//go:build unix

package cli

import (
	"errors"
	"os/signal"
	"syscall"
)

// ignoreSIGPIPE lets a write to a pipe that nobody reads return EPIPE; by default the Go runtime dies of
// the signal when the pipe is standard output.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }

// isReaderGone reports whether err says that the other end of a pipe is closed.
func isReaderGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
