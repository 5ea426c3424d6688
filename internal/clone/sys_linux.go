// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// The ladder on Linux, and what failures of system calls mean to it.

import (
	"errors"
	"io/fs"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// rungs returns the ladder, best first. Each rung keeps what it has found out for the next try.
func rungs() []rung {
	kernel := new(generationRung)
	return []rung{
		{mode: modeVMClock, try: func() (source, error) { return findVMClock("/dev/vmclock0") }},
		{mode: modeKernel, try: kernel.find},
	}
}

// failed makes a reason of an error. Descriptors and memory that are out now may be back at another
// Check.
func failed(what string, err error) error {
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

// mmap maps memory; fd is -1 for memory of nobody's.
func mmap(what string, fd, size, prot, flags int) (page, error) {
	b, err := unix.Mmap(fd, 0, size, prot, flags)
	if err != nil {
		return nil, failed("mmap of "+what, err)
	}
	return b, nil
}
