// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The fallback of kernels without getrandom.
func TestDevice(t *testing.T) {
	a, b := make([]byte, 4096), make([]byte, 4096)
	for _, p := range [][]byte{a, b} {
		if err := readURandom(p); err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Equal(a, b) || bytes.Contains(a, make([]byte, 8)) {
		t.Error("/dev/urandom was not read")
	}
}

// What stands at the device's path but is not the device is refused.
func TestOpenCharRefusesWhatIsNotTheDevice(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "urandom")
	if err := os.WriteFile(plain, make([]byte, 64), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Fatal(err)
	}

	for path, want := range map[string]string{
		plain:                       "is not the kernel's device",
		link:                        "is not the kernel's device",
		"/dev/null":                 "is not the kernel's device",
		filepath.Join(dir, "no"):    "no such file",
		filepath.Join(plain, "too"): "not a directory",
	} {
		fd, err := openChar(path, 9)
		if err == nil {
			unix.Close(fd)
			t.Errorf("%s was taken for /dev/urandom", path)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}

	fd, err := openChar("/dev/urandom", 9) // control
	if err != nil {
		t.Fatal(err)
	}
	unix.Close(fd)
}
