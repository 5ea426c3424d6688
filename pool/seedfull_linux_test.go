// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

// The seed file on a disk that is full: a real one, of 64 KiB in memory. FOUNT_REQUIRE=fulldisk makes it an
// error that there can be none.

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fount/internal/test/require"

	"golang.org/x/sys/unix"
)

// smallDisk mounts 64 KiB with room for so many names, the root one of them, where nobody but the calling test sees it.
func smallDisk(t *testing.T, inodes int) (dir string) {
	t.Helper()
	dir = seedDir(t)
	runtime.LockOSThread() // for good: the thread ends with the test, and its mounts with it
	err := unix.Unshare(unix.CLONE_FS | unix.CLONE_NEWNS)
	if err == nil {
		err = unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	}
	if err == nil {
		err = unix.Mount("fount-test", dir, "tmpfs", 0, smallOptions(inodes))
	}
	if err != nil {
		require.Skip(t, "fulldisk", fmt.Sprintf("no file system can be mounted, which takes root: %v", err))
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

func smallOptions(inodes int) string { return fmt.Sprintf("size=64k,mode=700,nr_inodes=%d", inodes) }

// fillUp leaves no more than left bytes of the disk free.
func fillUp(t *testing.T, dir string, left int) (filler string) {
	t.Helper()
	filler = filepath.Join(dir, "filler")
	err := os.WriteFile(filler, make([]byte, 1<<20), 0o600)
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("1 MiB on a disk of 64 KiB: %v", err)
	}
	info, err := os.Stat(filler)
	if err == nil {
		err = os.Truncate(filler, info.Size()-int64(left))
	}
	if err != nil {
		t.Fatal(err)
	}
	return filler
}

// A full disk is an error that says so. The old file stays as it is, nothing of it is used, and there is
// nothing left behind; with room again everything goes on.
func TestSeedFileOnFullDisk(t *testing.T) {
	const many = 300 // nodes, of 64 bytes each
	for name, c := range map[string]struct {
		nodes, left, inodes int // pages of 4 KiB are what is left, or not
		step                string
	}{
		"no byte":       {nodes: 1, inodes: 10, step: "write"},
		"a part of it":  {nodes: many, left: 8 << 10, inodes: 10, step: "write"},
		"no third name": {nodes: 1, inodes: 3, step: "open"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := smallDisk(t, c.inodes)
			path := filepath.Join(dir, "seed")
			if err := somePools(1).load(systemDisk{}, path); err != nil {
				t.Fatal(err)
			}
			old := regular(path)
			makeRoom := func() error { return unix.Mount("", dir, "", unix.MS_REMOUNT, smallOptions(10)) }
			if c.inodes > 3 {
				filler := fillUp(t, dir, c.left)
				makeRoom = func() error { return os.Remove(filler) }
			}

			p := somePools(c.nodes)
			p.refresh(1)
			mixed, generations := p.input.mixed, p.generations()
			for what, use := range map[string]func() error{
				"load": func() error { return p.load(systemDisk{}, path) },
				"save": func() error { return p.save(systemDisk{}, path) },
			} {
				err := use()
				if !errors.Is(err, unix.ENOSPC) || !strings.HasPrefix(err.Error(), "seed file "+path+
					": new contents could not be written, and nothing was used: "+c.step+" "+path+".") {
					t.Errorf("%s: %v", what, err)
				}
				if !bytes.Equal(regular(path), old) {
					t.Errorf("%s: the old file is not what it was", what)
				}
				if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
					t.Errorf("%s: %q were left", what, left)
				}
			}
			want(t, "state", p.status().SeedFile.State, "failed")
			want(t, "generations", p.generations(), generations)
			want(t, "inputs", p.input.mixed, mixed)

			if err := makeRoom(); err != nil {
				t.Fatal(err)
			}
			if err := p.load(systemDisk{}, path); err != nil {
				t.Errorf("with room again: %v", err)
			}
			want(t, "state with room", p.status().SeedFile.State, "mixed")
			want(t, "nodes in the next file", contents(t, path).nodes(), c.nodes)
		})
	}
}
