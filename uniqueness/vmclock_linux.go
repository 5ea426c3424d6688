// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package uniqueness

// /dev/vmclock0: a page that the hypervisor writes (https://uapi-group.org/specifications/specs/vmclock/; Linux
// include/uapi/linux/vmclock-abi.h). It tells guests that their clock was disturbed, and that they were cloned.

import (
	"errors"
	"runtime"
	"strconv"
)

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

// seqTries bounds the attempts to read the page between two updates. The processor is given away after each, so this is
// at least 0.1 ms, and an update takes less than 1 µs; a counter that is odd for longer belongs to a writer that died.
const seqTries = 1000

var errBusy = errors.New("an update of the page did not end within " + strconv.Itoa(seqTries) + " looks (seq_count stays odd, or keeps changing)")

// A clockHeader is what decides where the word is.
type clockHeader struct {
	magic, size uint32
	version     uint16
	flags       uint64
}

// fields are those of a page; tests change them between two reads.
type fields interface {
	u32(off int) uint32
	u64(off int) uint64
}

// readClock returns the header as it is between two updates.
func readClock[P fields](p P) (clockHeader, error) {
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

func findVMClock(path string, anyFile bool) (source, error) {
	p, err := mapDevice(path, anyFile)
	if err != nil {
		return source{}, err
	}
	h, err := readClock(p)
	if err != nil {
		return source{}, unmap(p, path, err)
	}
	at, err := h.wordAt()
	if err != nil {
		return source{}, unmap(p, path, err)
	}
	why := "vm_generation_counter of " + path + " moves when this machine is cloned"
	if at == clockMarkerAt {
		why = "disruption_marker of " + path + " moves when this machine is restored or migrated; the hypervisor has no vm_generation_counter"
	}
	return source{why: why, word: p.word(at), early: true, check: clockChecker(p, at)}, nil
}

// busyLimit is how many Checks in a row may find the page in an update before it counts as unusable: what is read through
// Load moves all the same, but nobody knows any more what it is.
const busyLimit = 8

// clockChecker returns a check that the page is what it was. After a live migration another hypervisor writes it.
func clockChecker(p page, at int) func() error {
	busy := 0
	return func() error {
		h, err := readClock(p)
		if err != nil {
			if busy++; busy < busyLimit {
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
