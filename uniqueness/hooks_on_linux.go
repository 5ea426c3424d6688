// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package uniqueness

func devices() (vmclock, sysgenid string, anyFile bool) {
	vmclock, sysgenid = "/dev/vmclock0", "/dev/sysgenid"
	if hook.vmclock != "" {
		vmclock = hook.vmclock
	}
	if hook.sysgenid != "" {
		sysgenid = hook.sysgenid
	}
	return vmclock, sysgenid, true
}
