// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package guest

// The guest: one static program, in the archive format that Linux unpacks into
// its first root directory (Documentation/driver-api/early-userspace/
// buffer-format.rst, "newc").

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Initrd returns the file of an initial root directory with the test's own program
// ./guest as /init, and copies of the extra files: their names
// in the guest, without a directory, and those of what they are copies of.
func Initrd(t *testing.T, extra ...[2]string) string {
	dir := t.TempDir()
	program := filepath.Join(dir, "init")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "./guest")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build ./guest: %v\n%s", err, out)
	}
	init, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	var a cpio
	for _, name := range []string{"dev", "proc", "sys"} {
		a.add(name, 0o040755, nil)
	}
	// Open as descriptors 0 to 2 when init starts.
	a.addDevice("dev/console", 0o020600, 5, 1)
	a.add("init", 0o100755, init)
	for _, names := range extra {
		data, err := os.ReadFile(names[1])
		if err != nil {
			t.Fatal(err)
		}
		a.add(names[0], 0o100755, data)
	}
	a.add("TRAILER!!!", 0, nil)
	file := filepath.Join(dir, "initrd")
	if err := os.WriteFile(file, a.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A cpio is an archive under construction.
type cpio struct {
	bytes.Buffer
	inode int
}

func (a *cpio) add(name string, mode int, data []byte) {
	a.member(name, mode, 0, 0, data)
}

func (a *cpio) addDevice(name string, mode, major, minor int) {
	a.member(name, mode, major, minor, nil)
}

func (a *cpio) member(name string, mode, major, minor int, data []byte) {
	a.inode++
	a.WriteString("070701")
	for _, field := range []int{
		a.inode, mode, 0, 0, // inode, mode, uid, gid
		1, 0, len(data), // links, mtime, size
		0, 0, major, minor, // the device it is on, the device it is
		len(name) + 1, 0, // name's size with its zero byte, checksum
	} {
		fmt.Fprintf(a, "%08X", field)
	}
	a.WriteString(name + "\x00")
	a.pad()
	a.Write(data)
	a.pad()
}

// pad fills up to a multiple of 4 bytes.
func (a *cpio) pad() {
	for a.Len()%4 != 0 {
		a.WriteByte(0)
	}
}
