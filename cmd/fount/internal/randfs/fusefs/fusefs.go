// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fusefs mounts the tree of package randfs in a directory, through FUSE. It is not a file system of its own:
// what the files do, randfs says. It needs 64-bit Linux; elsewhere Mount returns an error.
//
// The wire format is that of github.com/hanwen/go-fuse/v2/fuse, the loop that serves it is this package's: threads that
// wait in read(2) on /dev/fuse, fill a buffer of their own, and write it. Go-fuse's loop takes 1.5 to 2 times as long
// for a read of 16 B.
//
// # Reads
//
// Random and urandom are opened with FOPEN_DIRECT_IO, so that no byte of theirs is in the page cache, and with
// FOPEN_STREAM and FOPEN_NONSEEKABLE: they have no offset, reads through one descriptor run at the same time, and
// pread(2) and lseek(2) return ESPIPE. The kernel asks for up to 1 MiB at once and splits longer reads; a read returns
// all that was asked for, whatever signals come. Poll(2) and select(2) say at once that they can be read.
//
// Sendfile(2), splice(2) and mmap(2) would go through the page cache, where several could get the same bytes. They would
// find the end of a file of size 0 at once, which a program takes for an empty secret. So both files show a size of 2^62,
// and a request that is for the page cache fails with EIO: a program that falls back to read(2), as busybox does, gets its
// bytes, and others see an error.
//
// # Permissions
//
// The kernel checks the mode of each file (default_permissions). The owner is the user who mounted; without
// Options.AllowOther nobody else can see the files, not even root.
package fusefs

import "errors"

// Options of a mount. The zero value is right for most.
type Options struct {
	AllowOther bool // other users may use the files, as far as the modes of the files let them
}

// ErrBusy is what Unmount returns when files of the mount are open.
var ErrBusy = errors.New("files are open")
