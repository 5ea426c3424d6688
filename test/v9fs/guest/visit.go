// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package main

// A visit: mount, look around, read, write, unmount.

import (
	"bytes"
	"errors"
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

// place is where everything is mounted in its turn.
const place = "/mnt"

// A visitor is one at work.
type visitor struct {
	wire.Visit
	mount wire.Mount
}

func visit(m wire.Mount, server *exec.Cmd) wire.Visit {
	defer giveUp("the visit to "+m.Name, 3*time.Minute)()
	v := visitor{wire.Visit{Name: m.Name, Kernel: inside.Release()}, m}
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
		{"unmount", func() error { return unix.Unmount(place, unix.MNT_DETACH) }, false},
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
	if err := os.MkdirAll(place, 0o755); err != nil {
		return err
	}
	source, options := socket, "trans=unix"
	if v.mount.Transport != "unix" {
		source, options = host, "trans=tcp,port="+os.Getenv(v.mount.Transport) // from the kernel's command line
	}
	options += ",msize=65536,access=any,uname=root," + v.mount.Options
	if err := unix.Mount(source, place, "9p", 0, options); err != nil {
		return fmt.Errorf("-t 9p -o %s %s: %w", options, source, err)
	}
	table, err := os.ReadFile("/proc/mounts")
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); fields[1] == place {
			v.Options = fields[3]
		}
	}
	return err
}

func (v *visitor) list() error {
	entries, err := os.ReadDir(place)
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
	f, err := os.Open(filepath.Join(place, "random"))
	if err != nil {
		return err
	}
	defer f.Close()
	for _, n := range wire.Sizes {
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

// kill ends the server in a way that it can't notice, and reads on.
func (v *visitor) kill(server *exec.Cmd) error {
	if server == nil {
		return nil
	}
	f, err := os.Open(filepath.Join(place, "random"))
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
	b, err := os.ReadFile(filepath.Join(place, name))
	*dst = string(b)
	return err
}

func write(name, text string, flags int) error {
	f, err := os.OpenFile(filepath.Join(place, name), flags, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
