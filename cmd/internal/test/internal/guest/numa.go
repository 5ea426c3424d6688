// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package main

// Draws on each CPU of a machine with NUMA nodes.

import (
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"

	"fount"
	"fount/cmd/internal/test/internal/wire"
	"fount/internal/entropy"
	"fount/internal/numa"
)

// nodes draws on each CPU twice, binds threads by node, and runs fount bench scale.
func nodes() {
	seek() // without the word each buffer's key comes from the kernel, and from no pool
	runtime.LockOSThread()
	var n wire.Nodes
	for range 2 {
		for cpu := range runtime.NumCPU() {
			n.Visits = append(n.Visits, visitCPU(cpu))
		}
	}
	n.Placed = place()
	n.Scale = scale()
	must(wire.Send(os.Stdout, n))
}

// bind returns on one of the CPUs.
func bind(cpus ...int) {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	must(unix.SchedSetaffinity(0, &set))
}

func visitCPU(cpu int) wire.CPUVisit {
	bind(cpu)
	var key [32]byte
	entropy.Mix(&key, 0) // feeds what is due, which else would happen between two reports
	v := wire.CPUVisit{CPU: cpu, Before: entropy.Status()}
	entropy.Mix(&key, 0)
	v.Mixed = entropy.Status()
	fount.Reseed()
	fount.Nonce()
	v.Drawn = entropy.Status()
	v.Mode = fount.Status().Mode
	return v
}

// place goes to each CPU in the order of the nodes, and in that of its number.
func place() map[string][]wire.Spot {
	var byNumber, byNode []int
	for cpu := range runtime.NumCPU() {
		byNumber = append(byNumber, cpu)
	}
	nodes, err := numa.Detect().Places(byNumber)
	must(err)
	for _, n := range nodes {
		byNode = append(byNode, n.CPUs...)
	}
	placed := map[string][]wire.Spot{}
	for order, cpus := range map[string][]int{"by node": byNode, "by number": byNumber} {
		for _, cpu := range cpus {
			bind(cpu)
			cpu, node := numa.Here()
			placed[order] = append(placed[order], wire.Spot{CPU: cpu, Node: node})
		}
	}
	bind(byNumber...)
	return placed
}

// scale runs the program, which ends with an error if a thread is not where its row says.
func scale() []byte {
	const file = "/scale.json"
	cmd := exec.Command("/fount", "bench", "scale", "--quick", "--count", "2", "-o", file,
		"--only", "by nodes: (arithmetic|/dev/urandom),")
	cmd.Stderr = os.Stdout
	must(cmd.Run())
	report, err := os.ReadFile(file)
	must(err)
	return report
}
