// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package guest is what the tests with virtual machines have in common: a kernel, a root
// directory with one program in it, and the name of the emulator. It is not for use
// outside of tests.
package guest

import (
	"os/exec"
	"testing"
)

// Emulator is the QEMU that runs the machines.
const Emulator = "qemu-system-x86_64"

// Meta612 is the metapackage of the kernel of series 6.12 in Debian bookworm-security.
const Meta612 = "linux-image-6.12-cloud-amd64"

// NeedEmulator skips the test where there is none.
func NeedEmulator(t *testing.T) {
	if _, err := exec.LookPath(Emulator); err != nil {
		t.Skip("no QEMU (Debian: qemu-system-x86): ", err)
	}
}
