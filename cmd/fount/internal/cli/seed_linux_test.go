// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what fount seed load gives to the kernel, which can't be read back: on a terminal in its place, and by
// watching the device.

package cli

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// A terminal is a device whose other end tells what was written to it: 32 bytes, and each time others.
func TestKernelGets32Bytes(t *testing.T) {
	screen, tty := openTerminal(t, 80)
	if _, err := term.MakeRaw(int(tty.Fd())); err != nil {
		t.Fatal(err)
	}
	const times = 3
	for range times {
		if err := tellKernel(tty.Name()); err != nil {
			t.Fatal(err)
		}
	}
	tty.Close()
	all, err := io.ReadAll(screen)
	if err != nil && !errors.Is(err, unix.EIO) { // nobody has the other end open
		t.Fatal(err)
	}
	if len(all) != 32*times {
		t.Fatalf("%d bytes in %d times, want 32 each", len(all), times)
	}
	seen := map[[32]byte]bool{{}: true}
	for i := range times {
		b := [32]byte(all[32*i:])
		if seen[b] {
			t.Errorf("the %d. are zeros or were given before: %x", i+1, b)
		}
		seen[b] = true
	}
}

// written runs a command and reports whether the kernel's device was written to meanwhile, by anybody.
func written(t *testing.T, command ...string) bool {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		t.Skipf("the device can't be watched: %v", err)
	}
	defer unix.Close(fd)
	if _, err := unix.InotifyAddWatch(fd, kernelDevice, unix.IN_MODIFY); err != nil {
		t.Skipf("the device can't be watched: %v", err)
	}
	cmd := exec.Command(command[0], command[1:]...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v, %s", command, err, out)
	}
	buf := make([]byte, 4096)
	_, err = unix.Read(fd, buf)
	if err != nil && !errors.Is(err, unix.EAGAIN) {
		t.Fatal(err)
	}
	return err == nil
}

// The kernel gets something when there was something to load, and else nothing.
func TestSeedLoadReachesTheKernel(t *testing.T) {
	if !written(t, "sh", "-c", "echo >"+kernelDevice) {
		t.Skip("this kernel does not tell when the device is written to")
	}
	path := filepath.Join(t.TempDir(), "seed")
	if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		command string
		writes  bool
	}{{"load", false}, {"save", false}, {"load", true}, {"load", true}} {
		run := func() bool { return written(t, "fount", "seed", step.command, path) }
		was := run()
		for i := 0; i < 3 && was && !step.writes; i++ { // it may have been another program
			if step.command == "load" {
				os.Remove(path)
			}
			was = run()
		}
		if was != step.writes {
			t.Errorf("fount seed %s: the kernel was written to: %v, want %v", step.command, was, step.writes)
		}
	}
}
