// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package main

// The tray: memory that guest and test share, as large results would take
// seconds over a serial port (100 kB/s measured).

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fount/test/clone/wire"

	"golang.org/x/sys/unix"
)

// openTray maps the memory of QEMU's inter-VM shared memory device
// (docs/specs/ivshmem-spec, PCI ID 1af4:1110, memory in BAR 2).
func openTray() ([]byte, error) {
	devices, err := filepath.Glob("/sys/bus/pci/devices/*")
	if err != nil {
		return nil, err
	}
	for _, dir := range devices {
		id, err := os.ReadFile(filepath.Join(dir, "device"))
		if err != nil || strings.TrimSpace(string(id)) != "0x1110" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "enable"), []byte("1"), 0); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(filepath.Join(dir, "resource2"), os.O_RDWR, 0)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return unix.Mmap(int(f.Fd()), 0, wire.TraySize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	return nil, fmt.Errorf("none of %d PCI devices is ivshmem", len(devices))
}
