// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What FreeBSD tells.

import (
	"golang.org/x/sys/unix"
)

func inspectOS(f *Facts) {
	f.Kernel, _ = unix.Sysctl("kern.osrelease")
	f.CPU, _ = unix.Sysctl("hw.model")
	if n, err := unix.SysctlUint32("vm.ndomains"); err == nil {
		f.NUMANodes = int(n)
	}
	switch guest, err := unix.Sysctl("kern.vm_guest"); {
	case err != nil:
	case guest == "none":
		f.Virtual = No
	case guest == "generic":
		f.Virtual = Yes
	default:
		f.Virtual, f.Vendor = Yes, guest
	}
	f.Random.Getrandom = getrandomState()
	if f.Random.Getrandom == Wait {
		return // here /dev/urandom would block too
	}
	f.Random.Urandom = urandomState("/dev/urandom")
	f.Random.Repeats = repeats(RawGetrandom)
}

// Getrandom fills b, of at most 256 bytes, as Go's own crypto/rand does: by system call.
func Getrandom(b []byte) error { return RawGetrandom(b) }
