// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

// Package inside is what the programs in the tests' virtual machines have in common. Each is its machine's init. It is not for use
// outside of them.
package inside

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"fount"
	"fount/uniqueness"
)

// Must stops the machine: the end of init is a kernel panic, and the test reads the console.
func Must(err error) {
	if err != nil {
		fmt.Println("guest:", err)
		os.Exit(1)
	}
}

// Mount makes the file systems appear that the kernel has of itself.
func Mount() {
	for _, fs := range [][2]string{{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"tmpfs", "/run"}} {
		Must(os.MkdirAll(fs[1], 0o755))
		Must(os.NewSyscallError("mount "+fs[1], unix.Mount(fs[0], fs[1], fs[0], 0, "")))
	}
}

// Release is the kernel's.
func Release() string {
	b, err := os.ReadFile("/proc/sys/kernel/osrelease")
	Must(err)
	return strings.TrimSpace(string(b))
}

// Seek has package uniqueness look for its word, and the kernel reseed, which tells candidates apart, until the word is held. It
// returns how many reseeds that took; 50 are enough for any that is there.
func Seek() (reseeds int) {
	random, err := os.Open("/dev/urandom")
	Must(err)
	defer random.Close()
	for ; ; reseeds++ {
		fount.Reseed()
		fount.Nonce()
		uniqueness.Check()
		if uniqueness.Held() || reseeds == 50 {
			return reseeds
		}
		Must(unix.IoctlSetInt(int(random.Fd()), unix.RNDRESEEDCRNG, 0))
	}
}

// PowerOff ends the machine.
func PowerOff() { Must(unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)) }
