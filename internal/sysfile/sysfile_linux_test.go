// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sysfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

func TestRead(t *testing.T) {
	for _, size := range []int{0, 1, 4 << 10, 8<<10 - 1, 8 << 10, 100_000} {
		want := bytes.Repeat([]byte("0123456"), size/7+1)[:size]
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{1, size, size + 1, 1 << 20} {
			got, err := Read(path, limit)
			if err != nil || !bytes.Equal(got, want[:min(size, limit)]) {
				t.Errorf("%d bytes, limit %d: %d bytes, %v", size, limit, len(got), err)
			}
		}
	}
	if got, err := Read("/proc/self/stat", 1<<20); err != nil || len(got) == 0 {
		t.Errorf("a file of /proc: %d bytes, %v", len(got), err)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Read(filepath.Join(t.TempDir(), "none"), 10); !errors.Is(err, fs.ErrNotExist) || Scarce(err) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Read(t.TempDir(), 10); !errors.Is(err, unix.EISDIR) || Scarce(err) {
		t.Errorf("a directory: %v", err)
	}
	for _, errno := range []unix.Errno{unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN} {
		if !Scarce(errno) || !Scarce(&fs.PathError{Err: errno}) {
			t.Errorf("%v is not scarce", errno)
		}
	}
	for _, err := range []error{nil, unix.EPERM, unix.ENOENT, unix.EINTR, errors.New("EMFILE")} {
		if Scarce(err) {
			t.Errorf("%v is scarce", err)
		}
	}
}

func TestRetry(t *testing.T) {
	calls := 0
	n, err := Retry(func() (int, error) {
		if calls++; calls < 4 {
			return 0, unix.EINTR
		}
		return 7, unix.EPERM
	})
	if n != 7 || err != unix.EPERM || calls != 4 {
		t.Errorf("%d, %v after %d calls", n, err, calls)
	}
}

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for i := range 500 { // more than a buffer of the system call
		name := fmt.Sprintf("a-name-of-some-length-%03d", i)
		if i%3 == 0 {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.Symlink("nowhere", filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		want = append(want, name)
	}
	got, err := Links(dir)
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d links, %v; want %d", len(got), err, len(want))
	}
	if _, err := Links(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
}
