// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package guest is what the tests with virtual machines have in common: a kernel, a root
// directory with one program in it, and the name of the emulator. It is not for use
// outside of tests.
package guest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"fount/internal/test/require"
)

// Emulator is the QEMU that runs the machines.
const Emulator = "qemu-system-x86_64"

// Meta612 is the metapackage of the kernel of series 6.12 in Debian bookworm-security.
const Meta612 = "linux-image-6.12-cloud-amd64"

// Meta612Full is that of the same kernel with all modules: the other has no 9P.
const Meta612Full = "linux-image-6.12-amd64"

// NeedEmulator skips the test where there is none.
func NeedEmulator(t *testing.T) {
	if _, err := exec.LookPath(Emulator); err != nil {
		lack(t, "no QEMU (Debian: qemu-system-x86): %v", err)
	}
}

// Tries is how often a machine may be started that QEMU emulates wrongly.
const Tries = 3

// Misemulated reports whether the console shows the guest's kernel dying of QEMU's own fault, in one of two ways:
//
// A breakpoint that the kernel put over an instruction, to patch it, was met by another processor after its removal. Processors
// have what the manuals promise of such code (Intel SDM, volume 3, "Handling Self- and Cross-Modifying Code"); QEMU's, each
// with a thread and a cache of translations, were seen to miss it once in some hundred boots on a busy host.
//
// A processor's flags have reserved bits that no processor sets (volume 1, "EFLAGS Register"). QEMU computes flags late, and
// was once seen to resume a snapshot with the low half of a pointer in their place.
func Misemulated(console []byte) bool {
	if bytes.Contains(console, []byte("Oops: int3:")) {
		return true
	}
	for _, flags := range eflags.FindAllSubmatch(console, -1) {
		if f, err := strconv.ParseUint(string(flags[1]), 16, 64); err == nil && f&reserved != 1<<1 {
			return true
		}
	}
	return false
}

// eflags is how Linux prints them, of a kernel's registers, which stand behind a stack pointer in the upper half.
var eflags = regexp.MustCompile(`RSP: [0-9a-f:]*ff[0-9a-f]{14} EFLAGS: ([0-9a-f]{8,16})\b`)

// reserved are the bits of EFLAGS that are always 0, and bit 1, which is always 1.
const reserved = 0xffc0_0000 | 1<<15 | 1<<5 | 1<<3 | 1<<1

// Run runs a machine to its end and returns its console and how QEMU ended. One that QEMU emulates wrongly is started again.
func Run(ctx context.Context, t *testing.T, args ...string) (console []byte, err error) {
	for range Tries {
		console, err = exec.CommandContext(ctx, Emulator, args...).CombinedOutput()
		if !Misemulated(console) {
			break
		}
		t.Logf("%s emulates wrongly, console:\n%s", Emulator, console)
	}
	return console, err
}

// lack skips the test for want of something, or fails it where FOUNT_REQUIRE, a list with
// commas, names the test's directory.
func lack(t *testing.T, format string, args ...any) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	require.Skip(t, filepath.Base(dir), fmt.Sprintf(format, args...))
}
