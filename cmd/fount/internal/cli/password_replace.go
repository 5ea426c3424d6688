// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A file that another replaces, whole or not at all.

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A replacement is written beside the file that it replaces.
type replacement struct {
	*os.File
	name string      // of the other, behind all links
	was  os.FileInfo // nil: there was none
}

// newReplacement makes an empty file that has the owner and the mode of the other, or mode 0600 if there is none.
func newReplacement(name string) (*replacement, error) {
	r := &replacement{name: name}
	behind, err := filepath.EvalSymlinks(name)
	switch {
	case err == nil:
		r.name = behind
		if r.was, err = os.Stat(behind); err != nil {
			return nil, err
		}
		if !r.was.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no regular file, and can't be replaced", name)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if r.File, err = os.CreateTemp(filepath.Dir(r.name), "."+filepath.Base(r.name)+".*"); err != nil { // mode 0600
		return nil, err
	}
	if r.was != nil {
		if err := errors.Join(keepOwner(r.File, r.was), r.Chmod(r.was.Mode().Perm())); err != nil {
			r.drop()
			return nil, fmt.Errorf("%s can't keep its owner and mode: %w", name, err)
		}
	}
	return r, nil
}

// replace puts the file, once it is on the disk, in the place of the other, unless that has changed since.
func (r *replacement) replace() error {
	if now, err := os.Stat(r.name); r.was != nil &&
		(err != nil || !os.SameFile(now, r.was) || now.Size() != r.was.Size() || !now.ModTime().Equal(r.was.ModTime())) {
		return errors.New("it has changed meanwhile")
	}
	for _, step := range []func() error{r.Sync, r.Close, func() error { return os.Rename(r.Name(), r.name) }} {
		if err := step(); err != nil {
			return err
		}
	}
	if dir, err := os.Open(filepath.Dir(r.name)); err == nil {
		_ = dir.Sync() // not every system can
		dir.Close()
	}
	return nil
}

// drop removes the file, unless it has replaced the other.
func (r *replacement) drop() {
	r.Close()
	_ = os.Remove(r.Name()) // there is none after replace
}
