// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// The methods on Linux, and the errors of their system calls.

import (
	"errors"
	"io/fs"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// methods returns the ways to find a counter, the best first. Each keeps what it has found out for
// its next try.
func methods() []method {
	generation := new(generationMethod)
	return []method{
		{mode: modeVMClock, try: func() (source, error) { return findVMClock("/dev/vmclock0") }},
		{mode: modeKernel, try: generation.find},
	}
}

// systemError makes a reason of an error. Descriptors and memory that are out now may be back at
// another Check.
func systemError(what string, err error) error {
	why := what + ": " + err.Error()
	var of *fs.PathError
	if errors.As(err, &of) {
		why, err = of.Op+" "+of.Path+": "+of.Err.Error(), of.Err
	}

	if sysfile.Scarce(err) {
		return shortage(why)
	}
	return errors.New(why)
}

// mmap maps a file, or fresh memory if fd is -1.
func mmap(what string, fd, size, prot, flags int) (page, error) {
	b, err := unix.Mmap(fd, 0, size, prot, flags)
	if err != nil {
		return nil, systemError("mmap of "+what, err)
	}
	return b, nil
}
