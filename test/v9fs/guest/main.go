// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

// Command guest is the only program of the machine that the test of the kernel's 9P client boots, but for
// fount itself. It mounts the server on the host, and one that it starts, in all ways of package wire, and
// prints what it met, a line of JSON each. It is not for use outside of that machine: it runs as init and
// powers off at its end.
//
// main.go is the machine, visit.go what is done at a mount.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"fount/test/internal/inside"
	"fount/test/v9fs/wire"

	"golang.org/x/sys/unix"
)

// host is this address of QEMU's user network.
const host = "10.0.2.2"

// socket is where the guest's own server listens.
const socket = "/run/fount.sock"

func main() {
	must(start())
	for _, m := range wire.Mounts {
		var server *exec.Cmd
		if m.Transport == "unix" {
			server = serve()
		}
		b, err := json.Marshal(visit(m, server))
		must(err)
		fmt.Printf("%s%s\n", wire.Mark, b)
	}
	inside.PowerOff()
}

var must = inside.Must

// start makes of the machine what a distribution's init would: file systems, modules, network.
func start() error {
	inside.Mount()
	modules, err := filepath.Glob("/*.ko") // sorted: the names begin with their places in the order
	if err != nil {
		return err
	}
	for _, m := range modules {
		image, err := os.ReadFile(m)
		if err != nil {
			return err
		}
		if err := unix.InitModule(image, ""); err != nil {
			return fmt.Errorf("module %s: %v", m, err)
		}
	}
	return connect("eth0", [4]byte{10, 0, 2, 15}, [4]byte{255, 255, 255, 0})
}

// connect gives an interface its address and starts it, as ifconfig does. The host is on its network.
func connect(name string, address, mask [4]byte) error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	if err := setAddress(s, name, unix.SIOCSIFADDR, address); err != nil {
		return err
	}
	if err := setAddress(s, name, unix.SIOCSIFNETMASK, mask); err != nil {
		return err
	}
	r, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, r); err != nil {
		return fmt.Errorf("%s up: %v", name, err)
	}
	return nil
}

func setAddress(s int, name string, request uint, value [4]byte) error {
	r, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	if err := r.SetInet4Addr(value[:]); err != nil {
		return err
	}
	if err := unix.IoctlIfreq(s, request, r); err != nil {
		return fmt.Errorf("%s %v: %v", name, value, err)
	}
	return nil
}

// serve starts the guest's own server and waits until it is ready.
func serve() *exec.Cmd {
	cmd := exec.Command("/fount", "serve", "files", "--listen", "unix!"+socket)
	said, err := cmd.StderrPipe()
	must(err)
	must(cmd.Start())
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil || !strings.Contains(line, socket) {
		must(fmt.Errorf("fount serve files says %q, %v", line, err))
	}
	return cmd
}

// giveUp ends the machine when a step takes that long: one that hangs must not look like a slow machine.
func giveUp(step string, after time.Duration) (done func() bool) {
	return time.AfterFunc(after, func() { must(fmt.Errorf("%s takes more than %v", step, after)) }).Stop
}
