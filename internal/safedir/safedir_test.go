// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package safedir

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func openDir(t *testing.T, mode os.FileMode) *os.File {
	t.Helper()
	path := t.TempDir()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	d, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestCheck(t *testing.T) {
	for mode, good := range map[os.FileMode]bool{
		0o700: true, 0o755: true, 0o777 | os.ModeSticky: true, 0o775: false, 0o757: false, 0o722: false,
	} {
		if err := Check(openDir(t, mode)); (err == nil) != good {
			t.Errorf("%v: %v", mode, err)
		}
	}
	if os.Geteuid() == 0 {
		d := openDir(t, 0o700)
		if err := d.Chown(65534, 0); err != nil {
			t.Fatal(err)
		}
		if err := Check(d); err == nil || !strings.Contains(err.Error(), "it belongs to user 65534, want 0 or 0") {
			t.Errorf("another's: %v", err)
		}
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if err := Check(null); err == nil {
		t.Error("a device is a directory")
	}
}

// One at a time has the lock, though each removes the file that the others wait for.
func TestLockTakesTurns(t *testing.T) {
	d := openDir(t, 0o700)
	var inside, together atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				unlock, err := Lock(d, "lock", time.Hour)
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					together.Add(1)
				}
				runtime.Gosched()
				inside.Add(-1)
				unlock()
			}
		})
	}
	all.Wait()
	if n := together.Load(); n != 0 {
		t.Errorf("%d times two had it at once", n)
	}
}

// What stands in the lock's place and is not this user's alone is refused, for its own reason, and
// left as it is.
func TestLockRefuses(t *testing.T) {
	d := openDir(t, 0o700)
	at := func(name string) string { return filepath.Join(d.Name(), name) }
	err := errors.Join(
		os.WriteFile(at("open"), nil, 0o600),
		os.Chmod(at("open"), 0o666),
		os.WriteFile(at("own"), nil, 0o600),
		os.Symlink("own", at("link")),
		os.Mkdir(at("dir"), 0o700),
		unix.Mkfifo(at("pipe"), 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}

	special := "it is not a regular file; remove it"

	for name, want := range map[string]string{
		"open": "others have access to it; remove it",
		"link": special,
		"dir":  special,
		"pipe": special,
	} {
		unlock, err := Lock(d, name, 0)
		if err == nil {
			t.Errorf("%s was taken", name)
			unlock()
		} else if err.Error() != "lock "+at(name)+": "+want {
			t.Errorf("%s: %v; want %s", name, err, want)
		}

		if _, err := os.Lstat(at(name)); err != nil {
			t.Error(err)
		}
	}

	unlock, err := Lock(d, "lock", 0)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(at("lock")); err != nil || info.Mode() != 0o600 { // or others hold it
		t.Errorf("the lock is %v, %v", info, err)
	}
	if _, err := Lock(d, "lock", 0); !errors.Is(err, ErrHeld) {
		t.Errorf("it was held: %v", err)
	}

	unlock()
	if _, err := os.Lstat(at("lock")); err == nil {
		t.Error("it was left behind")
	}
}
