// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The directories that sysfs shows of a driver, as listed on the systems named.
func TestFindNotifier(t *testing.T) {
	for name, c := range map[string]struct {
		entries string // name, or name -> for a link; with directories
		want    string // "" if there is none
	}{
		"no /sys":                             {"", ""},
		"Firecracker, Linux 6.18":             {"platform/bind platform/uevent platform/unbind platform/VMGENCTR:00->", "VMGENCTR:00"},
		"QEMU, Debian's 6.12, module":         {"platform/bind platform/module-> platform/QEMUVGID:00->", "QEMUVGID:00"},
		"acpi_driver of Linux 5.18 to 6.9":    {"acpi/bind acpi/unbind acpi/QEMUVGID:00->", "QEMUVGID:00"},
		"Hyper-V":                             {"acpi/bind acpi/Hyper_V_Gen_Counter_V1:00->", "Hyper_V_Gen_Counter_V1:00"},
		"driver without a device":             {"platform/bind platform/uevent platform/unbind", ""},
		"module without a device":             {"platform/bind platform/module-> acpi/bind", ""},
		"an empty directory":                  {"platform/", ""},
		"a file where the directory would be": {"platform", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for entry := range strings.FieldsSeq(c.entries) {
				path, link := strings.CutSuffix(entry, "->")
				path = filepath.Join(dir, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}

				var err error
				switch {
				case link:
					err = os.Symlink("../../../../devices/x", path)
				case strings.HasSuffix(entry, "/"):
					err = os.MkdirAll(path, 0o700)
				default:
					err = os.WriteFile(path, nil, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}

			got, err := findNotifier([]string{filepath.Join(dir, "platform"), filepath.Join(dir, "acpi")})
			if got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
			if _, short := err.(shortage); short {
				t.Errorf("%v is a shortage", err)
			}
		})
	}
}
