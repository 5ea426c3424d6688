// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || freebsd

package machine

// What macOS and FreeBSD tell.

import (
	"runtime"

	"golang.org/x/sys/unix"
)

func inspectOS(f *Facts) {
	release := "kern.osproductversion"
	model := "machdep.cpu.brand_string"
	if runtime.GOOS == "freebsd" {
		release = "kern.osrelease"
		model = "hw.model"
	}

	f.Kernel, _ = unix.Sysctl(release)
	f.CPU, _ = unix.Sysctl(model)
	if n, err := unix.SysctlUint32("vm.ndomains"); err == nil {
		f.NUMANodes = int(n)
	}
	f.Random.Urandom = urandomState("/dev/urandom")
}
