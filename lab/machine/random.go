// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// Are the bytes that this machine gives random at all? Two defects do happen: a regular file in the
// place of /dev/urandom (in a chroot, say), and a generator that repeats itself.

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
)

// probe is how much is read twice. Two honest reads are equal with probability 2^-2048.
const probe = 256

// repeats reports whether two reads gave the same bytes. A read that fails is not a repeat.
func repeats(read func([]byte) error) bool {
	a, b := make([]byte, probe), make([]byte, probe)
	return read(a) == nil && read(b) == nil && bytes.Equal(a, b)
}

// standard reads as programs do. It stops the process where there are no random bytes.
func standard(b []byte) error {
	_, err := rand.Read(b)
	return err
}

// urandomState tells what is at the path that should be the kernel's /dev/urandom. It opens the
// file for each read, as a program does that starts.
func urandomState(path string) State {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Gone
	case err != nil:
		return Denied
	case info.Mode()&os.ModeCharDevice == 0 && !info.Mode().IsRegular():
		return Odd
	}
	one, err1 := readOnce(path)
	two, err2 := readOnce(path)
	switch {
	case errors.Is(err1, fs.ErrPermission):
		return Denied
	case err1 != nil || err2 != nil || bytes.Equal(one, two):
		return Stale
	case info.Mode().IsRegular():
		return Odd
	}
	return Ready
}

func readOnce(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, probe)
	_, err = io.ReadFull(f, b)
	return b, err
}
