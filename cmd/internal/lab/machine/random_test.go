// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the look at /dev/urandom.

package machine

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestUrandomState(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, size int) string {
		path := filepath.Join(dir, name)
		b := make([]byte, size)
		rand.Read(b)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct {
		path string
		want State
	}{
		{filepath.Join(dir, "nothing"), Gone},
		{dir, Odd},
		{file("seed", probe), Stale}, // random, but the same at each open
		{file("empty", 0), Stale},
		{file("short", probe-1), Stale},
	} {
		if got := urandomState(test.path); got != test.want {
			t.Errorf("%s: %q, want %q", test.path, got, test.want)
		}
	}
}

func TestUrandomHere(t *testing.T) {
	const path = "/dev/urandom"
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s on this machine: %v", path, err)
	}
	if got := urandomState(path); got != Ready {
		t.Errorf("%s: %q, want %q", path, got, Ready)
	}
	if got := urandomState("/dev/zero"); got != Stale {
		t.Errorf("/dev/zero: %q, want %q", got, Stale)
	}
}

func TestRepeats(t *testing.T) {
	for _, test := range []struct {
		name string
		read func([]byte) error
		want bool
	}{
		{"random", standard, false},
		{"constant", func(b []byte) error { clear(b); return nil }, true},
		{"failing", func(b []byte) error { return errors.ErrUnsupported }, false},
	} {
		if got := repeats(test.read); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
