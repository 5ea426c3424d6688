// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package unixsocket

import (
	"io/fs"
	"strconv"

	"golang.org/x/sys/unix"
)

// chmodSocket sets the mode of a socket that has no name yet.
func chmodSocket(fd uintptr, mode fs.FileMode) { unix.Fchmod(int(fd), uint32(mode)) }

// setMode gives the socket that was bound its mode, which the umask may have cut, and returns what it is. It holds the
// socket itself and follows no link: in a directory where others may write, chmod(2) of the name would change whatever
// file of root's they had put a link to. What is no socket of this user's is left as it is.
func (p *place) setMode(mode fs.FileMode) (s unix.Stat_t, err error) {
	fd, err := unix.Openat(int(p.dir.Fd()), p.name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return s, p.errSwapped()
	}
	defer unix.Close(fd)
	if err := unix.Fstat(fd, &s); err != nil {
		return s, err
	}
	if !isSocket(&s) || int(s.Uid) != unix.Geteuid() {
		return s, p.errSwapped()
	}
	if s.Mode&0o7777 == uint32(mode) {
		return s, nil
	}
	return s, unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd), uint32(mode))
}
