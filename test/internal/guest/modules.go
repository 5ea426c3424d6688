// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package guest

// The modules of a kernel: from the same Debian package, unpacked, in the order in which
// they load. The package has no modules.dep (its installation makes that), so the order
// comes from what each module says of itself.

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// KernelWith is Kernel with modules: those named and all that they depend on, as files
// to be loaded in that order.
func KernelWith(t *testing.T, meta, series string, names ...string) (kernel string, modules []string) {
	if _, err := exec.LookPath("xz"); err != nil {
		lack(t, "Debian's modules are compressed (package xz-utils): %v", err)
	}
	pkg := kernelPackage(t, meta, series)
	dir := filepath.Join(cacheDir(t), strings.Join(append([]string{pkg, "with"}, names...), "-"))
	if _, err := os.Stat(dir); err != nil {
		if err := unpack(t.TempDir(), pkg, dir, names); err != nil {
			t.Fatal(err)
		}
	}
	modules, err := filepath.Glob(filepath.Join(dir, "*.ko"))
	if err != nil || len(modules) < len(names) {
		t.Fatalf("%d modules in %s, want at least %d: %v", len(modules), dir, len(names), err)
	}
	return filepath.Join(dir, "vmlinuz"), modules // Glob sorts
}

// unpack makes the directory dst with the kernel of a Debian package and the modules, each
// numbered by its place in the order. It appears whole or not at all.
func unpack(tmp, pkg, dst string, names []string) error {
	deb, err := download(tmp, pkg)
	if err != nil {
		return err
	}
	root := filepath.Join(tmp, "root")
	if out, err := exec.Command("dpkg-deb", "-x", deb, root).CombinedOutput(); err != nil {
		return fmt.Errorf("dpkg-deb -x %s: %v\n%s", deb, err, out)
	}
	part, err := os.MkdirTemp(filepath.Dir(dst), "part-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	u := unpacker{dir: part, files: make(map[string]string), done: make(map[string]bool)}
	err = u.find(root)
	if err == nil {
		err = u.saveKernel(root)
	}
	for _, name := range names {
		err = errors.Join(err, u.save(name))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", deb, err)
	}
	return os.Rename(part, dst)
}

// An unpacker saves modules after those that they depend on.
type unpacker struct {
	dir   string            // where to
	files map[string]string // by the name of the module
	done  map[string]bool
	saved int
}

// find takes down which modules there are.
func (u *unpacker) find(root string) error {
	return filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if name, found := strings.CutSuffix(filepath.Base(path), ".ko.xz"); found {
			u.files[moduleName(name)] = path
		}
		return err
	})
}

// moduleName is the one form of a name that is written with - or _.
func moduleName(name string) string { return strings.ReplaceAll(name, "-", "_") }

func (u *unpacker) saveKernel(root string) error {
	images, err := filepath.Glob(filepath.Join(root, "boot", "vmlinuz-*"))
	if err != nil || len(images) != 1 {
		return fmt.Errorf("%d kernels, want 1", len(images))
	}
	image, err := os.ReadFile(images[0])
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(u.dir, "vmlinuz"), image, 0o600)
}

func (u *unpacker) save(name string) error {
	name = moduleName(name)
	if u.done[name] {
		return nil
	}
	u.done[name] = true
	file, found := u.files[name]
	if !found {
		return fmt.Errorf("no module %s", name)
	}
	module, err := exec.Command("xz", "-dc", file).Output()
	if err != nil {
		return fmt.Errorf("xz -dc %s: %w", file, err)
	}
	needed, err := dependencies(module)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, n := range needed {
		if err := u.save(n); err != nil {
			return err
		}
	}
	numbered := fmt.Sprintf("%02d-%s.ko", u.saved, name)
	u.saved++
	return os.WriteFile(filepath.Join(u.dir, numbered), module, 0o600)
}

// dependencies returns the names of the modules that a module says it depends on: the
// section .modinfo holds strings KEY=VALUE, each ended by a zero byte (Linux,
// include/linux/moduleparam.h).
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
	for entry := range strings.SplitSeq(string(info), "\x00") {
		if list, found := strings.CutPrefix(entry, "depends="); found {
			return slices.DeleteFunc(strings.Split(list, ","), func(s string) bool { return s == "" }), nil
		}
	}
	return nil, nil
}
