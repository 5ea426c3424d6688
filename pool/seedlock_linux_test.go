// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

// The lock of the seed file, against other users. (Package safedir has the tests of the lock itself.)

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fount/internal/test/otheruser"

	"golang.org/x/sys/unix"
)

// This process may be the attack, without end.
func init() {
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

// Another user has every lock that he can have; load and save go on.
func TestSeedFileLockedByAnother(t *testing.T) {
	dir := otheruser.Dir(t)
	path := filepath.Join(dir, "seed")
	otheruser.Start(t, "lock", dir)

	// The control: the directory's lock, which this package took once, is not to be had.
	d, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := unix.Flock(int(d.Fd()), unix.LOCK_EX|unix.LOCK_NB); !errors.Is(err, unix.EWOULDBLOCK) {
		t.Errorf("the directory's lock: %v: the attack does not hold it, and this test shows nothing", err)
	}

	p := somePools(1)
	for range 100 {
		d := &watch{lazy: true, step: func(string) error { return nil }}
		if err := errors.Join(p.save(d, path), p.load(d, path)); err != nil {
			t.Fatal(err)
		}
	}
}
