// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && !race && !purego && !fount_test

package erase

// withoutWipe reports whether a test wants to see what a forked child does that does not find zeros.
func withoutWipe() bool { return false }
