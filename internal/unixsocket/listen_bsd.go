// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package unixsocket

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// chmodSocket does nothing where the name does not take the mode of the socket.
func chmodSocket(uintptr, fs.FileMode) {}

// setMode gives the socket that was bound its mode and returns what it is. It follows no link.
func (p *place) setMode(mode fs.FileMode) (s unix.Stat_t, err error) {
	if err := unix.Fchmodat(int(p.dir.Fd()), p.name, uint32(mode), unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return s, err
	}
	if s, err = p.stat(); err == nil && (!isSocket(&s) || int(s.Uid) != unix.Geteuid()) {
		err = p.errSwapped()
	}
	return s, err
}
