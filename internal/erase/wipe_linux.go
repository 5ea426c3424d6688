// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race && !purego && !fount_test

package erase

import "golang.org/x/sys/unix"

// adviseWipe makes a forked child find zeros (Linux 4.14).
func adviseWipe(b []byte) bool { return unix.Madvise(b, unix.MADV_WIPEONFORK) == nil }
