// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race && !purego

package erase

import "golang.org/x/sys/unix"

const wipeOnFork, dontDump, canLock = true, true, true

// protect asks for each protection and counts what is refused. A refusal is no
// failure: a seccomp filter or a limit on locked memory (8 MiB by default) is
// common, and Status says what holds.
func protect(b []byte) {
	// An emulator that does not know an advice may answer that it took it:
	// qemu-user did for all. One that takes a number that is no advice, -1,
	// is not believed.
	believable := unix.Madvise(b, -1) != nil
	// A forked child finds zeros (Linux 4.14).
	if !believable || unix.Madvise(b, unix.MADV_WIPEONFORK) != nil {
		refused.wipe.Add(1)
	}
	if unix.Madvise(b, unix.MADV_DONTDUMP) != nil || !believable {
		refused.dump.Add(1)
	}
	if unix.Mlock(b) != nil {
		refused.lock.Add(1)
	}
}

// adviseLarge asks for memory that core dumps leave out, in huge pages. A refusal
// is no failure.
func adviseLarge(b []byte) {
	unix.Madvise(b, unix.MADV_DONTDUMP)
	unix.Madvise(b, unix.MADV_HUGEPAGE)
}
