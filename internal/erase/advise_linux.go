// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race && !purego

package erase

import "golang.org/x/sys/unix"

// adviseLarge asks for memory that core dumps leave out, in huge pages. A refusal
// is no failure.
func adviseLarge(b []byte) {
	unix.Madvise(b, unix.MADV_DONTDUMP)
	unix.Madvise(b, unix.MADV_HUGEPAGE)
}
