// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package cli

// System calls that differ between systems: broken pipes and connections, signals, owners of files.

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// ignoreSIGPIPE makes a write to standard output return EPIPE if nobody reads it.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }

// isReaderGone reports whether err says that a pipe has no reader any more.
func isReaderGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// isReset reports whether err says that the peer closed a connection with messages unread.
func isReset(err error) bool { return errors.Is(err, syscall.ECONNRESET) }

// isFull reports whether err says that the queue of a Unix socket is full. Connecting does not wait
// for that.
func isFull(err error) bool { return errors.Is(err, syscall.EAGAIN) }

// keepOwner gives f the owner and group of the file of, which must not have a second name.
func keepOwner(f *os.File, of os.FileInfo) error {
	s, ok := of.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if s.Nlink > 1 {
		return fmt.Errorf("it has %d names, and the others would keep the old contents", s.Nlink)
	}
	return f.Chown(int(s.Uid), int(s.Gid))
}
