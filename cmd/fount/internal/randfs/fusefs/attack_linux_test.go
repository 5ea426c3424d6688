// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// What another user of the machine can do, by programs that do it.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"fount/cmd/fount/internal/randfs"
	"fount/internal/test/otheruser"
	"fount/internal/test/require"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// exchange gives each of two names to the other, for ever.
func exchange(a, b string) {
	fmt.Println("ready")
	for {
		_ = unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE) // or EBUSY
	}
}

// isMounted reports whether a tree is mounted at a path.
func isMounted(t *testing.T, path string) bool {
	t.Helper()
	info, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	return slices.ContainsFunc(mountsOn(string(info), path), func(m mountPoint) bool { return m.fsType == fsType })
}

// Root mounts in a directory of another user, who has the directory and a link to one of root's,
// with files in it, change places meanwhile.
func TestDirectorySwapped(t *testing.T) {
	canMount(t)
	otheruser.Need(t)
	dir := otheruser.Dir(t)
	theirs, victim := filepath.Join(dir, "theirs"), filepath.Join(dir, "victim")
	path, link := filepath.Join(theirs, "dir"), filepath.Join(theirs, "link")
	err := errors.Join(os.Mkdir(theirs, 0o755), os.Mkdir(path, 0o755), os.Symlink(victim, link),
		os.Chown(theirs, otheruser.UID, otheruser.UID), os.Chown(path, otheruser.UID, otheruser.UID),
		os.Mkdir(victim, 0o755), os.WriteFile(filepath.Join(victim, "file"), nil, 0o600))
	require.NoError(t, err)

	otheruser.Start(t, "exchange", path, link)
	t.Cleanup(func() {
		for _, at := range []string{path, link, victim} {
			for unix.Unmount(at, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW) == nil {
			}
		}
	})

	served, refused := 0, 0
	for served < 200 {
		s, err := Mount(randfs.New(randfs.Source{}), path, Options{})
		if isMounted(t, victim) {
			t.Fatal("random files hide a directory of root's that is not empty")
		}
		if err != nil {
			refused++
			continue
		}
		served++
		// A rename that had looked before the mount may move the directory after it, once.
		if first := s.Dir(); !isMounted(t, first) {
			if now := s.Dir(); !isMounted(t, now) || now == first {
				t.Errorf("nothing is mounted at %s and %s, where it says", first, now)
			}
		}
		require.NoError(t, s.Unmount())
	}
	t.Logf("mounted %d times, refused %d times", served, refused)
}

// A user's open files are limited, those of others and of who mounted are not.
func TestManyHandles(t *testing.T) {
	f := offline(t, randfs.Source{}).files
	open := func(uid uint32) (uint64, fuse.Status) {
		in := &fuse.OpenIn{InHeader: fuse.InHeader{NodeId: f.list[0].Path}}
		in.Uid = uid
		var out fuse.OpenOut
		status := f.Open(nil, in, &out)
		return out.Fh, status
	}

	const user = 1 << 30
	var last uint64
	for range mostHandles {
		fh, status := open(user)
		if status != fuse.OK {
			t.Fatal(status)
		}
		last = fh
	}

	if _, status := open(user); status != fuse.Status(syscall.EMFILE) {
		t.Errorf("one more: %v", status)
	}
	for _, other := range []uint32{user + 1, 0, uint32(os.Geteuid())} {
		if _, status := open(other); status != fuse.OK {
			t.Errorf("user %d beside him: %v", other, status)
		}
	}

	f.Release(nil, &fuse.ReleaseIn{Fh: last})
	if _, status := open(user); status != fuse.OK {
		t.Errorf("with one closed: %v", status)
	}
	for number := range f.handles {
		f.Release(nil, &fuse.ReleaseIn{Fh: number})
	}
	if len(f.users)+len(f.handles) != 0 {
		t.Errorf("with all closed there are %v, %v", f.users, f.handles)
	}
}
