// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fusefs mounts the tree of package randfs in a directory, through FUSE. It needs 64-bit
// Linux; elsewhere Mount returns an error.
//
// The wire format is that of github.com/hanwen/go-fuse/v2/fuse. The loops are this package's: each
// thread waits in read(2) on /dev/fuse, fills its own buffer, and writes it. Those of go-fuse take
// 1.4 times as long for a read of 16 B, by 4 to 5 µs and twice the CPU time, and 0.95 for 1 MiB.
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

// Options are the options of a mount. The zero value suits most.
type Options struct {
	AllowOther bool // other users may use the files, as the files' modes allow
}

// ErrBusy is what Unmount returns when files of the mount are open.
var ErrBusy = errors.New("files are open")
