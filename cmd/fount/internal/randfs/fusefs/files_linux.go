// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// The names of the tree and their attributes.

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"fount/cmd/fount/internal/randfs"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// fresh is how long the kernel keeps names and attributes. Longer saves little, and a dead mount
// would look alive for as long.
const fresh = time.Second

// files answers the requests of the kernel, but for READ. The kernel refuses those that would
// change names, as nobody may write to the directory.
type files struct {
	fuse.RawFileSystem // ENOSYS for what is not here
	tree               *randfs.Tree
	list               []*randfs.File
	opened
}

func newFiles(t *randfs.Tree) *files {
	list, _ := t.Files("") // all, which there are
	return &files{
		RawFileSystem: fuse.NewDefaultRawFileSystem(),
		tree:          t,
		list:          list,
		opened:        opened{handles: make(map[uint64]*handle), users: make(map[uint32]int)},
	}
}

func (f *files) String() string { return "fount" }

// file returns the file of a node, nil for the directory.
func (f *files) file(node uint64) *randfs.File {
	for _, file := range f.list {
		if file.Path == node {
			return file
		}
	}
	return nil
}

func (f *files) Lookup(_ <-chan struct{}, _ *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	for _, file := range f.list {
		if file.Name == name {
			out.NodeId = file.Path
			out.SetEntryTimeout(fresh)
			out.SetAttrTimeout(fresh)
			f.attributes(file, &out.Attr)
			return fuse.OK
		}
	}
	return fuse.ENOENT
}

func (f *files) GetAttr(_ <-chan struct{}, in *fuse.GetAttrIn, out *fuse.AttrOut) fuse.Status {
	out.SetTimeout(fresh)
	f.attributes(f.file(in.NodeId), &out.Attr)
	return fuse.OK
}

// SetAttr accepts the truncation that comes with a shell's ">", and nothing else.
func (f *files) SetAttr(_ <-chan struct{}, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	file := f.file(in.NodeId)
	const others = fuse.FATTR_MODE | fuse.FATTR_UID | fuse.FATTR_GID
	if file == nil || !file.Writable() || in.Valid&fuse.FATTR_SIZE == 0 || in.Valid&others != 0 {
		return fuse.EPERM
	}
	out.SetTimeout(fresh)
	f.attributes(file, &out.Attr)
	return fuse.OK
}

// endless is the size that random files show: 0 would be an end of file to sendfile and splice, see
// the package.
const endless = 1 << 62

// attributes of a file, or of the directory if it is nil. The owner is the user who mounted.
func (f *files) attributes(file *randfs.File, a *fuse.Attr) {
	*a = fuse.Attr{Ino: fuse.FUSE_ROOT_ID, Mode: syscall.S_IFDIR | 0o555, Nlink: 2}
	if file != nil {
		a.Ino = file.Path
		a.Mode = syscall.S_IFREG | uint32(file.Perm&fs.ModePerm)
		a.Nlink = 1
		switch file.Name {
		case "random", "urandom":
			a.Size = endless
		case "stats", "ctl":
			a.Size = uint64(file.TextSize())
			a.Blocks = a.Size/512 + 1 // no holes, which cp would look for
		}
	}

	a.Owner = fuse.Owner{Uid: uint32(os.Geteuid()), Gid: uint32(os.Getegid())}
	started := f.tree.Started()
	a.SetTimes(&started, &started, &started)
}

func (f *files) StatFs(_ <-chan struct{}, _ *fuse.InHeader, out *fuse.StatfsOut) fuse.Status {
	*out = fuse.StatfsOut{Bsize: 4096, Frsize: 4096, NameLen: 255, Files: uint64(len(f.list))}
	return fuse.OK
}

func (f *files) OpenDir(<-chan struct{}, *fuse.OpenIn, *fuse.OpenOut) fuse.Status { return fuse.OK }

// ReadDir lists from an offset, which is the number of names before it.
func (f *files) ReadDir(_ <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	names := []fuse.DirEntry{
		{Name: ".", Mode: syscall.S_IFDIR, Ino: fuse.FUSE_ROOT_ID},
		{Name: "..", Mode: syscall.S_IFDIR, Ino: fuse.FUSE_ROOT_ID},
	}

	for _, file := range f.list {
		names = append(names, fuse.DirEntry{Name: file.Name, Mode: syscall.S_IFREG, Ino: file.Path})
	}
	for _, name := range names[min(in.Offset, uint64(len(names))):] {
		if !out.AddDirEntry(name) {
			break
		}
	}
	return fuse.OK
}
