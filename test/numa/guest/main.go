// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

// Command guest is the only program of the machine that the NUMA test boots. On each CPU in
// turn it draws from the pools and from package fount, and prints what it saw, a line of JSON
// each; then where threads are that are bound by node, and what fount bench scale measures of it. It is not for use outside of that machine: it runs as init and powers off at its end.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"fount"
	"fount/internal/numa"
	"fount/pool"
	"fount/test/internal/inside"

	"golang.org/x/sys/unix"
)

// A report is what happened on one CPU.
type report struct {
	CPU    int
	Mode   string      // of package fount
	Before pool.Report // when the goroutine had come to the CPU
	Mixed  pool.Report // after one Mix
	Drawn  pool.Report // after one Reseed and one Nonce
}

func main() {
	inside.Mount()
	inside.Seek() // without the word no shard takes a key from a pool: where buffers are small each refill has its own from the kernel
	runtime.LockOSThread()
	var key [32]byte
	pool.Mix(&key, 0)
	for range 2 {
		for cpu := range runtime.NumCPU() {
			visit(cpu)
		}
	}
	place()
	scale()
	inside.PowerOff()
}

var must = inside.Must

func visit(cpu int) {
	var set unix.CPUSet
	set.Set(cpu)
	must(unix.SchedSetaffinity(0, &set)) // returns on the CPU
	var key [32]byte
	pool.Mix(&key, 0) // what is due is fed now, and not between two reports
	v := report{CPU: cpu, Before: pool.Status()}
	pool.Mix(&key, 0)
	v.Mixed = pool.Status()
	fount.Reseed()
	fount.Nonce()
	v.Drawn = pool.Status()
	v.Mode = fount.Status().Mode
	b, err := json.Marshal(v)
	must(err)
	fmt.Printf("visit %s\n", b)
}

// A placed is where threads were that were bound to CPUs in an order.
type placed struct {
	Order string
	Spots []spot
}

// A spot is a CPU and the node it is of, by getcpu.
type spot struct{ CPU, Node int }

// place goes to each CPU in the order of the nodes, and in that of the CPUs' numbers, which knows no nodes.
func place() {
	var byNumber []int
	for cpu := range runtime.NumCPU() {
		byNumber = append(byNumber, cpu)
	}
	nodes, err := numa.Detect().Places(byNumber)
	must(err)
	var byNode []int
	for _, n := range nodes {
		byNode = append(byNode, n.CPUs...)
	}
	for order, cpus := range map[string][]int{"by node": byNode, "by number": byNumber} {
		p := placed{Order: order}
		for _, cpu := range cpus {
			var set unix.CPUSet
			set.Set(cpu)
			must(unix.SchedSetaffinity(0, &set))
			cpu, node := numa.Here()
			p.Spots = append(p.Spots, spot{cpu, node})
		}
		b, err := json.Marshal(p)
		must(err)
		fmt.Printf("placed %s\n", b)
	}
}

// scale runs the program, which ends with an error if one of its threads is not where its row says.
func scale() {
	var all unix.CPUSet
	for cpu := range 1024 {
		all.Set(cpu)
	}
	must(unix.SchedSetaffinity(0, &all)) // or the program would have the last CPU alone
	const file = "/scale.json"
	cmd := exec.Command("/fount", "bench", "scale", "--quick", "--count", "2", "-o", file, "--only", "by nodes: (arithmetic|/dev/urandom),")
	cmd.Stderr = os.Stdout
	must(cmd.Run())
	line, err := os.ReadFile(file)
	must(err)
	fmt.Printf("scale %s\n", bytes.TrimSpace(line))
}
