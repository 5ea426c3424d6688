// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// Open files.

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"fount/cmd/fount/internal/randfs"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// opened are the open files, by the kernel's number of each: 200 B and a text up to 1 KiB here,
// more in the kernel.
type opened struct {
	mu      sync.RWMutex
	last    uint64
	handles map[uint64]*handle
	users   map[uint32]int // how many of the handles each user has
}

// mostHandles bounds those of one user, except root and the user who mounted: by the system's own
// limits they could be as many as processes times RLIMIT_NOFILE.
const mostHandles = 4096

// A handle is an open file, and the user who opened it.
type handle struct {
	*randfs.Handle
	uid uint32
}

// handle returns an open file, or nil.
func (o *opened) handle(number uint64) *handle {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.handles[number]
}

func (f *files) Open(_ <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	file := f.file(in.NodeId)
	if file == nil {
		return fuse.ENOENT
	}

	h, err := f.tree.Open(file, in.Flags&syscall.O_ACCMODE != syscall.O_RDONLY)
	if err != nil {
		return statusOf(err)
	}

	f.mu.Lock()
	defer f.mu.Unlock()

	if f.users[in.Uid] >= mostHandles && in.Uid != 0 && int(in.Uid) != os.Geteuid() {
		return fuse.Status(syscall.EMFILE)
	}

	f.users[in.Uid]++
	f.last++
	f.handles[f.last] = &handle{h, in.Uid}

	out.Fh = f.last
	out.OpenFlags = openFlags(file)
	return fuse.OK
}

// openFlags says how the kernel treats an open file: nothing in the page cache, nothing to flush,
// and an offset where there is a text, in which head and tail seek.
func openFlags(file *randfs.File) uint32 {
	const direct = fuse.FOPEN_DIRECT_IO | fuse.FOPEN_NOFLUSH
	if file.Name == "stats" || file.Name == "ctl" {
		return direct
	}
	return direct | fuse.FOPEN_STREAM | fuse.FOPEN_NONSEEKABLE
}

func (f *files) Release(_ <-chan struct{}, in *fuse.ReleaseIn) {
	f.mu.Lock()
	defer f.mu.Unlock()

	h := f.handles[in.Fh]
	if h == nil {
		return
	}

	delete(f.handles, in.Fh)
	f.users[h.uid]--
	if f.users[h.uid] == 0 {
		delete(f.users, h.uid)
	}
}

func (f *files) Write(_ <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	h := f.handle(in.Fh)
	if h == nil {
		return 0, fuse.EBADF
	}
	n, err := h.Handle.Write(data)
	return uint32(n), statusOf(err)
}

// statusOf is the kernel's word for an error: EACCES for what the file does not allow, else EINVAL.
func statusOf(err error) fuse.Status {
	switch {
	case err == nil:
		return fuse.OK
	case errors.Is(err, fs.ErrPermission):
		return fuse.EACCES
	}
	return fuse.EINVAL
}
