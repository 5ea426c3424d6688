// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package uniqueness

func clockDevice() (path string, anyFile bool) {
	if put.vmclock != "" {
		return put.vmclock, true
	}
	return "/dev/vmclock0", true
}
