// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && !race && !purego && fount_test

package erase

import (
	"os"

	"golang.org/x/sys/unix"
)

// adviseWipe makes a forked child find zeros, unless a test's child process
// wants to see what happens without. The variable works in builds with the tag
// fount_test alone.
func adviseWipe(b []byte) bool {
	if os.Getenv("FOUNT_TEST_NO_WIPEONFORK") != "" {
		return false
	}
	return unix.Madvise(b, unix.MADV_WIPEONFORK) == nil
}
