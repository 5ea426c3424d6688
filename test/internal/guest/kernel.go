// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package guest

// The kernels: Debian's packages, downloaded and not installed.

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Kernel returns the file of the kernel that the Debian package meta depends on.
// The test is skipped if this machine's package lists hold none of that series.
func Kernel(t *testing.T, meta, series string) string {
	name := kernelPackage(t, meta, series)
	kernel := filepath.Join(cacheDir(t), strings.Replace(name, "linux-image-", "vmlinuz-", 1))
	if _, err := os.Stat(kernel); err == nil {
		return kernel
	}
	if err := downloadKernel(t.TempDir(), name, kernel); err != nil {
		t.Fatal(err)
	}
	return kernel
}

// kernelPackage returns the name of the package that meta depends on.
func kernelPackage(t *testing.T, meta, series string) string {
	for _, tool := range []string{"apt-cache", "apt-get", "dpkg-deb"} {
		if _, err := exec.LookPath(tool); err != nil {
			lack(t, "the kernel comes as a Debian package: %v", err)
		}
	}
	out, err := exec.Command("apt-cache", "show", "--no-all-versions", meta).Output()
	if err != nil {
		lack(t, "apt-cache show %s: %v; needs bookworm-security in the package lists, and apt-get update", meta, err)
	}
	name := dependency(string(out))
	if !strings.HasPrefix(name, "linux-image-"+series+".") {
		lack(t, "%s depends on %q here, want linux-image-%s.*", meta, name, series)
	}
	return name
}

// cacheDir returns where what was downloaded stays, or a directory of this test's if there is no such place.
func cacheDir(t *testing.T) string {
	if cache, err := os.UserCacheDir(); err == nil {
		cache = filepath.Join(cache, "fount-clone")
		if os.MkdirAll(cache, 0o700) == nil {
			return cache
		}
	}
	return t.TempDir()
}

// dependency returns the package that the first Depends line of apt-cache's
// output starts with.
func dependency(show string) string {
	for line := range strings.Lines(show) {
		if list, ok := strings.CutPrefix(line, "Depends: "); ok {
			return strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(" ,|\n", r) })[0]
		}
	}
	return ""
}

// downloadKernel puts the kernel image of a Debian package into the file dst.
func downloadKernel(dir, pkg, dst string) error {
	deb, err := download(dir, pkg)
	if err != nil {
		return err
	}
	unpack := exec.Command("dpkg-deb", "--fsys-tarfile", deb)
	archive, err := unpack.StdoutPipe()
	if err != nil {
		return err
	}
	if err := unpack.Start(); err != nil {
		return err
	}
	err = saveMember(archive, "./boot/vmlinuz-", dst)
	// Most of the archive is modules, which are not read.
	archive.Close()
	unpack.Wait()
	if err != nil {
		return fmt.Errorf("%s: %v", deb, err)
	}
	return nil
}

// download fetches a Debian package into the empty directory dir, and returns its file.
func download(dir, pkg string) (deb string, err error) {
	get := exec.Command("apt-get", "download", "-qq", pkg)
	get.Dir = dir
	if out, err := get.CombinedOutput(); err != nil {
		return "", fmt.Errorf("apt-get download %s: %v\n%s", pkg, err, out)
	}
	debs, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil || len(debs) != 1 {
		return "", fmt.Errorf("apt-get download %s: %d packages in %s, want 1", pkg, len(debs), dir)
	}
	return debs[0], nil
}

// saveMember copies the first file of a tar archive whose name starts with
// prefix to dst, which appears whole or not at all.
func saveMember(archive io.Reader, prefix, dst string) error {
	r := tar.NewReader(archive)
	for {
		h, err := r.Next()
		if err != nil {
			return errors.Join(fmt.Errorf("no file %s*", prefix), err)
		}
		if strings.HasPrefix(h.Name, prefix) {
			break
		}
	}
	f, err := os.CreateTemp(filepath.Dir(dst), "vmlinuz-part-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = io.Copy(f, r)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), dst)
}
