// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package main

// Mounts of fount's files by the kernel's 9P client.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fount/cmd/internal/test/internal/wire"
)

const (
	host       = "10.0.2.2"        // this address of QEMU's user network
	socket     = "/run/fount.sock" // the guest's own server
	mountPoint = "/mnt"            // where everything is mounted in its turn
)

// mounts visits the server on the host, and one that it starts, in all ways of package wire.
func mounts() {
	modules, err := filepath.Glob("/*.ko") // sorted: the names begin with their places in the order
	must(err)
	for _, m := range modules {
		image, err := os.ReadFile(m)
		must(err)
		must(os.NewSyscallError("init_module "+m, unix.InitModule(image, "")))
	}
	must(network("eth0", []byte{10, 0, 2, 15}, []byte{255, 255, 255, 0}))
	var visits []wire.Visit
	for _, m := range wire.Mounts {
		var server *exec.Cmd
		if m.Transport == "unix" {
			server = serveFiles()
		}
		visits = append(visits, visit(m, server))
	}
	must(wire.Send(os.Stdout, visits))
}

// network gives an interface its address and starts it, as ifconfig does.
func network(name string, address, mask []byte) error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	for _, set := range []struct {
		request uint
		value   []byte
	}{{unix.SIOCSIFADDR, address}, {unix.SIOCSIFNETMASK, mask}, {unix.SIOCSIFFLAGS, nil}} {
		r, err := unix.NewIfreq(name)
		if err != nil {
			return err
		}
		if set.value == nil {
			r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
		} else if err := r.SetInet4Addr(set.value); err != nil {
			return err
		}
		if err := unix.IoctlIfreq(s, set.request, r); err != nil {
			return fmt.Errorf("%s %v: %v", name, set.value, err)
		}
	}
	return nil
}

// serveFiles starts the guest's own server and waits until it is ready.
func serveFiles() *exec.Cmd {
	cmd := exec.Command("/fount", "serve", "files", "--listen", "unix!"+socket)
	stderr, err := cmd.StderrPipe()
	must(err)
	must(cmd.Start())
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil || !strings.Contains(line, socket) {
		must(fmt.Errorf("fount serve files says %q, %v", line, err))
	}
	return cmd
}

// A visitor is at one mount.
type visitor struct {
	wire.Visit
	mount wire.Mount
}

func visit(m wire.Mount, server *exec.Cmd) wire.Visit {
	const most = 3 * time.Minute // a step that hangs must not look like a slow machine
	defer time.AfterFunc(most, func() { must(fmt.Errorf("the visit to %s takes more than %v", m.Name, most)) }).Stop()
	v := visitor{wire.Visit{Name: m.Name}, m}
	steps := []struct {
		name string
		do   func() error
		all  bool // needs the whole tree
	}{
		{"mount", v.attach, false},
		{"list", v.list, false},
		{"read random", v.read, false},
		{"read stats", func() error { return slurp("stats", &v.Before) }, true},
		{"write seed", v.seed, true},
		{"write ctl", func() error { return write("ctl", "reseed\n", os.O_WRONLY) }, true},
		{"read stats again", func() error { return slurp("stats", &v.After) }, true},
		{"read ctl", func() error { return slurp("ctl", &v.Status) }, true},
		{"kill", func() error { return v.kill(server) }, false},
		{"unmount", func() error { return unix.Unmount(mountPoint, unix.MNT_DETACH) }, false},
	}
	for _, s := range steps {
		if s.all && !m.All {
			continue
		}
		if err := s.do(); err != nil {
			v.Failed = fmt.Sprintf("%s: %v", s.name, err)
			break
		}
	}
	return v.Visit
}

func (v *visitor) attach() error {
	if err := os.MkdirAll(mountPoint, 0o755); err != nil {
		return err
	}
	source, options := socket, "trans=unix"
	if v.mount.Transport != "unix" {
		source, options = host, "trans=tcp,port="+os.Getenv(v.mount.Transport)
	}
	options += ",msize=65536,access=any,uname=root," + v.mount.Options
	if err := unix.Mount(source, mountPoint, "9p", 0, options); err != nil {
		return fmt.Errorf("-t 9p -o %s %s: %w", options, source, err)
	}
	table, err := os.ReadFile("/proc/mounts")
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); fields[1] == mountPoint {
			v.Options = fields[3]
		}
	}
	return err
}

func (v *visitor) list() error {
	entries, err := os.ReadDir(mountPoint)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		v.Files = append(v.Files, wire.File{Name: e.Name(), Mode: uint32(info.Mode()), Size: info.Size()})
	}
	return err
}

// read makes one system call for each of the sizes.
func (v *visitor) read() error {
	f, err := os.Open(filepath.Join(mountPoint, "random"))
	if err != nil {
		return err
	}
	defer f.Close()
	for _, n := range wire.ReadSizes {
		b := make([]byte, n)
		got, err := unix.Read(int(f.Fd()), b)
		if err != nil {
			return fmt.Errorf("%d bytes: %w", n, err)
		}
		v.Reads = append(v.Reads, wire.Read{Asked: n, Got: got, First: bytes.Clone(b[:min(got, 16)])})
	}
	return nil
}

// seed writes as a program does that opens the file, and as a shell does for >seed.
func (v *visitor) seed() error {
	for i, flags := range []int{os.O_WRONLY, os.O_WRONLY | os.O_CREATE | os.O_TRUNC} {
		n := 100 + i
		if err := write("seed", strings.Repeat("s", n), flags); err != nil {
			return fmt.Errorf("%d bytes: %w", n, err)
		}
		v.Seeds = append(v.Seeds, n)
	}
	return nil
}

// kill ends the server, if there is one in the guest, so that it can't notice, and reads on.
func (v *visitor) kill(server *exec.Cmd) error {
	if server == nil {
		return nil
	}
	f, err := os.Open(filepath.Join(mountPoint, "random"))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := server.Process.Kill(); err != nil {
		return err
	}
	_ = server.Wait() // says that it was killed
	n, err := f.Read(make([]byte, 16))
	if err == nil {
		return fmt.Errorf("%d bytes without a server", n)
	}
	v.Orphan = errors.Unwrap(err).Error()
	return nil
}

func slurp(name string, dst *string) error {
	b, err := os.ReadFile(filepath.Join(mountPoint, name))
	*dst = string(b)
	return err
}

func write(name, text string, flags int) error {
	f, err := os.OpenFile(filepath.Join(mountPoint, name), flags, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
