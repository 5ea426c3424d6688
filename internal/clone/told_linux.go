// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

// What tells the kernel that it was cloned. Its generator reseeds on the word of the driver vmgenid
// alone (drivers/char/random.c, add_vmfork_randomness), which serves the devices of QEMU,
// Firecracker, Hyper-V, VMware and Xen (all have the ACPI identifier VM_Gen_Counter or VMGENCTR)
// and those of device trees (microsoft,vmgenid). vmclock's driver tells the generator nothing.

import (
	"errors"
	"strings"

	"fount/internal/sysfile"
)

// generationDrivers are where the driver's devices appear: an acpi_driver from Linux 5.18, a
// platform_driver from 6.10.
var generationDrivers = []string{"/sys/bus/platform/drivers/vmgenid", "/sys/bus/acpi/drivers/vmgenid"}

// whoTells names the device whose driver tells the kernel of clones. An error says that there is
// none, or, if it is a shortage, that it could not be seen. What can't be seen, in a container
// without /sys for one, is not there: the price of that is mode "window".
func whoTells(drivers []string) (string, error) {
	for _, dir := range drivers {
		names, err := sysfile.Links(dir)
		if err != nil {
			err = failed("read", err)
		}
		if short, ok := err.(shortage); ok {
			return "", short
		}
		for _, name := range names {
			if name != "module" { // the driver itself, where it is one
				return name, nil
			}
		}
	}
	if _, err := sysfile.Links("/sys/bus"); err != nil {
		return "", failed("read", err)
	}
	return "", errors.New("no device of the driver vmgenid is in " + strings.Join(drivers, " or "))
}
