// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// /dev/vmclock0: a page that the hypervisor writes
// (https://uapi-group.org/specifications/specs/vmclock/; Linux include/uapi/linux/vmclock-abi.h).
// It tells guests that their clock was disturbed, and that they were cloned.
//
// The unsafe conversions are those of fields in mapped memory to pointers for sync/atomic, which
// has no other way in (https://pkg.go.dev/unsafe#Pointer, pattern 1). There is no twin: a system
// without this device has the next rung. Test: TestVMClock.

import (
	"encoding/binary"
	"errors"
	"os"
	"runtime"
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

// miscMajor is the device number of Linux's miscellaneous devices, of which vmclock is one. In a
// carelessly made chroot something else may stand at their path, and truncating a plain file kills
// every process that reads its mapping.
const miscMajor = 10

// mapDevice maps the first page of a device.
func mapDevice(path string) (page, error) {
	fd, err := sysfile.Open(path)
	if err != nil {
		return nil, failed("open", err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, failed("stat "+path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFCHR || unix.Major(uint64(st.Rdev)) != miscMajor {
		return nil, errors.New(path + " is not a device with major number " + strconv.Itoa(miscMajor))
	}
	return mmap(path, fd, os.Getpagesize(), unix.PROT_READ, unix.MAP_SHARED)
}

// Fields of the page. All are little-endian.
const (
	clockMagicAt   = 0   // u32
	clockSizeAt    = 4   // u32
	clockVersionAt = 8   // u16, beside two bytes
	clockSeqAt     = 12  // u32, odd during an update
	clockMarkerAt  = 16  // u64, moves at each disruption: a restore, but a live migration too
	clockFlagsAt   = 24  // u64
	clockCounterAt = 104 // u64, moves when the machine is a clone; needs clockHasCounter

	clockMagic      = 0x4b4c4356 // "VCLK"
	clockVersion    = 1
	clockHasCounter = 1 << 8
	clockMinSize    = 104 // of the structure without the counter
)

// seqTries bounds the attempts to read the page between two updates. The processor is given away
// after each, so this is at least 0.1 ms; an update takes less than 1 µs. A counter that is odd for
// longer belongs to a writer that died.
const seqTries = 1000

var errBusy = errors.New("an update of the page did not end within " + strconv.Itoa(seqTries) + " looks (seq_count stays odd, or keeps changing)")

// A clockHeader is what decides where the word is.
type clockHeader struct {
	magic, size uint32
	version     uint16
	flags       uint64
}

// header returns the header as it is between two updates.
func (p page) header() (clockHeader, error) {
	for range seqTries {
		seq := p.u32(clockSeqAt)
		h := clockHeader{p.u32(clockMagicAt), p.u32(clockSizeAt), uint16(p.u32(clockVersionAt)), p.u64(clockFlagsAt)}
		if seq&1 == 0 && p.u32(clockSeqAt) == seq {
			return h, nil
		}
		runtime.Gosched()
	}
	return clockHeader{}, errBusy
}

// wordAt returns where the word is.
func (h clockHeader) wordAt() (int, error) {
	switch {
	case h.magic != clockMagic:
		return 0, errors.New("magic is " + hex(uint64(h.magic)) + ", must be " + hex(clockMagic))
	case h.version != clockVersion:
		return 0, errors.New("version is " + strconv.Itoa(int(h.version)) + ", must be " + strconv.Itoa(clockVersion))
	case h.size < clockMinSize:
		return 0, errors.New("size is " + strconv.Itoa(int(h.size)) + ", must be " + strconv.Itoa(clockMinSize) + " or more")
	case h.flags&clockHasCounter == 0:
		return clockMarkerAt, nil
	case h.size < clockCounterAt+8:
		return 0, errors.New("size is " + strconv.Itoa(int(h.size)) + ", must be " + strconv.Itoa(clockCounterAt+8) + " or more with the flag of vm_generation_counter")
	}
	return clockCounterAt, nil
}

func hex(v uint64) string { return "0x" + strconv.FormatUint(v, 16) }

func findVMClock(path string) (source, error) {
	p, err := mapDevice(path)
	if err != nil {
		return source{}, err
	}
	s, err := p.clock()
	if err != nil {
		unix.Munmap(p)
		return source{}, errors.New(path + ": " + err.Error())
	}
	return s, nil
}

// clock finds the word in a page of vmclock's.
func (p page) clock() (source, error) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return source{}, errors.New("its fields are little-endian, this CPU is not")
	}
	h, err := p.header()
	if err != nil {
		return source{}, err
	}
	at, err := h.wordAt()
	if err != nil {
		return source{}, err
	}
	why := "vm_generation_counter of vmclock moves when this machine is cloned"
	if at == clockMarkerAt {
		why = "disruption_marker of vmclock moves when this machine is restored or migrated; the hypervisor has no vm_generation_counter"
	}
	return source{why: why, word: p.word(at), early: true, check: clockChecker(p, at)}, nil
}

// busyLimit is how many Checks in a row may find the page in an update before it counts as
// unusable: what is read through Load moves all the same, but nobody knows any more what it is.
const busyLimit = 8

// clockChecker returns a check that the page is what it was. After a live migration another
// hypervisor writes it.
func clockChecker(p page, at int) func() error {
	busy := 0
	return func() error {
		h, err := p.header()
		if err != nil {
			busy++
			if busy < busyLimit {
				return nil
			}
			return err
		}
		busy = 0
		switch now, err := h.wordAt(); {
		case err != nil:
			return err
		case now > at:
			return nil // the marker stays good where a counter has come
		case now < at:
			return errors.New("the flag of vm_generation_counter was taken back")
		}
		return nil
	}
}
