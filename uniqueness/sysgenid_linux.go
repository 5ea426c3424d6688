// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package uniqueness

// /dev/sysgenid, in kernels of Amazon Linux: a page of the kernel that begins with a u32, one more after each restore
// (https://lkml.org/lkml/2021/3/8/677; never upstream, succeeded by vmclock).

import (
	"errors"

	"golang.org/x/sys/unix"
)

// findSysGenID takes the u32 and the four bytes after it as one u64: so Load needs no second way to read. The driver hands
// out a zeroed page and writes the first four bytes alone, so on a little-endian machine the u64 is the counter. Should
// another driver write the upper half, Load sees more moves than there are, never fewer: it is compared for equality. Check
// then drops it, because the sum might go back.
func findSysGenID(path string, anyFile bool) (source, error) {
	p, err := mapDevice(path, anyFile)
	if err != nil {
		return source{}, err
	}
	check := func() error {
		if upper := p.u32(4); upper != 0 {
			return errors.New("bytes 4 to 7 are " + hex(uint64(upper)) + ", must be 0")
		}
		return nil
	}
	if err := check(); err != nil {
		return source{}, unmap(p, path, err)
	}
	return source{why: "the counter of " + path + " moves when this machine is restored", word: p.word(0), early: true, check: check}, nil
}

// unmap gives back a page that is of no use, and says which file it was.
func unmap(p page, path string, err error) error {
	unix.Munmap(p)
	return errors.New(path + ": " + err.Error())
}
