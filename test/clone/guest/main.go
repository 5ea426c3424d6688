// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

// Command guest is the only program of the machine that the clone test boots,
// snapshots and resumes. It draws from several generators all the time and
// keeps every value with the uniqueness word before and after it. It is not
// for use outside of that machine: it runs as init and powers off at its end.
//
// main.go is the conversation with the test and the tray where it leaves the results, draw.go, straddle.go or clock.go what
// goes on meanwhile.
package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fount"
	"fount/test/clone/wire"
	"fount/test/internal/inside"
	"fount/uniqueness"

	"golang.org/x/sys/unix"
)

func main() {
	inside.Mount()
	must(os.WriteFile("/proc/sys/kernel/printk", []byte("7"), 0)) // the kernel says on the console that it noticed a clone
	link, err := openLink("/dev/ttyS1")
	must(err)
	ready := wire.Ready{Kernel: inside.Release(), Go: runtime.Version()}
	ready.Reseeds = inside.Seek()
	tray, err := openTray()
	must(err)
	serve := rounds
	switch os.Getenv("draws") {
	case "straddling":
		serve = straddle
	case "clock":
		serve = clock
	}
	ready.Held = uniqueness.Held()
	dump := serve(tray, link, &ready, ready.Held)
	var b bytes.Buffer
	must(gob.NewEncoder(&b).Encode(dump))
	done := wire.Done{Bytes: copy(tray[wire.MarksSize:], b.Bytes())}
	if done.Bytes < b.Len() {
		must(fmt.Errorf("%d bytes do not fit into the tray", b.Len()))
	}
	must(gob.NewEncoder(link).Encode(done))
	must(unix.IoctlSetInt(int(link.Fd()), unix.TCSBRK, 1)) // waits until all is sent
	inside.PowerOff()
}

var must = inside.Must

// rounds draws from every stream in turn.
func rounds(tray []byte, link *os.File, ready *wire.Ready, moves bool) any {
	if moves {
		settle()
	}
	l := newLog(tray)
	l.start()
	ready.Word = uniqueness.Load()
	resume := offer(link, ready)
	// From here on there are clones.
	for resume.Await && uniqueness.Load() == resume.Word {
		runtime.Gosched()
	}
	var dump wire.Dump
	l.stop(resume.More)
	dump.Status, dump.Word, dump.Held = status(), uniqueness.Load(), uniqueness.Held()
	must(l.collect(&dump, resume))
	return dump
}

// straddle has many callers draw what straddles refills, until the word has moved.
func straddle(tray []byte, link *os.File, ready *wire.Ready, moves bool) any {
	s := newStraddlers(tray)
	if moves {
		settle()
	}
	ready.Word = s.arm()
	resume := offer(link, ready)
	return s.dump(&resume.Since)
}

// offer says that the machine may be stopped and cloned, and returns a clone's orders.
func offer(link *os.File, ready *wire.Ready) *wire.Resume {
	ready.Status = status()
	must(gob.NewEncoder(link).Encode(ready))
	var resume wire.Resume
	must(gob.NewDecoder(link).Decode(&resume))
	return &resume
}

// openLink opens the serial port to the test, without echo and translation.
func openLink(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	t, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", name, err)
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B115200
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return f, unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, t)
}

func status() []byte {
	b, err := json.Marshal(fount.Status())
	must(err)
	return b
}

// settle waits for the kernel to reseed by itself. It does so whenever its
// uptime has grown by half (drivers/char/random.c, crng_reseed_interval), so
// that the next is a second away and not taken for the clone's.
func settle() {
	for word := uniqueness.Load(); uniqueness.Load() == word; {
		time.Sleep(time.Millisecond)
	}
}

// The tray is memory that guest and test share, as large results would take seconds over a serial port (100 kB/s measured).
//
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
