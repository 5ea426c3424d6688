// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package clone

// The vDSO of this process, and the pages that it reads.
//
// The unsafe conversions turn addresses into pointers: that of a word in [vvar], which loads read
// from then on, and those of the memory that a call of the vDSO uses. Neither is Go memory, and no
// mapping is ever given back (https://pkg.go.dev/unsafe#Pointer). Builds without unsafe use
// generation_none_linux.go. Tests: TestKernelGeneration, TestPeekUnmapped.

import (
	"encoding/binary"
	"errors"
	"os"
	"runtime"
	"slices"
	"strconv"
	"unsafe"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// vdsoCall calls the vDSO's getrandom as C does, on the goroutine's stack. Its frame has 8 KiB, so
// its prologue makes room for the C code, which needs less than 1 KiB. No argument may point into
// Go memory. A call takes less than 1 µs unless it makes a system call. Meanwhile the goroutine
// can't be preempted, and a garbage collection waits for it.
func vdsoCall(fn, buf, n, flags, state, stateLen uintptr) int

func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// The function's name, and the first Linux that has it.
var getrandomSymbol, getrandomSince = "__vdso_getrandom", "6.11"

func init() {
	if runtime.GOARCH == "arm64" {
		getrandomSymbol, getrandomSince = "__kernel_getrandom", "6.12"
	}
}

// The layout of the state of the vDSO's getrandom (Linux include/vdso/getrandom.h). It is opaque
// and not part of the ABI; a state of another size is refused.
const (
	stateSize    = 144
	generationAt = 128 // u64, after 96 bytes of batch and 32 of key
)

// drawSize is how many bytes a call draws, which are thrown away. A call of length 0 would not
// update the state.
const drawSize = 16

// maxPieces bounds the pages to search: 4 pages of 64 KiB. Kernels have 4 to 6 of 4 KiB.
const maxPieces = 64

// osKernel is the kernel of this process. It is not for concurrent use: two calls must not use one
// state. After a fork the child's state is zeros (MAP_DROPPABLE), which is a valid empty state.
type osKernel struct {
	fn      uintptr // the vDSO's getrandom
	state   page    // as fn asked for: a fork or the kernel may wipe it at any time
	scratch page    // where fn stores what it draws
	pieces  []uintptr
	pipe    *pipe // of the present search, nil before its first peek
}

func openKernel() (kernel, error) {
	k, err := findVDSO()
	if err == nil {
		err = k.allocate()
	}
	if err != nil {
		k.release()
		return nil, err
	}
	return k, nil
}

// findVDSO finds the function and the pages. The caller releases the kernel, also after an error.
func findVDSO() (*osKernel, error) {
	k := new(osKernel)
	return k, k.probe()
}

func (k *osKernel) probe() error {
	auxv, err := sysfile.Read("/proc/self/auxv", 1<<16)
	if err != nil {
		return systemError("read", err)
	}

	base := vdsoAddress(auxv)
	if base == 0 {
		return errors.New("the kernel gave this process no vDSO (AT_SYSINFO_EHDR)")
	}

	maps, err := sysfile.Read("/proc/self/maps", 64<<20) // as many mappings as a process may have
	if err != nil {
		return systemError("read", err)
	}

	var size uint64 // of the vDSO
	for _, a := range vdsoMappings(maps) {
		switch {
		case a.start == base && a.end-a.start <= maxPieces*pieceSize:
			size = a.end - a.start
		case a.isVVar():
			for p := a.start; p < a.end && len(k.pieces) < maxPieces; p += pieceSize {
				k.pieces = append(k.pieces, uintptr(p))
			}
		}
	}

	if len(k.pieces) == 0 {
		return errors.New("/proc/self/maps has no [vvar]")
	}

	image, err := k.image(uintptr(base), size)
	if err != nil {
		return err
	}
	off, ok := findSymbol(image, getrandomSymbol)
	if !ok {
		return errors.New("the vDSO has no " + getrandomSymbol + ", which Linux has from " + getrandomSince)
	}
	k.fn = uintptr(base + off)
	return nil
}

// image returns a copy of the vDSO.
func (k *osKernel) image(base uintptr, size uint64) ([]byte, error) {
	b := make([]byte, size)
	for piece := range slices.Chunk(b, pieceSize) {
		ok, err := k.peek(piece, base)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errors.New("the vDSO can't be read")
		}
		base += pieceSize
	}
	return b, nil
}

// allocate maps a state as the vDSO asks for.
func (k *osKernel) allocate() (err error) {
	size := os.Getpagesize()
	if k.scratch, err = mmap("a page", -1, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			unix.Munmap(k.scratch)
		}
	}()

	// With an opaque_len of ~0 the call fills struct vgetrandom_opaque_params: size, prot, flags,
	// 13 u32 reserved.
	if r := vdsoCall(k.fn, 0, 0, 0, addressOf(k.scratch), ^uintptr(0)); r != 0 {
		return errors.New(getrandomSymbol + " does not say what state it wants: " + unix.Errno(-r).Error())
	}
	if n := k.scratch.u32(0); n != stateSize {
		return errors.New("the state of " + getrandomSymbol + " has " + strconv.Itoa(int(n)) + " bytes, want " + strconv.Itoa(stateSize))
	}

	k.state, err = mmap("a state of "+getrandomSymbol, -1, size, int(k.scratch.u32(4)), int(k.scratch.u32(8)))
	return err
}

// generation never blocks (GRND_NONBLOCK). Without that flag the function would wait in the kernel
// until the kernel's generator is seeded, and so would the whole process at its next collection,
// because nothing can preempt this goroutine.
func (k *osKernel) generation() (uint64, error) {
	n := vdsoCall(k.fn, addressOf(k.scratch), drawSize, unix.GRND_NONBLOCK, addressOf(k.state), stateSize)
	clear(k.scratch[:drawSize])

	switch n {
	case drawSize:
	case -int(unix.EAGAIN):
		return 0, nil
	default:
		return 0, callError(n)
	}
	return k.state.u64(generationAt), nil
}

// A callError is the result of the vDSO's getrandom if it is not the number of bytes asked for.
type callError int

func (e callError) Error() string {
	if e < 0 {
		return getrandomSymbol + ": " + unix.Errno(-e).Error()
	}
	return getrandomSymbol + " gave " + strconv.Itoa(int(e)) + " bytes of " + strconv.Itoa(drawSize)
}

func (k *osKernel) vvar() []uintptr { return k.pieces }

// peek copies through a pipe, one for each search.
func (k *osKernel) peek(piece []byte, addr uintptr) (ok bool, err error) {
	if k.pipe == nil {
		if k.pipe, err = newPipe(); err != nil {
			return false, err
		}
	}
	return k.pipe.copy(piece, addr)
}

func (k *osKernel) release() {
	if k.pipe != nil {
		k.pipe.close()
		k.pipe = nil
	}
}

func (k *osKernel) pointer(addr uintptr) *uint64 { return *(**uint64)(unsafe.Pointer(&addr)) }

func addressOf(p page) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(p))) }

// A pipe copies memory that may be unreadable, as some [vvar] pages are: write(2) fails with
// EFAULT, but a load would kill the process. (pread of /proc/self/mem fails for all [vvar] pages.)
type pipe struct{ from, to int }

func newPipe() (*pipe, error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		return nil, systemError("pipe", err)
	}
	return &pipe{fds[0], fds[1]}, nil
}

func (p *pipe) close() {
	unix.Close(p.from)
	unix.Close(p.to)
}

// copy fills piece from addr and reports whether it could. A piece must fit into a pipe.
func (p *pipe) copy(piece []byte, addr uintptr) (bool, error) {
	n, err := sysfile.Retry(func() (int, error) {
		n, _, errno := unix.Syscall(unix.SYS_WRITE, uintptr(p.to), addr, uintptr(len(piece)))
		if errno != 0 {
			return 0, errno
		}
		return int(n), nil
	})

	switch {
	case err == unix.EFAULT:
		return false, nil
	case err != nil:
		return false, systemError("write to a pipe", err)
	}

	whole := n == len(piece)
	for got := 0; got < n; {
		m, err := sysfile.Retry(func() (int, error) { return unix.Read(p.from, piece[got:n]) })
		if err != nil {
			return false, systemError("read from a pipe", err)
		}
		got += m
	}
	return whole, nil
}
