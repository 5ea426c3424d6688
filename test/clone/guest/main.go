// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

// Command guest is the only program of the machine that the clone test boots,
// snapshots and resumes. It draws from several generators all the time and
// keeps every value with the uniqueness word before and after it. It is not
// for use outside of that machine: it runs as init and powers off at its end.
//
// main.go is the conversation with the test, draw.go, straddle.go or clock.go what
// goes on meanwhile, tray.go where it leaves the results.
package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"fount"
	"fount/test/clone/wire"
	"fount/uniqueness"

	"golang.org/x/sys/unix"
)

func main() {
	must(mount())
	link, err := openLink("/dev/ttyS1")
	must(err)
	ready := wire.Ready{Kernel: release(), Go: runtime.Version()}
	ready.Reseeds = seek()
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
	must(unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF))
}

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

// must stops the machine: the end of init is a kernel panic, and the test reads
// the console.
func must(err error) {
	if err != nil {
		fmt.Println("guest:", err)
		os.Exit(1)
	}
}

// mount makes what package uniqueness looks at appear, and lets the kernel say
// on the console that it noticed a clone.
func mount() error {
	for _, fs := range [][2]string{{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}} {
		if err := unix.Mount(fs[0], fs[1], fs[0], 0, ""); err != nil {
			return fmt.Errorf("mount %s: %v", fs[1], err)
		}
	}
	return os.WriteFile("/proc/sys/kernel/printk", []byte("7"), 0)
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

func release() string {
	b, err := os.ReadFile("/proc/sys/kernel/osrelease")
	must(err)
	return strings.TrimSpace(string(b))
}

func status() []byte {
	b, err := json.Marshal(fount.Status())
	must(err)
	return b
}

// seek has package uniqueness look for its word, and the kernel reseed, which
// tells candidates apart, until the word is held. It returns how many reseeds
// that took; 50 are enough for any that is there.
func seek() (reseeds int) {
	random, err := os.Open("/dev/urandom")
	must(err)
	defer random.Close()
	for ; ; reseeds++ {
		fount.Reseed()
		fount.Nonce()
		uniqueness.Check()
		if uniqueness.Held() || reseeds == 50 {
			return reseeds
		}
		must(unix.IoctlSetInt(int(random.Fd()), unix.RNDRESEEDCRNG, 0))
	}
}

// settle waits for the kernel to reseed by itself. It does so whenever its
// uptime has grown by half (drivers/char/random.c, crng_reseed_interval), so
// that the next is a second away and not taken for the clone's.
func settle() {
	for word := uniqueness.Load(); uniqueness.Load() == word; {
		time.Sleep(time.Millisecond)
	}
}
