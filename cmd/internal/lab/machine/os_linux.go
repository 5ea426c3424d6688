// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What Linux tells in /proc and /sys.

import (
	"cmp"
	"io/fs"
	"os"
	"strings"

	"fount/internal/cgroup"
	"fount/internal/numa"

	"golang.org/x/sys/unix"
)

func inspectOS(f *Facts) {
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		f.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	readTree(os.DirFS("/"), f)

	f.Random.Getrandom = getrandomState()
	f.Random.Urandom = urandomState("/dev/urandom")
	if f.Random.Getrandom == Ready {
		f.Random.VDSONS = timeOf(Getrandom)
		f.Random.SyscallNS = timeOf(RawGetrandom)
	}
}

// readTree fills in what files below root tell. One that is missing leaves its fact unknown.
func readTree(root fs.FS, f *Facts) {
	read := func(name string) string {
		b, _ := fs.ReadFile(root, name)
		return strings.TrimSpace(string(b))
	}

	f.CPU = cpuModel(read("proc/cpuinfo"))
	if nodes, err := numa.ParseList(read("sys/devices/system/node/online")); err == nil {
		f.NUMANodes = len(nodes)
	}
	f.CPULimit = cgroup.ReadQuota(root).CPUs()
}

// armModels are the cores that servers have, by the MIDR fields of the Arm Architecture Reference
// Manual; Linux gives only numbers.
var armModels = map[string]string{
	"0x41 0xd08": "Arm Cortex-A72", "0x41 0xd0b": "Arm Cortex-A76", "0x41 0xd0c": "Arm Neoverse N1", "0x41 0xd40": "Arm Neoverse V1",
	"0x41 0xd49": "Arm Neoverse N2", "0x41 0xd4f": "Arm Neoverse V2", "0xc0 0xac3": "Ampere-1",
}

// cpuModel reads /proc/cpuinfo, whose keys differ: x86 and loongarch have a model name, arm an
// implementer and part, riscv a uarch. It takes each key's first value.
func cpuModel(cpuinfo string) string {
	first := map[string]string{}
	for line := range strings.Lines(cpuinfo) {
		key, value, _ := strings.Cut(line, ":")
		key = strings.ToLower(strings.TrimSpace(key))
		first[key] = cmp.Or(first[key], strings.Join(strings.Fields(value), " "))
	}
	arm := strings.TrimSpace(first["cpu implementer"] + " " + first["cpu part"])
	return cmp.Or(first["model name"], armModels[arm], first["uarch"], arm)
}
