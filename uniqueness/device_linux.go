// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package uniqueness

// A page of a device, or of a file that stands in for one in a test, mapped to be read.
//
// The unsafe conversions are those of fields in mapped memory to pointers for sync/atomic, which has no other way in
// (https://pkg.go.dev/unsafe#Pointer, pattern 1). There is no twin: a system without this device has the next rung.
// Test: TestVMClock.

import (
	"encoding/binary"
	"errors"
	"os"
	"strconv"
	"sync/atomic"
	"unsafe"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// A page is mapped memory, page-aligned, that others write.
type page []byte

func (p page) word(off int) *uint64 { return (*uint64)(unsafe.Pointer(&p[off : off+8][0])) }
func (p page) u64(off int) uint64   { return atomic.LoadUint64(p.word(off)) }
func (p page) u32(off int) uint32 {
	return atomic.LoadUint32((*uint32)(unsafe.Pointer(&p[off : off+4][0])))
}

// miscMajor is the device number of Linux's miscellaneous devices, of which vmclock is one. In a carelessly made chroot
// something else may stand at their path, and truncating a plain file kills every process that reads its mapping.
const miscMajor = 10

// mapDevice maps the first page of a device. anyFile admits plain files.
func mapDevice(path string, anyFile bool) (page, error) {
	fd, err := sysfile.Open(path)
	if err != nil {
		return nil, failed("open", err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, failed("stat "+path, err)
	}
	size := os.Getpagesize()
	switch device := st.Mode&unix.S_IFMT == unix.S_IFCHR && unix.Major(uint64(st.Rdev)) == miscMajor; {
	case !device && !anyFile:
		return nil, errors.New(path + " is not a device with major number " + strconv.Itoa(miscMajor))
	case !device && st.Size < int64(size):
		return nil, errors.New(path + " has " + strconv.FormatInt(st.Size, 10) + " bytes, must be a page of " + strconv.Itoa(size))
	case binary.NativeEndian.Uint16([]byte{1, 0}) != 1:
		return nil, errors.New(path + ": its fields are little-endian, this CPU is not")
	}
	return mmap(path, fd, size, unix.PROT_READ, unix.MAP_SHARED)
}

// unmap gives back a page that is of no use, and says which file it was.
func unmap(p page, path string, err error) error {
	unix.Munmap(p)
	return errors.New(path + ": " + err.Error())
}
