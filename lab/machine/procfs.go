// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What Linux tells in /proc and /sys. It compiles everywhere, so that the trees of other machines in testdata are read
// wherever the tests run.

import (
	"io/fs"
	"strings"

	"fount/internal/cgroup"
	"fount/internal/numa"
	"fount/internal/processor"
)

// readTree fills in what the file system below root tells of a machine whose processor itself shows v. A file that is not
// there leaves its fact unknown.
func readTree(root fs.FS, v processor.View, f *Facts) {
	read := func(name string) string {
		b, _ := fs.ReadFile(root, name)
		return strings.Trim(string(b), " \t\n\x00")
	}
	cpuinfo := read("proc/cpuinfo")
	info := parseCPUInfo(cpuinfo)
	f.CPU = info.model
	if info.flags != nil {
		v.Flags = processor.Flags([]byte(cpuinfo + "\n"))
		f.Features, f.Lacks = divide(known(f.Arch, v), info.flags)
	}
	if nodes, err := numa.ParseList(read("sys/devices/system/node/online")); err == nil {
		f.NUMANodes = len(nodes)
	}
	f.CPULimit = cgroup.ReadQuota(root).CPUs()
	s := signs{
		hypervisor: read("sys/hypervisor/type"),
		deviceTree: read("proc/device-tree/hypervisor/compatible"),
		dmi:        read("sys/class/dmi/id/sys_vendor") + " " + read("sys/class/dmi/id/product_name"),
		clocks:     read("sys/devices/system/clocksource/clocksource0/available_clocksource"),
	}
	if f.Arch == "amd64" || f.Arch == "386" {
		s.bit = hypervisorBit(info.flags)
	}
	f.Virtual, f.Vendor = s.judge()
}
