// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !fount_test

package uniqueness

// clockDevice is where the page of vmclock lies, and whether that may be a plain file.
func clockDevice() (path string, anyFile bool) { return "/dev/vmclock0", false }
