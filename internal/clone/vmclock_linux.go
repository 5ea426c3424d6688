// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// /dev/vmclock0: a page that the hypervisor writes
// (https://uapi-group.org/specifications/specs/vmclock/; Linux include/uapi/linux/vmclock-abi.h).
// It tells guests that their clock was disturbed, and that they were cloned. fount reads no time
// from it.
//
// The unsafe conversions make pointers to fields in mapped memory, which sync/atomic needs
// (https://pkg.go.dev/unsafe#Pointer, pattern 1). Test: TestVMClock.

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

// A page is page-aligned mapped memory that the kernel or hypervisor may write.
type page []byte

func (p page) uint64At(off int) *uint64 { return (*uint64)(unsafe.Pointer(&p[off : off+8][0])) }
func (p page) u64(off int) uint64       { return atomic.LoadUint64(p.uint64At(off)) }
func (p page) u32(off int) uint32 {
	return atomic.LoadUint32((*uint32)(unsafe.Pointer(&p[off : off+4][0])))
}

// miscMajor is the major number of Linux's miscellaneous devices, of which vmclock is one. In a
// carelessly made chroot the path may be a plain file. Whoever truncates it would kill every
// process that reads its mapping.
const miscMajor = 10

// mapDevice maps the first page of a device.
func mapDevice(path string) (page, error) {
	fd, err := sysfile.Open(path)
	if err != nil {
		return nil, systemError("open", err)
	}
	defer unix.Close(fd)

	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, systemError("stat "+path, err)
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
	clockMarkerAt  = 16  // u64, changes at each disruption: a restore, but a live migration too
	clockFlagsAt   = 24  // u64
	clockCounterAt = 104 // u64, changes when the machine is cloned; needs clockHasCounter

	clockMagic      = 0x4b4c4356 // "VCLK"
	clockVersion    = 1
	clockHasCounter = 1 << 8
	clockMinSize    = 104 // of the structure without the counter
)

// maxSeqReads bounds the attempts to read the page between two updates. Each yields the processor,
// so together they take at least 0.1 ms, and an update takes less than 1 µs. If the sequence number
// is odd for longer, the writer died.
const maxSeqReads = 1000

var errBusy = errors.New("an update of the page did not end within " + strconv.Itoa(maxSeqReads) + " reads (seq_count stays odd, or keeps changing)")

// A clockHeader is the fields that say where the counter is.
type clockHeader struct {
	magic, size uint32
	version     uint16
	flags       uint64
}

// header returns the header, read between two updates.
func (p page) header() (clockHeader, error) {
	for range maxSeqReads {
		seq := p.u32(clockSeqAt)
		h := clockHeader{p.u32(clockMagicAt), p.u32(clockSizeAt), uint16(p.u32(clockVersionAt)), p.u64(clockFlagsAt)}

		if seq&1 == 0 && p.u32(clockSeqAt) == seq {
			return h, nil
		}
		runtime.Gosched()
	}
	return clockHeader{}, errBusy
}

// counterOffset returns the offset of the counter in the page.
func (h clockHeader) counterOffset() (int, error) {
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

	s, err := p.vmclockSource()
	if err != nil {
		unix.Munmap(p)
		return source{}, errors.New(path + ": " + err.Error())
	}
	return s, nil
}

// vmclockSource returns the counter in a page of vmclock's.
func (p page) vmclockSource() (source, error) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return source{}, errors.New("its fields are little-endian, this CPU is not")
	}

	h, err := p.header()
	if err != nil {
		return source{}, err
	}

	at, err := h.counterOffset()
	if err != nil {
		return source{}, err
	}

	why := "vm_generation_counter of vmclock changes when this machine is cloned"
	if at == clockMarkerAt {
		why = "disruption_marker of vmclock changes when this machine is restored or migrated; the hypervisor has no vm_generation_counter"
	}
	return source{why: why, counter: p.uint64At(at), beforeReseed: true, check: clockChecker(p, at)}, nil
}

// maxBusy is how many Checks in a row may find the page in an update. After that the counter is
// dropped, as it can't be verified any more.
const maxBusy = 8

// clockChecker returns a function that verifies the page: after a live migration another hypervisor
// writes it.
func clockChecker(p page, at int) func() error {
	busy := 0
	return func() error {
		h, err := p.header()
		if err != nil {
			busy++
			if busy < maxBusy {
				return nil
			}
			return err
		}

		busy = 0
		switch now, err := h.counterOffset(); {
		case err != nil:
			return err
		case now > at:
			return nil // the hypervisor has a counter now; the marker is still good
		case now < at:
			return errors.New("the flag of vm_generation_counter was taken back")
		}
		return nil
	}
}
