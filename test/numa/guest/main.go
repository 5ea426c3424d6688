// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

// Command guest is the only program of the machine that the NUMA test boots. On each CPU in
// turn it draws from the pools and from package fount, and prints what it saw, a line of JSON
// each. It is not for use outside of that machine: it runs as init and powers off at its end.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"

	"fount"
	"fount/internal/pools"
	"fount/pool"
	"fount/uniqueness"

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
	must(unix.Mount("proc", "/proc", "proc", 0, ""))
	must(unix.Mount("sysfs", "/sys", "sysfs", 0, ""))
	must(unix.Mount("devtmpfs", "/dev", "devtmpfs", 0, ""))
	find()
	runtime.LockOSThread()
	var key [32]byte
	pools.Mix(&key)
	for range 2 {
		for cpu := range runtime.NumCPU() {
			visit(cpu)
		}
	}
	must(unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF))
}

func visit(cpu int) {
	var set unix.CPUSet
	set.Set(cpu)
	must(unix.SchedSetaffinity(0, &set)) // returns on the CPU
	var key [32]byte
	pools.Mix(&key) // what is due is fed now, and not between two reports
	v := report{CPU: cpu, Before: pool.Status()}
	pools.Mix(&key)
	v.Mixed = pool.Status()
	fount.Reseed()
	fount.Nonce()
	v.Drawn = pool.Status()
	v.Mode = fount.Status().Mode
	b, err := json.Marshal(v)
	must(err)
	fmt.Printf("visit %s\n", b)
}

// find has package uniqueness find its word, without which no shard takes a key from a
// pool: where buffers are small each refill has its own from the kernel. The kernel reseeds
// meanwhile, which tells candidates apart.
func find() {
	random, err := os.Open("/dev/urandom")
	must(err)
	defer random.Close()
	for i := 0; i < 50 && !uniqueness.Held(); i++ {
		fount.Reseed()
		fount.Nonce()
		must(unix.IoctlSetInt(int(random.Fd()), unix.RNDRESEEDCRNG, 0))
	}
}

// must stops the machine: the end of init is a kernel panic, and the test shows the console.
func must(err error) {
	if err != nil {
		fmt.Println("guest:", err)
		os.Exit(1)
	}
}
