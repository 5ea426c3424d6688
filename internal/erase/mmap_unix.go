// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix && !linux && !race && !purego

package erase

import "golang.org/x/sys/unix"

const wipeOnFork, dontDump, canLock = false, false, true

// protect locks b if the limit allows that. Only Linux has the other protections.
func protect(b []byte) {
	if unix.Mlock(b) != nil {
		refused.lock.Add(1)
	}
}

func adviseLarge([]byte) {}
