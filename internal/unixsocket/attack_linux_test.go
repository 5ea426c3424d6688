// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package unixsocket

// What another user of the machine can do, by a program that does it. Beside it is the way that was open to it once.

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"

	"fount/internal/test/otheruser"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	if os.Getenv(otheruser.Variable) == "swap" {
		swap(os.Args[1], os.Args[2])
		return
	}
	os.Exit(m.Run())
}

func broken(err error) {
	if err != nil {
		fmt.Println("broken:", err)
		os.Exit(1)
	}
}

// swap puts a link to a victim in the place of path whenever something is there.
func swap(path, victim string) {
	link := path + ".link"
	fmt.Println("ready")
	for {
		os.Remove(link)
		broken(os.Symlink(victim, link))
		for unix.Renameat2(unix.AT_FDCWD, link, unix.AT_FDCWD, path, unix.RENAME_EXCHANGE) != nil {
		}
	}
}

// modeOf is the permissions of a file.
func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// Root gives the socket its mode while another user, whose directory it is, puts a link in its place.
func TestSocketSwapped(t *testing.T) {
	otheruser.Need(t)
	dir := otheruser.Dir(t)
	theirs, victim := filepath.Join(dir, "theirs"), filepath.Join(dir, "victim")
	err := errors.Join(os.Mkdir(theirs, 0o755), os.Chown(theirs, otheruser.UID, otheruser.UID),
		os.WriteFile(victim, nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(theirs, "s")
	otheruser.Start(t, "swap", path, victim)

	// The control: chmod(2) of the name.
	byName := func() error {
		l, err := net.Listen("unix", path)
		if err != nil {
			return err
		}
		defer l.Close()
		return os.Chmod(path, 0o666)
	}
	const most = 200000
	tries := 1
	for ; tries < most && modeOf(t, victim) == 0o600; tries++ {
		byName()
		os.Remove(path)
	}
	if modeOf(t, victim) == 0o600 {
		t.Fatalf("in %d tries the link was never in time: this test shows nothing", most)
	}
	t.Logf("chmod of the name: a file of root's with mode 0600 has mode %#o after %d tries", modeOf(t, victim), tries)

	if _, err := Listen(path, 0o600); err == nil {
		t.Error("a directory of another user was taken")
	}
	// Were it taken: the socket, or nothing, gets the mode.
	if err := os.Chmod(victim, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := os.Open(theirs)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	swapped := 0
	for n := 0; n < max(3000, 10*tries) || swapped == 0; n++ {
		p := &place{path: path, name: "s", dir: d, unlock: func() {}}
		l, err := p.listen(0o666)
		if err == nil {
			l.(*socket).UnixListener.Close()
		} else if err.Error() == p.errSwapped().Error() {
			swapped++
		}
		os.Remove(path)
		if modeOf(t, victim) != 0o600 {
			t.Fatalf("try %d: the file of root's has mode %#o", n, modeOf(t, victim))
		}
	}
	t.Logf("by the socket itself: mode 0600, and the link was in its place %d times", swapped)
}
