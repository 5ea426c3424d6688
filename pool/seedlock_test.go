// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package pool

// The lock of the seed file, against this user's own processes and against others.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fount/internal/safedir"
	"fount/internal/test/otheruser"

	"golang.org/x/sys/unix"
)

// attackAsked runs an attack, without end, if this process is to be one.
func attackAsked() {
	if os.Getenv(otheruser.Variable) == "lock" {
		holdLocks(os.Args[1])
	}
}

// holdLocks takes every lock on a directory and the files in it that this user can have, and keeps it.
func holdLocks(dir string) {
	hold := func(path string) error {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK, 0)
		if err == nil {
			err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
		}
		return err
	}
	fmt.Println("the directory:", hold(dir))
	for {
		for _, name := range []string{"seed", "seed.new", "seed.lock"} {
			if hold(filepath.Join(dir, name)) == nil {
				fmt.Println("got", name)
			}
		}
	}
}

// What has the lock leaves nothing behind.
func TestSeedFileLocked(t *testing.T) {
	dir := seedDir(t)
	path := filepath.Join(dir, "seed")
	p := somePools(1)
	if err := p.save(systemDisk{}, path); err != nil {
		t.Fatal(err)
	}
	d, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	unlock, err := safedir.Lock(d, "seed.lock", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := safedir.Lock(d, "seed.lock", 0); !errors.Is(err, safedir.ErrHeld) {
		t.Errorf("the lock was taken twice: %v", err)
	}
	unlock()
	if err := p.load(systemDisk{}, path); err != nil {
		t.Error(err)
	}
	names, err := d.Readdirnames(0)
	want(t, "names", fmt.Sprint(names, err), "[seed] <nil>")
}
