// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package numa

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"unsafe"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// nodesDir is where the kernel describes its nodes.
const nodesDir = "/sys/devices/system/node"

// Detect returns the topology of this machine. It reads three small files.
func Detect() *Topology { return readSysfs(nodesDir) }

// cpusOf returns the CPUs of the system's node n; a node of memory alone has none.
func cpusOf(n int) ([]int, error) { return readCPUs(nodesDir, n) }

func readCPUs(dir string, n int) ([]int, error) {
	name := filepath.Join(dir, "node"+strconv.Itoa(n), "cpulist")
	b, err := sysfile.Read(name, 1<<20)
	if err != nil || string(b) == "\n" {
		return nil, err
	}

	cpus, err := parseList(string(b), maxCPU)
	if err != nil {
		return nil, errors.New(name + ": " + err.Error())
	}
	return cpus, nil
}

// readSysfs reads the kernel's topology (Documentation/ABI/stable/sysfs-devices-node): has_cpu,
// which leaves out nodes without CPUs, or on old kernels online. Kernels without NUMA have neither.
func readSysfs(dir string) *Topology {
	for _, name := range []string{"has_cpu", "online"} {
		b, err := sysfile.Read(filepath.Join(dir, name), 1<<20)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return oneNode(err.Error())
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

// currentNode returns the system's number of the node that the caller runs on, or -1 if it can't be
// known.
func currentNode() int {
	_, node := Here()
	return node
}

// Here returns the system's numbers of the CPU and the node that the caller runs on, or -1 and -1
// if they can't be known. It makes a system call of 0.1 µs, because Go can't call the vDSO's
// getcpu. The unsafe conversions pass addresses to it (https://pkg.go.dev/unsafe#Pointer, pattern
// 4).
func Here() (cpu, node int) {
	var c, n uint32
	if _, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&c)), uintptr(unsafe.Pointer(&n)), 0); errno != 0 {
		return -1, -1
	}
	return int(c), int(n)
}
