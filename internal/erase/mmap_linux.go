// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race && !purego

package erase

import "golang.org/x/sys/unix"

const wipeOnFork, dontDump, canLock = true, true, true

// protect asks for each protection and counts refusals. They are no failure: a seccomp filter or a
// limit on locked memory (8 MiB by default) is common, and Status says what was granted.
func protect(b []byte) {
	// An emulator may accept an advice that it does not know, as qemu-user did. One that accepts
	// -1, which is no advice, is not believed.
	believable := unix.Madvise(b, -1) != nil

	// A forked child finds zeros, from Linux 4.14.
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

// adviseLarge asks for huge pages, and that core dumps leave b out. A refusal is no failure.
func adviseLarge(b []byte) {
	unix.Madvise(b, unix.MADV_DONTDUMP)
	unix.Madvise(b, unix.MADV_HUGEPAGE)
}
