// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package unixsocket

import (
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fount/internal/test/socketdir"
)

// A socket has its mode when it gets its name: there is no moment in which others could
// connect. Who watches the directory sees no change of mode after it was made, though the
// umask forbids nothing.
func TestModeBeforeName(t *testing.T) {
	dir := socketdir.New(t)
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skip("inotify: ", err)
	}
	defer unix.Close(watch)
	if _, err := unix.InotifyAddWatch(watch, dir, unix.IN_CREATE|unix.IN_ATTRIB); err != nil {
		t.Skip("inotify: ", err)
	}
	defer unix.Umask(unix.Umask(0))
	path := filepath.Join(dir, "s")
	l, err := Listen(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if seen := events(t, watch, "s"); seen != unix.IN_CREATE {
		t.Errorf("events %#x of the socket; want its creation, %#x, alone", seen, unix.IN_CREATE)
	}
}

// events returns what an inotify descriptor has to say of a name.
func events(t *testing.T, fd int, name string) (mask uint32) {
	t.Helper()
	var b [4096]byte
	n, err := unix.Read(fd, b[:])
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < n; {
		e := b[at:]
		size := int(binary.NativeEndian.Uint32(e[12:]))
		if strings.TrimRight(string(e[16:][:size]), "\x00") == name {
			mask |= binary.NativeEndian.Uint32(e[4:])
		}
		at += 16 + size
	}
	return mask
}
