// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && (amd64 || arm64 || riscv64)

package iostats

// The watched calls that all of these processors have; those of amd64 alone are in a file of its own.

import "golang.org/x/sys/unix"

// kinds are the watched calls, by number. The first argument of those that read or write is an open file, but for getrandom's;
// those that copy have two.
var kinds = map[uint64]kind{
	unix.SYS_OPENAT: opens, unix.SYS_OPENAT2: opens,
	unix.SYS_GETRANDOM: reads,
	unix.SYS_READ:      reads, unix.SYS_READV: reads, unix.SYS_PREAD64: reads, unix.SYS_PREADV: reads, unix.SYS_PREADV2: reads,
	unix.SYS_WRITE: writes, unix.SYS_WRITEV: writes, unix.SYS_PWRITE64: writes, unix.SYS_PWRITEV: writes, unix.SYS_PWRITEV2: writes,
	unix.SYS_COPY_FILE_RANGE: copies, unix.SYS_SENDFILE: copies, unix.SYS_SPLICE: copies,
}
