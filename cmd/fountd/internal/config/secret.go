// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package config

// Files that settings name.

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// open opens a file. It refuses what is none before it opens it: that of a FIFO waits for who writes, and with it a reload, and
// the end of the process.
func open(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	return os.Open(path)
}

// ReadFile is os.ReadFile of regular files alone.
func ReadFile(path string) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// openSecret opens the file at a place: a path, or "credential:" and the name of a systemd credential. It refuses what others
// than the owner may read.
func openSecret(place string, getenv func(string) string) (path string, f *os.File, err error) {
	path = place
	credential, managed := strings.CutPrefix(place, "credential:")
	if managed {
		dir := getenv("CREDENTIALS_DIRECTORY")
		if dir == "" || credential == "" || credential != filepath.Base(credential) {
			return "", nil, fmt.Errorf("there is no credential %q: set LoadCredential= in the unit", credential)
		}
		path = filepath.Join(dir, credential)
	}
	if f, err = open(path); err != nil {
		return "", nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !managed && info.Mode().Perm()&0o077 != 0: // the manager looks after its own directory
		err = fmt.Errorf("%s has mode %#o and others can read it: chmod 600 it", path, info.Mode().Perm())
	}
	if err != nil {
		f.Close()
		return "", nil, err
	}
	return path, f, nil
}

// ReadSecret is ReadFile of a file that others than its owner can't read.
func ReadSecret(path string) ([]byte, error) {
	_, f, err := openSecret(path, os.Getenv)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// secretPath is the path of a place whose file others read by themselves; "" of "".
func secretPath(place string, getenv func(string) string) (string, error) {
	if place == "" {
		return "", nil
	}
	path, f, err := openSecret(place, getenv)
	if err != nil {
		return "", err
	}
	f.Close()
	return path, nil
}
