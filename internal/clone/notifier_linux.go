// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

// The search for what tells the kernel of clones. That is the driver vmgenid alone: when it reports
// a clone, the kernel's generator reseeds (drivers/char/random.c, add_vmfork_randomness). The
// driver serves the devices of QEMU, Firecracker, Hyper-V, VMware and Xen (all have the ACPI
// identifier VM_Gen_Counter or VMGENCTR) and those of device trees (microsoft,vmgenid). vmclock's
// driver does not tell the generator.

import (
	"errors"
	"strings"

	"fount/internal/sysfile"
)

// notifierDirs are where the driver's devices appear: the first from Linux 6.10, the second from
// 5.18 to 6.9.
var notifierDirs = []string{"/sys/bus/platform/drivers/vmgenid", "/sys/bus/acpi/drivers/vmgenid"}

// findNotifier returns the name of the device whose driver tells the kernel of clones. It returns
// an error if there is none, and a shortage if it could not look. A device that is hidden, as in a
// container without /sys, counts as missing: the mode is then "window".
func findNotifier(drivers []string) (string, error) {
	for _, dir := range drivers {
		names, err := sysfile.Links(dir)
		if err != nil {
			err = systemError("read", err)
		}
		if short, ok := err.(shortage); ok {
			return "", short
		}

		for _, name := range names {
			if name != "module" { // the link to the driver's own module
				return name, nil
			}
		}
	}

	if _, err := sysfile.Links("/sys/bus"); err != nil {
		return "", systemError("read", err)
	}
	return "", errors.New("no device of the driver vmgenid is in " + strings.Join(drivers, " or "))
}
