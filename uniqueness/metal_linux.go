// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 || 386

package uniqueness

// Bare metal: an x86 that shows no sign of a hypervisor can't be cloned. What is not known for certain is not bare metal.

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
)

// machine is what Linux says about the machine. A nil slice is unknown.
type machine struct {
	cpuinfo    []byte // /proc/cpuinfo
	hypervisor []byte // /sys/hypervisor/type, of Xen; empty if there is none
	dmi        []byte // maker and product, from the firmware's tables
	clocks     []byte // clock sources, some of which only a hypervisor offers
}

// guests are words in the DMI of machines that are lent out by a hypervisor, in lower case.
var guests = []string{
	"virtual", "vmware", "qemu", "kvm", "xen", "hvm domu", "bochs", "bhyve", "parallels", "innotek", "ovirt", "rhev",
	"nutanix", "openstack", "firecracker", "cloud", "amazon ec2", "google compute engine", "digitalocean", "hetzner",
}

// metal returns why this is not certainly bare metal, nil if it is. Like the CPU's bit, DMI and the clocks must be known:
// a sandbox that hides them may hide more.
func (m machine) metal() error {
	bit, err := hypervisorBit(m.cpuinfo)
	if err != nil {
		return err
	}
	dmi := strings.ToLower(string(bytes.TrimSpace(m.dmi)))
	switch {
	case bit:
		return errors.New("/proc/cpuinfo has the flag hypervisor")
	case len(m.hypervisor) > 0:
		return errors.New("/sys/hypervisor/type says: " + string(bytes.TrimSpace(m.hypervisor)))
	case dmi == "":
		return errors.New("/sys/class/dmi/id can't be read, so a hypervisor that hides from the CPU's flags is possible")
	case len(m.clocks) == 0:
		return errors.New("the kernel's clock sources can't be read, so a hypervisor that hides from the CPU's flags is possible")
	}
	// Clouds rent out whole machines too, and say so in the product.
	if i := slices.IndexFunc(guests, func(g string) bool { return strings.Contains(dmi, g) }); i >= 0 && !strings.Contains(dmi, ".metal") {
		return errors.New("the firmware's maker or product contains \"" + guests[i] + "\"")
	}
	for _, c := range strings.Fields(string(m.clocks)) {
		if c == "kvm-clock" || c == "xen" || strings.HasPrefix(c, "hyperv_") {
			return errors.New("the kernel has the clock source " + c)
		}
	}
	return nil
}

// hypervisorBit reads CPUID leaf 1, ECX bit 31, which the CPU makers keep free for hypervisors, from the flags of
// /proc/cpuinfo. All processors must agree that it is absent.
func hypervisorBit(cpuinfo []byte) (bool, error) {
	known := false
	for line := range bytes.Lines(cpuinfo) {
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || string(bytes.TrimSpace(name)) != "flags" {
			continue
		}
		flags := strings.Fields(string(value))
		if slices.Contains(flags, "hypervisor") {
			return true, nil
		}
		// Each x86 that can run Go has these two; a list without them is not a list of the CPU's flags.
		known = slices.Contains(flags, "fpu") && slices.Contains(flags, "cx8")
		if !known {
			break
		}
	}
	if !known {
		return false, errors.New("/proc/cpuinfo has no flags of an x86")
	}
	return false, nil
}

func findMetal() (source, error) {
	var m machine
	m.cpuinfo, _ = os.ReadFile("/proc/cpuinfo")
	m.hypervisor = readOrSay("/sys/hypervisor/type")
	for _, f := range []string{"sys_vendor", "product_name", "product_version", "board_vendor", "bios_vendor", "chassis_vendor"} {
		b, _ := os.ReadFile("/sys/class/dmi/id/" + f)
		m.dmi = append(append(m.dmi, bytes.TrimSpace(b)...), '\n')
	}
	m.clocks, _ = os.ReadFile("/sys/devices/system/clocksource/clocksource0/available_clocksource")
	if err := m.metal(); err != nil {
		return source{}, err
	}
	return source{why: "no CPU flag, no firmware entry and no clock source shows a hypervisor, so nothing can clone this machine"}, nil
}

// readOrSay returns what a file holds, nothing if there is none, and else why it can't be read.
func readOrSay(path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return []byte(err.Error())
	}
	return b
}
