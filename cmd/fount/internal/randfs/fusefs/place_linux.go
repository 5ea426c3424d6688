// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// The directory to mount on: what must be true of it, and dead mounts in it.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// prepare returns the real path of a directory on which a tree can be mounted, and whether it cleared a dead mount
// there.
func prepare(dir string) (path string, cleared bool, err error) {
	for {
		path, at, err := look(dir)
		if err != nil {
			return "", false, err
		}
		switch err := emptiness(path); {
		case errors.Is(err, unix.ENOTCONN) && at != nil && at.fsType == fsType:
			if err := detach(path); err != nil {
				return "", false, fmt.Errorf("%s has the dead mount of a fount that was killed: %w; clear it as root: "+
					"umount -l %s", path, err, path)
			}
			cleared = true
		case errors.Is(err, unix.ENOTCONN) && at != nil:
			return "", false, fmt.Errorf("%s has a dead mount of %s; clear it: fusermount3 -u -z %[1]s, or as root "+
				"umount -l %[1]s", path, at.fsType)
		case at != nil && at.fsType == fsType:
			return "", false, fmt.Errorf("%s serves random files already; umount %s ends that", path, path)
		case err != nil:
			return "", false, err
		default:
			return path, cleared, nil
		}
	}
}

// look returns the real path of a directory and, if something is mounted on it, what. It asks the directory nothing, so
// that a dead mount does not matter.
func look(dir string) (path string, at *mountPoint, err error) {
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	switch {
	case errors.Is(err, unix.ENOENT):
		return "", nil, fmt.Errorf("%s does not exist; mkdir %s makes it", dir, dir)
	case errors.Is(err, unix.ENOTDIR):
		return "", nil, fmt.Errorf("%s is not a directory", dir)
	case err != nil:
		return "", nil, fmt.Errorf("%s: %w", dir, err)
	}
	defer unix.Close(fd)
	if path, err = os.Readlink("/proc/self/fd/" + strconv.Itoa(fd)); err != nil {
		return "", nil, err
	}
	info, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", nil, err
	}
	return path, mountOn(info, path), nil
}

// emptiness is an error if the directory can't be read or holds files, which a mount would hide.
func emptiness(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	switch names, err := d.Readdirnames(1); {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	default:
		return fmt.Errorf("%s is not empty (it has %q), and a mount would hide that; use an empty directory",
			dir, names[0])
	}
}
