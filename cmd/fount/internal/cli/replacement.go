// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A file that replaces another, once it is whole.

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fount/internal/safedir"
)

// A replacement is a temporary file that will replace another in the same directory.
type replacement struct {
	*os.File
	name string      // of the file to replace
	was  os.FileInfo // of the file to replace, nil if it did not exist
}

// newReplacement creates an empty file with the owner, mode and attributes of the file called name,
// or with mode 0600 if there is no such file.
func newReplacement(name string) (*replacement, error) {
	r := &replacement{name: name}

	var err error
	r.was, err = os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.was = nil
	case err != nil:
		return nil, err
	case r.was.Mode()&fs.ModeSymlink != 0: // in /tmp it may be another user's, and lead to a file of root's
		return nil, fmt.Errorf("%s is a link; name the file that it leads to", name)
	case !r.was.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file, and can't be replaced", name)
	}

	r.File, err = os.CreateTemp(filepath.Dir(r.name), "."+filepath.Base(r.name)+".*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, nameless(err))
	}

	if r.was != nil {
		if err := cmp.Or(keepOwner(r.File, r.was), keepAttributes(r.File, r.name), r.Chmod(r.was.Mode())); err != nil {
			r.drop()
			return nil, fmt.Errorf("%s can't be replaced by a file like it: %w", name, nameless(err))
		}
	}
	return r, nil
}

// unchanged reports whether the file called name is still the one of was. If was is nil, it reports
// whether there is still no such file.
func unchanged(name string, was os.FileInfo) bool {
	now, err := os.Stat(name)
	if was == nil || err != nil {
		return was == nil && errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(now, was) && now.Size() == was.Size() && now.ModTime().Equal(was.ModTime())
}

// replace renames r to the file that it replaces, unless that file has changed since.
func (r *replacement) replace() error {
	if !unchanged(r.name, r.was) {
		return fmt.Errorf("%s has changed meanwhile", r.name)
	}
	if err := safedir.Replace(r.File, r.name); err != nil {
		return fmt.Errorf("%s: %w", r.name, nameless(err))
	}
	return nil
}

// drop removes the temporary file, if replace has not renamed it.
func (r *replacement) drop() {
	r.Close()
	_ = os.Remove(r.Name()) // after replace there is no such file
}
