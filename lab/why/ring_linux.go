// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// The rings in which the kernel leaves samples (perf_event_open(2), "MMAP layout").

import (
	"encoding/binary"
	"iter"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// eventAttr is a sample of the stack each samplePeriod of a thread's CPU time.
func eventAttr(kernel bool) unix.PerfEventAttr {
	bits := uint64(unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitExcludeHv)
	if !kernel {
		bits |= unix.PerfBitExcludeKernel
	}
	a := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Sample: uint64(samplePeriod), Bits: bits,
		Sample_type: unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_CALLCHAIN,
	}
	a.Size = uint32(unsafe.Sizeof(a))
	return a
}

// ringPages is a power of two: 256 KiB, of the 516 KiB that a user may lock for each CPU.
const ringPages = 64

// A ring is the samples of one CPU.
type ring struct {
	fd         int
	memory     []byte
	head, tail *uint64 // positions of the kernel's next byte and of ours
	data       []byte
}

func newRing(fd int) (*ring, error) {
	page := unix.Getpagesize()
	memory, err := unix.Mmap(fd, 0, (1+ringPages)*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	control := (*unix.PerfEventMmapPage)(unsafe.Pointer(unsafe.SliceData(memory))) // the kernel's struct, at the start of a page
	return &ring{fd, memory, &control.Data_head, &control.Data_tail, memory[page:]}, nil
}

func (r *ring) close() { unix.Munmap(r.memory) }

// drain calls f with each record since the last time. The record is valid until f returns.
func (r *ring) drain(f func(kind uint32, body []byte)) {
	head, tail := atomic.LoadUint64(r.head), *r.tail
	if head-tail > uint64(len(r.data)) { // never, or what is there is no ring
		atomic.StoreUint64(r.tail, head)
		return
	}
	left := make([]byte, head-tail)
	at := tail % uint64(len(r.data))
	n := copy(left, r.data[at:])
	copy(left[n:], r.data)
	atomic.StoreUint64(r.tail, head)
	records(left, f)
}

// records calls f with each record in b, and stops at one that does not fit.
func records(b []byte, f func(kind uint32, body []byte)) {
	const header = 8 // type, misc and size
	for len(b) >= header {
		kind, size := binary.NativeEndian.Uint32(b), int(binary.NativeEndian.Uint16(b[6:]))
		if size < header || size > len(b) {
			return
		}
		f(kind, b[header:size])
		b = b[size:]
	}
}

// stacks counts samples by process and by the bytes of their stacks.
type stacks struct {
	counts map[uint32]map[string]int64
	lost   uint64
}

func newStacks() *stacks { return &stacks{counts: make(map[uint32]map[string]int64)} }

// add takes a record.
func (s *stacks) add(kind uint32, body []byte) {
	switch kind {
	case unix.PERF_RECORD_SAMPLE: // pid and tid, 4 bytes each; the number of addresses; the addresses
		if len(body) < 16 {
			return
		}
		n := binary.NativeEndian.Uint64(body[8:])
		if n > uint64(len(body)-16)/8 {
			return
		}
		pid := binary.NativeEndian.Uint32(body)
		if s.counts[pid] == nil {
			s.counts[pid] = make(map[string]int64)
		}
		s.counts[pid][string(body[16:16+8*n])]++
	case unix.PERF_RECORD_LOST: // an id, and how many
		if len(body) >= 16 {
			s.lost += binary.NativeEndian.Uint64(body[8:])
		}
	}
}

// of are the stacks of a process, as addresses.
func (s *stacks) of(pid int) iter.Seq2[[]uint64, int64] {
	return func(yield func([]uint64, int64) bool) {
		for raw, n := range s.counts[uint32(pid)] {
			chain := make([]uint64, len(raw)/8)
			for i := range chain {
				chain[i] = binary.NativeEndian.Uint64([]byte(raw[8*i:]))
			}
			if !yield(chain, n) {
				return
			}
		}
	}
}

// others is how many samples are of other processes.
func (s *stacks) others(pid int) (sum int64) {
	for p, chains := range s.counts {
		if p != uint32(pid) {
			for _, n := range chains {
				sum += n
			}
		}
	}
	return sum
}
