// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Initrd returns the file of a root directory with the guest as /init and copies of other files. It
// is in the format "newc", which Linux unpacks (Documentation/driver-api/early-userspace/
// buffer-format.rst).
func Initrd(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	init := Build(t, "fount/cmd/internal/test/internal/guest", filepath.Join(dir, "init"))
	var a cpio
	for _, name := range []string{"dev", "proc", "sys"} {
		a.add(name, 0o040755, 0, 0, nil)
	}
	a.add("dev/console", 0o020600, 5, 1, nil) // open as descriptors 0 to 2 when init starts
	for _, file := range append(files, init) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a.add(filepath.Base(file), 0o100755, 0, 0, data)
	}
	a.add("TRAILER!!!", 0, 0, 0, nil)
	file := filepath.Join(dir, "initrd")
	if err := os.WriteFile(file, a.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Build builds a static program for the guest, and returns its file.
func Build(t *testing.T, pkg, file string) string {
	t.Helper()
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", file, pkg)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	return file
}

// A cpio is an archive under construction.
type cpio struct {
	bytes.Buffer
	inode int
}

// add adds a file. Major and minor are a device's numbers.
func (a *cpio) add(name string, mode, major, minor int, data []byte) {
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
	for _, part := range []string{name + "\x00", string(data)} {
		a.WriteString(part)
		for a.Len()%4 != 0 {
			a.WriteByte(0)
		}
	}
}
