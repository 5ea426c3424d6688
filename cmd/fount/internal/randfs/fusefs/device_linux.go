// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// /dev/fuse, and mounting it on a directory.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// fsType is the type of fount's mounts in /proc/self/mountinfo.
const fsType = "fuse.fount"

// A device is /dev/fuse, opened for one mount. Closing the device aborts the mount.
type device struct {
	fd   int
	once sync.Once
}

func (d *device) close() { d.once.Do(func() { unix.Close(d.fd) }) }

// isRoot reports whether the process may call mount(2) itself.
func isRoot() bool { return os.Geteuid() == 0 }

// mountDirectly mounts by mount(2), as root can.
func mountDirectly(p *place, o *Options) (*device, error) {
	// Close-on-exec: a child that kept the device would keep a dead mount from being seen as dead.
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENXIO) || errors.Is(err, unix.ENODEV):
		return nil, fmt.Errorf("no FUSE in this kernel or container: %w opening /dev/fuse; try modprobe fuse", err)
	case err != nil:
		return nil, fmt.Errorf("opening /dev/fuse: %w", err)
	}

	options := fmt.Sprintf("fd=%d,rootmode=%o,user_id=%d,group_id=%d,%s", fd, unix.S_IFDIR, os.Geteuid(), os.Getegid(),
		strings.Join(mountOptions(o), ","))

	err = unix.Mount(p.source, p.self(), fsType, unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options)
	if err != nil {
		unix.Close(fd)
		if errors.Is(err, unix.EPERM) {
			return nil, fmt.Errorf("mounting on %s: %w; root needs CAP_SYS_ADMIN for that", p.path, err)
		}
		return nil, fmt.Errorf("mounting on %s: %w", p.path, err)
	}
	return &device{fd: fd}, nil
}

// mountOptions returns the options that both mount(2) and fusermount3 take.
func mountOptions(o *Options) []string {
	list := []string{"default_permissions", fmt.Sprintf("max_read=%d", maxRead)}
	if o.AllowOther {
		list = append(list, "allow_other")
	}
	return list
}

// mountWithHelper runs fusermount3, which is setuid root, mounts, and sends the device through a
// socket.
func mountWithHelper(p *place, o *Options) (*device, error) {
	helper, err := findHelper()
	if err != nil {
		return nil, err
	}

	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("a socket for %s: %w", helper, err)
	}

	ours := pair[0]
	theirs := os.NewFile(uintptr(pair[1]), "socket")
	defer unix.Close(ours)

	options := append([]string{"fsname=" + p.source, "subtype=fount", "noexec"}, mountOptions(o)...)
	cmd := helperCommand(helper, "-o", strings.Join(options, ","), "--", ".")
	cmd.Env = append(cmd.Env, "_FUSE_COMMFD=3")
	cmd.Dir = p.self()                  // which the child has until it becomes the helper
	cmd.ExtraFiles = []*os.File{theirs} // its descriptor 3

	said, err := cmd.CombinedOutput()
	theirs.Close()
	if err != nil {
		return nil, helperError(err, said)
	}

	fd, err := receiveDescriptor(ours)
	if err != nil {
		_ = p.detach()
		return nil, fmt.Errorf("the device from %s: %w", helper, err)
	}
	return &device{fd: fd}, nil
}

// findHelper returns the path of fusermount3. It looks in /bin too, as a service may have no PATH.
func findHelper() (string, error) {
	for _, name := range []string{"fusermount3", "/bin/fusermount3", "/usr/bin/fusermount3"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("fusermount3, which mounts for users other than root, is missing; install Debian's package " +
		"fuse3, or mount as root")
}

// helperCommand is the helper under its plain name, with which its messages begin, in English.
func helperCommand(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Args[0] = "fusermount3"
	cmd.Env = []string{"LC_ALL=C"}
	return cmd
}

// helperError returns an error with the helper's message, or with its exit status if there is none.
func helperError(err error, said []byte) error {
	text := strings.Join(strings.Fields(string(said)), " ") // one line
	switch {
	case text == "":
		return fmt.Errorf("fusermount3: %w", err)
	case strings.Contains(text, "busy"): // the only sign of it
		return fmt.Errorf("%s: %w", text, unix.EBUSY)
	}
	return errors.New(text)
}

// receiveDescriptor receives a file descriptor from a socket.
func receiveDescriptor(socket int) (int, error) {
	control := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, make([]byte, 1), control, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return -1, err
	}

	messages, err := unix.ParseSocketControlMessage(control[:n])
	if err != nil {
		return -1, err
	}

	for i := range messages {
		if fds, err := unix.ParseUnixRights(&messages[i]); err == nil && len(fds) == 1 {
			return fds[0], nil
		}
	}
	return -1, errors.New("none came")
}

func runHelper(args ...string) error {
	helper, err := findHelper()
	if err != nil {
		return err
	}
	if said, err := helperCommand(helper, args...).CombinedOutput(); err != nil {
		return helperError(err, said)
	}
	return nil
}
