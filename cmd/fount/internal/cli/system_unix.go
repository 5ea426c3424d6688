// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package cli

// What differs between systems: broken pipes and connections, signals, owners of files.

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// ignoreSIGPIPE has a write to standard output that nobody reads return EPIPE.
func ignoreSIGPIPE() { signal.Ignore(syscall.SIGPIPE) }

// isReaderGone reports whether err says that the other end of a pipe is closed.
func isReaderGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// isReset reports whether err says that the other end of a connection died with messages unread.
func isReset(err error) bool { return errors.Is(err, syscall.ECONNRESET) }

// isFull reports whether err says that a unix socket's queue is full, for which nothing waits.
func isFull(err error) bool { return errors.Is(err, syscall.EAGAIN) }

// hangup ends what must clean up before its terminal goes.
var hangup = []os.Signal{syscall.SIGHUP}

// keepOwner gives the file the owner and group of another, which must have no second name.
func keepOwner(f *os.File, of os.FileInfo) error {
	s, ok := of.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if s.Nlink > 1 {
		return fmt.Errorf("it has %d names, of which the others would keep the old one", s.Nlink)
	}
	return f.Chown(int(s.Uid), int(s.Gid))
}
