// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// The loops that serve /dev/fuse.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// The requests that this package handles itself, and the offsets of their fields, from
// linux/fuse.h.
const (
	opRead      = 15
	opInterrupt = 36

	atOpcode = 4
	atUnique = 8
	atHandle = 40 // of fuse_read_in, which follows the 40 B of fuse_in_header
	atOffset = 48
	atSize   = 56
	atFlags  = 60
	readEnd  = 64

	// fuse_direct_io sets it in each READ; what fills the page cache does not.
	lockOwner = 1 << 1

	outHeader = 16 // length, error, unique
)

// A wire is a connection to the kernel.
type wire struct {
	fd     int
	files  *files
	others *fuse.ProtocolServer // of all requests but READ and INTERRUPT
}

// maxRead is the maximum size of a request, unless fs.fuse.max_pages_limit is raised.
const maxRead = 1 << 20

func newWire(fd int, f *files) *wire {
	return &wire{fd: fd, files: f, others: fuse.NewProtocolServer(f, &fuse.MountOptions{
		MaxWrite:             maxRead, // go-fuse makes max_pages of it, which bounds a read
		DisableXAttrs:        true,
		DisableReadDirPlus:   true,
		Logger:               log.New(io.Discard, "", 0), // of requests that it does not know
		PanicHandler:         func(v any) fuse.Status { panic(v) },
		DisabledCapabilities: fuse.CAP_AUTO_INVAL_DATA,
	})}
}

// A loop serves requests one after the other, with 2 MiB of buffers, resident where used.
type loop struct {
	*wire
	memory []byte
	in     []byte
	answer []byte
}

// room is for what comes with a write or goes with a read, beside the data.
const room = 4096

func (w *wire) newLoop() (*loop, error) {
	size := maxRead + room
	memory, err := unix.Mmap(-1, 0, 2*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, fmt.Errorf("%d bytes for buffers: %w", 2*size, err)
	}
	return &loop{wire: w, memory: memory, in: memory[:size:size], answer: memory[size:]}, nil
}

func (l *loop) close() { _ = unix.Munmap(l.memory) }

// run serves until the mount is gone.
func (l *loop) run() {
	defer l.close()
	for {
		if err := l.once(); err != nil {
			return
		}
	}
}

// once serves a request. After an error there are no more requests.
func (l *loop) once() error {
	n, err := unix.Read(l.fd, l.in)
	switch {
	case errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.ENOENT):
		return nil // ENOENT: the request was withdrawn
	case err != nil:
		return err // ENODEV: unmounted
	case n < atHandle:
		return fmt.Errorf("a request of %d bytes", n)
	}

	in := l.in[:n]
	if out := l.serve(in); len(out) > 0 {
		_, _ = unix.Write(l.fd, out) // fails if the asker is gone
		// Only the reader keeps it. This costs 7 % of the server's time at 64 KiB, 15 % at 1 MiB.
		clear(out)
	}

	clear(in) // it may have been written to seed
	return nil
}

// serve returns the answer to a request, or nil if the request takes no answer.
func (l *loop) serve(in []byte) []byte {
	switch op := binary.NativeEndian.Uint32(in[atOpcode:]); {
	case op == opRead && len(in) >= readEnd:
		return l.read(in)
	case op == opInterrupt:
		return nil // no answer waits for anything: there is nothing to break off
	}

	n, status := l.others.HandleRequest([][]byte{in}, [][]byte{l.answer})
	if n == 0 && status != fuse.OK {
		return l.header(in, 0, status)
	}
	return l.answer[:n]
}

// read answers a READ.
func (l *loop) read(in []byte) []byte {
	h := l.files.handle(binary.NativeEndian.Uint64(in[atHandle:]))
	size := int(binary.NativeEndian.Uint32(in[atSize:]))
	if h == nil || size > maxRead { // the kernel asks for neither
		return l.header(in, 0, fuse.EBADF)
	}

	if binary.NativeEndian.Uint32(in[atFlags:])&lockOwner == 0 {
		return l.header(in, 0, fuse.EIO) // the page cache would give others the same bytes
	}

	n, err := h.ReadAt(l.answer[outHeader:outHeader+size], int64(binary.NativeEndian.Uint64(in[atOffset:])))
	if err != nil {
		return l.header(in, 0, statusOf(err))
	}
	return l.header(in, n, fuse.OK)
}

// header writes the header of an answer with n bytes of data, and returns the answer.
func (l *loop) header(in []byte, n int, status fuse.Status) []byte {
	out := l.answer[:outHeader+n]
	binary.NativeEndian.PutUint32(out, uint32(len(out)))
	binary.NativeEndian.PutUint32(out[4:], uint32(-status))
	copy(out[8:outHeader], in[atUnique:atUnique+8])
	return out
}
