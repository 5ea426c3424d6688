// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && !race && !purego && fount_test

package erase

import "os"

// withoutWipe reports whether a test's child process wants to see what happens if
// a forked child does not find zeros. The variable works in builds with the tag
// fount_test alone.
func withoutWipe() bool { return os.Getenv("FOUNT_TEST_NO_WIPEONFORK") != "" }
