// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// Is this a virtual machine, and whose? The answer is for people and decides nothing: package uniqueness says whether a
// clone would be noticed, by what would tell the kernel of it.

import (
	"slices"
	"strings"
)

// signs are the places where a hypervisor shows itself; an empty one is silent.
type signs struct {
	bit        Tri    // CPUID leaf 1, ECX bit 31, kept free by the CPU makers for hypervisors
	hypervisor string // /sys/hypervisor/type, of Xen
	deviceTree string // compatible string of the device tree's hypervisor node
	dmi        string // maker and product, from the firmware's tables
	clocks     string // clock sources, some of which only a hypervisor offers
}

// hypervisorBit reads the bit from the flags of an x86 /proc/cpuinfo.
func hypervisorBit(flags []string) Tri {
	switch {
	case flags == nil:
		return Unknown
	case slices.Contains(flags, "hypervisor"):
		return Yes
	}
	return No
}

// judge says whether this is a virtual machine, and whose as far as a sign tells. Only the CPU's own bit can say no, and
// only when no other sign contradicts it: arm64 and others have no such bit.
func (s signs) judge() (Tri, string) {
	vendor := s.vendor()
	switch {
	case s.bit == Yes || vendor != "":
		return Yes, vendor
	case s.bit == No:
		return No, ""
	}
	return Unknown, ""
}

// vendor names the hypervisor, "" if no sign is known. A cloud's name in the DMI says more than "KVM", so it comes first;
// but a bare-metal instance has it too, so it counts only with the bit, or where nothing has the bit.
func (s signs) vendor() string {
	if s.bit != No {
		for _, known := range []struct{ part, vendor string }{
			{"Amazon EC2", "Amazon EC2"},
			{"Google Compute Engine", "Google Compute Engine"},
			{"Microsoft Corporation Virtual Machine", "Hyper-V"},
			{"Alibaba Cloud", "Alibaba Cloud"},
			{"DigitalOcean", "DigitalOcean"},
			{"Hetzner vServer", "Hetzner"},
			{"OpenStack", "OpenStack"},
			{"VMware", "VMware"},
			{"VirtualBox", "VirtualBox"},
			{"Parallels", "Parallels"},
			{"QEMU", "QEMU"},
			{"KVM", "KVM"},
			{"Xen", "Xen"},
			{"Apple Virtualization", "Apple Virtualization"},
		} {
			if strings.Contains(s.dmi, known.part) && !strings.Contains(s.dmi, ".metal") {
				return known.vendor
			}
		}
	}
	switch clocks := strings.Fields(s.clocks); {
	case s.hypervisor == "xen":
		return "Xen"
	case s.hypervisor != "":
		return s.hypervisor
	case strings.Contains(s.deviceTree, "xen"):
		return "Xen"
	case strings.Contains(s.deviceTree, "kvm"):
		return "KVM"
	case s.deviceTree != "":
		return s.deviceTree
	case slices.Contains(clocks, "kvm-clock"):
		return "KVM"
	case slices.Contains(clocks, "xen"):
		return "Xen"
	case slices.ContainsFunc(clocks, func(c string) bool { return strings.HasPrefix(c, "hyperv_") }):
		return "Hyper-V"
	}
	return ""
}
