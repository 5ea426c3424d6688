// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What macOS tells.

import (
	"crypto/rand"

	"golang.org/x/sys/unix"
)

func inspectOS(f *Facts) {
	f.Kernel, _ = unix.Sysctl("kern.osproductversion")
	f.CPU, _ = unix.Sysctl("machdep.cpu.brand_string")
	if guest, err := unix.SysctlUint32("kern.hv_vmm_present"); err == nil && guest == 0 {
		f.Virtual = No
	} else if err == nil {
		f.Virtual = Yes
	}
	f.Random.Urandom = urandomState("/dev/urandom")
	f.Random.Repeats = repeats(fill(rand.Read))
}
