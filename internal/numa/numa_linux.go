// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package numa

import (
	"errors"
	"io/fs"
	"path/filepath"
	"unsafe"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

func system() *Topology { return readSysfs("/sys/devices/system/node") }

// readSysfs reads the kernel's topology
// (Documentation/ABI/stable/sysfs-devices-node). No goroutine can draw on
// a node without CPUs: has_cpu leaves those out. The first file is missing where
// the kernel has no NUMA.
func readSysfs(dir string) *Topology {
	for _, name := range []string{"has_cpu", "online"} {
		b, err := sysfile.Read(filepath.Join(dir, name), 1<<20)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t := oneNode(err.Error())
			t.Scarce = sysfile.Scarce(err)
			return t
		}
		nodes, err := ParseList(string(b))
		if err != nil {
			return oneNode(filepath.Join(dir, name) + ": " + err.Error())
		}
		return newTopology(nodes)
	}
	return oneNode("")
}

func newTopology(nodes []int) *Topology {
	t := &Topology{Nodes: nodes, Source: "sysfs", index: make([]int, nodes[len(nodes)-1]+1)}
	for i, n := range nodes {
		t.index[n] = i
	}
	return t
}

// currentNode returns the system's number of the node that the caller runs on, or
// -1. It makes the system call, as Go does not reach the vDSO's getcpu; 0.1 µs once
// a reseed. The unsafe conversion is the one system calls need
// (https://pkg.go.dev/unsafe#Pointer, pattern 4).
func currentNode() int {
	var node uint32
	if _, _, errno := unix.RawSyscall(unix.SYS_GETCPU, 0, uintptr(unsafe.Pointer(&node)), 0); errno != 0 {
		return -1
	}
	return int(node)
}
