// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && !race && !purego && !fount_test

package erase

// withoutWipe is what a test of forks asks for; see seam_on.go.
func withoutWipe() bool { return false }
