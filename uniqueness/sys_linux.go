// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package uniqueness

// The system calls of the search, and what their failures mean. Each can be made to fail by a test.

import (
	"errors"
	"io/fs"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// inject, if a test sets it, runs before each of the calls below and says how it fails.
var inject func() error

func failing() error {
	if inject == nil {
		return nil
	}
	return inject()
}

// failed makes a reason of an error. Descriptors and memory that are out now may be back at another Check.
func failed(what string, err error) error {
	why := what + ": " + err.Error()
	if sysfile.Scarce(err) {
		return shortage(why)
	}
	return errors.New(why)
}

func retry(f func() (int, error)) (int, error) {
	if err := failing(); err != nil {
		return 0, err
	}
	return sysfile.Retry(f)
}

// open is that of package sysfile.
func open(path string) (int, error) {
	err := failing()
	if err == nil {
		var fd int
		if fd, err = sysfile.Open(path); err == nil {
			return fd, nil
		}
	}
	return -1, failedFile(path, err)
}

func failedFile(path string, err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return failed(of.Op+" "+of.Path, of.Err)
	}
	return failed("open "+path, err)
}

// mmap maps memory; fd is -1 for memory of nobody's.
func mmap(what string, fd, size, prot, flags int) (page, error) {
	err := failing()
	var b []byte
	if err == nil {
		b, err = unix.Mmap(fd, 0, size, prot, flags)
	}
	if err != nil {
		return nil, failed("mmap of "+what, err)
	}
	return b, nil
}
