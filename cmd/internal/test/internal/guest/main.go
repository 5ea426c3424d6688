// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

// Command guest is the init of the tests' virtual machines. The variable role, which comes from the
// kernel's command line, says what it does. It is not for use outside of them.
//
//	main.go      what every role needs
//	draw.go      draws in rounds while the machine is cloned
//	straddle.go  draws that straddle refills while the machine is cloned
//	numa.go      draws on each CPU of a machine with NUMA nodes
//	v9fs.go      mounts fount's files by the kernel's 9P client
package main

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fount"
	"fount/cmd/internal/test/internal/wire"
	"fount/internal/clone"
)

func main() {
	for _, fs := range [][2]string{{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"tmpfs", "/run"}} {
		must(os.MkdirAll(fs[1], 0o755))
		must(os.NewSyscallError("mount "+fs[1], unix.Mount(fs[0], fs[1], fs[0], 0, "")))
	}
	must(rawConsole())
	role := os.Getenv("role")
	serve, found := map[string]func(){"rounds": rounds, "straddle": straddle, "numa": nodes, "v9fs": mounts}[role]
	if !found {
		must(fmt.Errorf("the role is %q", role))
	}
	serve()
	must(unix.IoctlSetInt(0, unix.TCSBRK, 1)) // waits until all is sent
	must(unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF))
}

// must stops the machine: the end of init is a kernel panic, and the test shows the console.
func must(err error) {
	if err != nil {
		fmt.Println("guest:", err)
		os.Exit(1)
	}
}

// rawConsole ends the console's echo and translation.
func rawConsole() error {
	t, err := unix.IoctlGetTermios(0, unix.TCGETS)
	if err != nil {
		return err
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return unix.IoctlSetTermios(0, unix.TCSETS, t)
}

// seek has package clone look for its word until it holds one. The kernel reseeds meanwhile,
// which tells candidates apart: 50 times are enough for any.
func seek() {
	random, err := os.Open("/dev/urandom")
	must(err)
	defer random.Close()
	for range 50 {
		fount.Reseed()
		fount.Nonce()
		clone.Check()
		if clone.Trusted() {
			return
		}
		must(unix.IoctlSetInt(int(random.Fd()), unix.RNDRESEEDCRNG, 0))
	}
}

// settle waits for the kernel to reseed by itself if that can be seen. It does so whenever its
// uptime has grown by half (drivers/char/random.c, crng_reseed_interval), so the next time is a
// second away and not taken for the clone's.
func settle() {
	for word := clone.Load(); clone.Trusted() && clone.Load() == word; {
		time.Sleep(time.Millisecond)
	}
}

// offer says that the machine may be cloned, and returns a clone's orders.
func offer(word uint64) (r wire.Resume) {
	must(wire.Send(os.Stdout, wire.Ready{Status: status(), Word: word, Held: clone.Trusted()}))
	must(wire.Receive(bufio.NewReader(os.Stdin), &r))
	return r
}

func status() []byte {
	b, err := json.Marshal(fount.Status())
	must(err)
	return b
}

// leave puts a dump into the tray.
func leave(tray []byte, dump any) {
	var b bytes.Buffer
	must(gob.NewEncoder(&b).Encode(dump))
	done := wire.Done{Bytes: copy(tray[wire.MarksSize:], b.Bytes())}
	if done.Bytes < b.Len() {
		must(fmt.Errorf("%d bytes do not fit into the tray", b.Len()))
	}
	must(wire.Send(os.Stdout, done))
}

// openTray maps the memory of QEMU's inter-VM shared memory device (docs/specs/ivshmem-spec, PCI ID
// 1af4:1110, memory in BAR 2), and has the kernel say on the console when it notices a clone.
func openTray() []byte {
	must(os.WriteFile("/proc/sys/kernel/printk", []byte("7"), 0))
	devices, err := filepath.Glob("/sys/bus/pci/devices/*")
	must(err)
	for _, dir := range devices {
		id, err := os.ReadFile(filepath.Join(dir, "device"))
		if err != nil || strings.TrimSpace(string(id)) != "0x1110" {
			continue
		}
		must(os.WriteFile(filepath.Join(dir, "enable"), []byte("1"), 0))
		f, err := os.OpenFile(filepath.Join(dir, "resource2"), os.O_RDWR, 0)
		must(err)
		tray, err := unix.Mmap(int(f.Fd()), 0, wire.TraySize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		must(err)
		return tray
	}
	must(fmt.Errorf("none of %d PCI devices is ivshmem", len(devices)))
	return nil
}
