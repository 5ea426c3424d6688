// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// Kernels and their modules: Debian's packages, downloaded and unpacked but not installed.

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A Debian is a metapackage of a kernel, and the series that it must be of.
type Debian struct{ meta, series string }

// The kernels of Debian bookworm and bookworm-security.
var (
	Linux61      = Debian{"linux-image-amd64", "6.1"} // the cloud kernel has no vmgenid driver
	Linux612     = Debian{"linux-image-6.12-cloud-amd64", "6.12"}
	Linux612Full = Debian{"linux-image-6.12-amd64", "6.12"} // has 9P, as a module
)

// Kernel returns the file of a kernel, and those of the modules that are named and of all that they
// depend on, in the order in which they load. They are kept in the user's cache. It skips the test
// if this system's package lists hold no kernel of the series.
func Kernel(t *testing.T, d Debian, names ...string) (kernel string, modules []string) {
	t.Helper()
	for _, tool := range []string{"apt-cache", "apt-get", "dpkg-deb", "xz"} {
		if _, err := exec.LookPath(tool); err != nil {
			lack(t, "the kernel comes as a Debian package: %v", err)
		}
	}
	out, err := exec.Command("apt-cache", "show", "--no-all-versions", d.meta).Output()
	if err != nil {
		lack(t, "apt-cache show %s: %v; needs bookworm-security in the package lists, and apt-get update", d.meta, err)
	}
	_, depends, _ := strings.Cut(string(out), "\nDepends: ")
	pkg := strings.FieldsFunc(depends+"\n", func(r rune) bool { return strings.ContainsRune(" ,|\n", r) })
	if len(pkg) == 0 || !strings.HasPrefix(pkg[0], "linux-image-"+d.series+".") {
		lack(t, "%s depends on %q here, want linux-image-%s.*", d.meta, pkg, d.series)
	}
	cache, err := os.UserCacheDir()
	if err != nil || os.MkdirAll(filepath.Join(cache, "fount-clone"), 0o700) != nil {
		cache = t.TempDir()
	}
	dir := filepath.Join(cache, "fount-clone", strings.Join(append([]string{pkg[0], "with"}, names...), "-"))
	if _, err := os.Stat(dir); err != nil {
		if err := unpack(t.TempDir(), pkg[0], dir, names); err != nil {
			t.Fatal(err)
		}
	}
	modules, err = filepath.Glob(filepath.Join(dir, "*.ko"))
	if err != nil || len(modules) < len(names) {
		t.Fatalf("%d modules in %s, want at least %d: %v", len(modules), dir, len(names), err)
	}
	return filepath.Join(dir, "vmlinuz"), modules // Glob sorts
}

// unpack makes the directory dst with the kernel of a package and the modules, each numbered by its
// place in the order. It appears whole or not at all.
func unpack(tmp, pkg, dst string, names []string) error {
	get := exec.Command("sh", "-c", `apt-get download -qq "$1" && dpkg-deb -x *.deb root && mv root/boot/vmlinuz-* vmlinuz`, "sh", pkg)
	get.Dir = tmp
	if out, err := get.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %v\n%s", pkg, err, out)
	}
	part, err := os.MkdirTemp(filepath.Dir(dst), "part-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	image, err := os.ReadFile(filepath.Join(tmp, "vmlinuz"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(part, "vmlinuz"), image, 0o600); err != nil {
		return err
	}
	u := unpacker{part, make(map[string]string), 0}
	err = filepath.WalkDir(filepath.Join(tmp, "root"), func(path string, _ fs.DirEntry, err error) error {
		if name, found := strings.CutSuffix(filepath.Base(path), ".ko.xz"); found {
			u.files[moduleName(name)] = path
		}
		return err
	})
	for _, name := range names {
		err = errors.Join(err, u.save(name))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", pkg, err)
	}
	return os.Rename(part, dst)
}

// moduleName is the one form of a name that is written with - or _.
func moduleName(name string) string { return strings.ReplaceAll(name, "-", "_") }

// An unpacker saves modules after those that they depend on. The package has no modules.dep, which
// its installation makes.
type unpacker struct {
	dir   string            // where to
	files map[string]string // by the name of the module; "" is saved
	saved int
}

func (u *unpacker) save(name string) error {
	name = moduleName(name)
	file, found := u.files[name]
	if !found {
		return fmt.Errorf("no module %s", name)
	}
	if file == "" {
		return nil
	}
	u.files[name] = ""
	module, err := exec.Command("xz", "-dc", file).Output()
	if err != nil {
		return fmt.Errorf("xz -dc %s: %w", file, err)
	}
	needed, err := dependencies(module)
	for _, n := range needed {
		err = errors.Join(err, u.save(n))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	u.saved++
	return os.WriteFile(filepath.Join(u.dir, fmt.Sprintf("%02d-%s.ko", u.saved, name)), module, 0o600)
}

// dependencies returns the names of the modules that a module needs. Its section .modinfo holds
// strings KEY=VALUE, each ended by a zero byte (Linux, include/linux/moduleparam.h).
func dependencies(module []byte) ([]string, error) {
	f, err := elf.NewFile(bytes.NewReader(module))
	if err != nil {
		return nil, err
	}
	section := f.Section(".modinfo")
	if section == nil {
		return nil, errors.New("no section .modinfo")
	}
	info, err := section.Data()
	if err != nil {
		return nil, err
	}
	_, list, _ := strings.Cut("\x00"+string(info), "\x00depends=")
	list, _, _ = strings.Cut(list, "\x00")
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' }), nil
}
