// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// The directory to mount on: the checks of it, and dead mounts on it.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"fount"

	"golang.org/x/sys/unix"
)

// A place is an open directory. So the directory that is checked is the one that is mounted on,
// even if its path leads elsewhere meanwhile.
type place struct {
	dir    *os.File // O_PATH
	path   string   // its real one
	source string   // the mount's in mountinfo and mount(8), and no other's
}

// self is a path to the directory that nobody can change.
func (p *place) self() string { return "/proc/self/fd/" + strconv.Itoa(int(p.dir.Fd())) }

func (p *place) close() { p.dir.Close() }

// prepare opens a directory to mount a tree on, and reports whether it cleared a dead mount there.
func prepare(dir string) (p *place, cleared bool, err error) {
	for {
		p, at, err := look(dir)
		if err != nil {
			return nil, false, err
		}

		isDead, err := p.check(at)
		if err == nil && !isDead {
			return p, cleared, nil
		}
		if err == nil {
			err = p.clear()
		}

		p.close() // of a cleared mount it is the root: look again
		if err != nil {
			return nil, false, err
		}
		cleared = true
	}
}

// check returns an error unless the directory is empty and nothing answers there, or has a dead
// mount of fount's. at is what is mounted there, if anything is.
func (p *place) check(at *mountPoint) (isDead bool, err error) {
	err = p.checkEmpty()
	isDead = at != nil && errors.Is(err, unix.ENOTCONN)
	isOurs := at != nil && at.fsType == fsType
	switch {
	case isDead && isOurs:
		return true, nil
	case isDead:
		return false, fmt.Errorf("%s has a dead mount of %s; clear it: fusermount3 -u -z %[1]s, or as root umount -l %[1]s",
			p.path, at.fsType)
	case isOurs:
		return false, p.errServed()
	}
	return false, err
}

// clear takes a dead mount of fount's from the directory.
func (p *place) clear() error {
	if err := p.detach(); err != nil {
		return fmt.Errorf("%s has the dead mount of a fount that was killed: %w; clear it as root: umount -l %[1]s", p.path, err)
	}
	return nil
}

// look opens a directory and returns what is mounted on it. It reads nothing from the directory, as
// a dead mount would not answer.
func look(dir string) (p *place, at *mountPoint, err error) {
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	switch {
	case errors.Is(err, unix.ENOENT):
		return nil, nil, fmt.Errorf("%s does not exist; mkdir %s makes it", dir, dir)
	case errors.Is(err, unix.ENOTDIR):
		return nil, nil, fmt.Errorf("%s is not a directory", dir)
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}

	p = &place{dir: os.NewFile(uintptr(fd), dir), source: fmt.Sprintf("fount:%d.%d", os.Getpid(), fount.Uint32())}
	path, all, err := p.mounted()
	if err != nil {
		p.close()
		return nil, nil, err
	}
	p.path = path

	if len(all) > 0 {
		at = &all[len(all)-1] // it hides those below
	}
	return p, at, nil
}

// where returns the present path of the directory.
func (p *place) where() string {
	if path, err := os.Readlink(p.self()); err == nil {
		return path
	}
	return p.path
}

// mounted returns the present path of the directory, and what is mounted at that path.
func (p *place) mounted() (path string, at []mountPoint, err error) {
	if path, err = os.Readlink(p.self()); err != nil {
		return "", nil, err
	}
	info, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", nil, err
	}
	return path, mountsOn(string(info), path), nil
}

// own returns the index of this mount in a list, or -1.
func (p *place) own(list []mountPoint) int {
	return slices.IndexFunc(list, func(m mountPoint) bool { return m.fsType == fsType && m.source == p.source })
}

// confirm returns an error unless the mount is on the directory. It sets p.path to the present
// path: a directory under a mount can't be renamed, unless the rename had begun, but its parents
// can. If two founts mount at the same time, the lower one serves.
func (p *place) confirm() error {
	path, at, err := p.mounted()
	if err != nil {
		return err
	}
	p.path = path

	i := p.own(at)
	if i < 0 {
		return fmt.Errorf("%s was moved while it was mounted on: use a directory that nobody else can rename", p.path)
	}

	if slices.ContainsFunc(at[:i], func(m mountPoint) bool { return m.fsType == fsType }) {
		return p.errServed()
	}
	return nil
}

func (p *place) errServed() error {
	return fmt.Errorf("%s serves random files already; umount %s ends that", p.path, p.path)
}

// uncovered reports whether the mount is on the directory, wherever that is now; a copy of it that
// mount --bind made is not. The error names another's mount on top of it, which would be unmounted
// in its place.
func (p *place) uncovered() (there bool, err error) {
	path, at, err := p.mounted()
	for tries := 0; tries < 1000 && err == nil && path != p.where(); tries++ { // a directory above it was renamed
		path, at, err = p.mounted()
	}
	if err != nil {
		return false, err
	}

	i := p.own(at)
	if i < 0 {
		return false, nil
	}

	if top := at[len(at)-1]; i < len(at)-1 {
		err = fmt.Errorf("%s has another mount on top, %s of type %s: umount that first, then umount %[1]s", top.path, top.source, top.fsType)
	}
	return true, err
}

// unmount unmounts the directory. If the mount is in use, the error is EBUSY.
func (p *place) unmount() error {
	if isRoot() {
		return unix.Unmount(p.self(), 0)
	}
	return runHelper("-u", "--", p.where())
}

// detach takes what is mounted on the directory, or the mount that it is the root of, from the
// names although it is in use and, as root, aborts it.
func (p *place) detach() error {
	if isRoot() {
		return unix.Unmount(p.self(), unix.MNT_FORCE|unix.MNT_DETACH)
	}
	return runHelper("-u", "-z", "--", p.where())
}

// checkEmpty returns an error if the directory can't be read, or has files, which a mount would
// hide.
func (p *place) checkEmpty() error {
	fd, err := unix.Openat(int(p.dir.Fd()), ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: p.path, Err: err}
	}

	d := os.NewFile(uintptr(fd), p.path)
	defer d.Close()
	names, err := d.Readdirnames(1)
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%s is not empty (it has %q), and a mount would hide that; use an empty directory", p.path, names[0])
}

// A mountPoint is a line of mountinfo.
type mountPoint struct {
	path   string
	fsType string
	source string
}

// mountsOn returns the mounts on a path, of which each hides the ones before it.
func mountsOn(info, path string) (found []mountPoint) {
	for line := range strings.Lines(info) {
		if m, ok := parseMount(line); ok && m.path == path {
			found = append(found, m)
		}
	}
	return found
}

// parseMount reads a line: six fields, of which the fifth is the path, any number of others, "-",
// the type and the source.
func parseMount(line string) (m mountPoint, ok bool) {
	fields := strings.Fields(line)
	for i := 6; i+2 < len(fields); i++ {
		if fields[i] == "-" {
			return mountPoint{path: unescape(fields[4]), fsType: fields[i+1], source: unescape(fields[i+2])}, true
		}
	}
	return m, false
}

// unescape replaces what the kernel writes as \ooo in mountinfo.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`, `\043`, "#").Replace
