// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fusefs mounts the tree of package randfs in a directory, through FUSE. It needs 64-bit
// Linux; elsewhere Mount returns an error.
//
// The wire format is that of github.com/hanwen/go-fuse/v2/fuse. The loop is this package's: threads
// that wait in read(2) on /dev/fuse, fill a buffer of their own, and write it. Go-fuse's takes 1.5
// to 2 times as long for a read of 16 B.
//
// # Reads
//
// Random and urandom are opened with FOPEN_DIRECT_IO, so that no byte is in the page cache, and
// with FOPEN_STREAM and FOPEN_NONSEEKABLE: reads through one descriptor run at the same time, and
// pread(2) and lseek(2) return ESPIPE. The kernel asks for up to 1 MiB at once and splits longer
// reads; a read returns all that was asked for, whatever signals come.
//
// Sendfile(2), splice(2) and mmap(2) would go through the page cache, where several could get the
// same bytes, and would find a file of size 0 at its end: an empty secret. So both files show a
// size of 2^62, and a request for the page cache fails with EIO. A program that falls back to
// read(2), as busybox does, gets its bytes; others see an error.
//
// # Permissions
//
// The kernel checks the mode of each file (default_permissions). The owner is the user who mounted;
// without Options.AllowOther nobody else can see the files, not even root.
package fusefs

import "errors"

// Options of a mount. The zero value is right for most.
type Options struct {
	AllowOther bool // other users may use the files, as far as the modes of the files let them
}

// ErrBusy is what Unmount returns when files of the mount are open.
var ErrBusy = errors.New("files are open")
