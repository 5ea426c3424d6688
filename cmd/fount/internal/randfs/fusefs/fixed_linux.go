// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// Requests that would change the names: not permitted to anyone.

import "github.com/hanwen/go-fuse/v2/fuse"

func (*files) Create(<-chan struct{}, *fuse.CreateIn, string, *fuse.CreateOut) fuse.Status {
	return fuse.EPERM
}

func (*files) Mknod(<-chan struct{}, *fuse.MknodIn, string, *fuse.EntryOut) fuse.Status {
	return fuse.EPERM
}

func (*files) Mkdir(<-chan struct{}, *fuse.MkdirIn, string, *fuse.EntryOut) fuse.Status {
	return fuse.EPERM
}

func (*files) Symlink(<-chan struct{}, *fuse.InHeader, string, string, *fuse.EntryOut) fuse.Status {
	return fuse.EPERM
}

func (*files) Link(<-chan struct{}, *fuse.LinkIn, string, *fuse.EntryOut) fuse.Status {
	return fuse.EPERM
}

func (*files) Rename(<-chan struct{}, *fuse.RenameIn, string, string) fuse.Status { return fuse.EPERM }

func (*files) Unlink(<-chan struct{}, *fuse.InHeader, string) fuse.Status { return fuse.EPERM }

func (*files) Rmdir(<-chan struct{}, *fuse.InHeader, string) fuse.Status { return fuse.EPERM }
