// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix && !fount_test

package main

// forceWindow forces mode window, if this build can, and reports whether it can.
func forceWindow() bool { return false }
