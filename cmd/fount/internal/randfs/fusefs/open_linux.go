// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// Open files, and the processes that opened them.

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"syscall"

	"fount/cmd/fount/internal/randfs"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// opened are the open files, by the number that the kernel has of each. Each takes about 200 B here, and more in the
// kernel.
type opened struct {
	mu      sync.RWMutex
	last    uint64
	handles map[uint64]*handle
	clients map[opener]*client
	users   map[uint32]int // how many of the handles each user has
}

// mostHandles bounds those of one user, except root and the user who mounted. Without it a user could open as many files as
// they may have processes times RLIMIT_NOFILE.
const mostHandles = 4096

// A handle is an open file.
type handle struct {
	*randfs.Handle
	client *client
}

// A client is a process that has files open, under the name that it had then. A file that it hands on, as a shell does
// with "dd < random", counts as its own.
type client struct {
	*randfs.Client
	opener
	handles int
}

// An opener is a process and its user, as they were at open(2).
type opener struct {
	name string
	uid  uint32
}

func newOpened() opened {
	return opened{handles: map[uint64]*handle{}, clients: map[opener]*client{}, users: map[uint32]int{}}
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
	who := opener{processName(in.Pid), in.Uid} // reads a file: before the lock
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.users[who.uid] >= mostHandles && who.uid != 0 && int(who.uid) != os.Geteuid() {
		return fuse.Status(syscall.EMFILE)
	}
	c := f.clients[who]
	if c == nil {
		c = &client{Client: f.tree.Client(who.name, int(who.uid)), opener: who}
		f.clients[who] = c
	}
	c.handles++
	f.users[who.uid]++
	h, err := c.Open(file, in.Flags&syscall.O_ACCMODE != syscall.O_RDONLY)
	if err != nil {
		f.drop(c)
		if errors.Is(err, fs.ErrPermission) {
			return fuse.EACCES
		}
		return fuse.Status(syscall.EMFILE) // the client has too many open
	}
	f.last++
	f.handles[f.last] = &handle{Handle: h, client: c}
	out.Fh = f.last
	out.OpenFlags = openFlags(file)
	return fuse.OK
}

// openFlags says how the kernel treats an open file: nothing in the page cache, nothing to flush when it is closed, and
// no offset but where there is a text to read.
func openFlags(file *randfs.File) uint32 {
	const direct = fuse.FOPEN_DIRECT_IO | fuse.FOPEN_NOFLUSH
	if file.Name == "stats" || file.Name == "ctl" {
		return direct | fuse.FOPEN_NONSEEKABLE
	}
	return direct | fuse.FOPEN_STREAM | fuse.FOPEN_NONSEEKABLE
}

// drop takes a handle from a client, and ends the client with its last. The lock is held, as in release.
func (o *opened) drop(c *client) {
	if o.users[c.uid]--; o.users[c.uid] == 0 {
		delete(o.users, c.uid)
	}
	if c.handles--; c.handles == 0 {
		c.Close()
		delete(o.clients, c.opener)
	}
}

func (f *files) Release(_ <-chan struct{}, in *fuse.ReleaseIn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.release(in.Fh)
}

func (o *opened) release(number uint64) {
	if h := o.handles[number]; h != nil {
		delete(o.handles, number)
		h.Close()
		o.drop(h.client)
	}
}

// closeAll closes what the kernel, which went first, did not.
func (o *opened) closeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for number := range o.handles {
		o.release(number)
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

// statusOf is the kernel's word for an error of a read or a write: EACCES for what the file does not allow, EINVAL for
// all others.
func statusOf(err error) fuse.Status {
	switch {
	case err == nil:
		return fuse.OK
	case errors.Is(err, fs.ErrPermission):
		return fuse.EACCES
	}
	return fuse.EINVAL
}

// processName names the process of a thread, as "dd:1234". A thread of another PID namespace has the number 0, and one
// that is gone no name.
func processName(thread uint32) string {
	number := strconv.FormatUint(uint64(thread), 10)
	status, err := os.ReadFile("/proc/" + number + "/status")
	if err != nil {
		return "?:" + number
	}
	return statusField(status, "Name:") + ":" + statusField(status, "Tgid:")
}

// statusField returns the value of a line of /proc/PID/status.
func statusField(status []byte, label string) string {
	for line := range bytes.Lines(status) {
		if value, ok := bytes.CutPrefix(line, []byte(label)); ok {
			return string(bytes.TrimSpace(value))
		}
	}
	return "?"
}
