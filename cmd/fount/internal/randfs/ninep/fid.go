// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

// Fids and directories.

import (
	"time"

	"9fans.net/go/plan9"

	"fount/cmd/fount/internal/randfs"
)

// A fid is what a client calls a file by.
type fid struct {
	files []*randfs.File // of the tree it is in
	file  *randfs.File   // nil: the root

	open          bool
	reads, writes bool
	handle        *randfs.Handle // of an open file

	offset uint64 // of the next read of a directory, if it goes on
	entry  int    // at that offset
}

// step goes to a name.
func (f *fid) step(name string) error {
	if f.file != nil {
		return errNotDir
	}
	if name == ".." {
		return nil // the root's parent is the root
	}

	for _, file := range f.files {
		if file.Name == name {
			f.file = file
			return nil
		}
	}
	return errNotExist
}

// openAs opens the fid in a mode of open(5). OTRUNC, with which shells open, and OCEXEC change
// nothing. ORCLOSE would remove the file.
func (f *fid) openAs(tree *randfs.Tree, mode uint8) error {
	access := mode & 3
	reads := access == plan9.OREAD || access == plan9.ORDWR
	writes := access == plan9.OWRITE || access == plan9.ORDWR
	truncates := mode&plan9.OTRUNC != 0

	if access == plan9.OEXEC || mode&plan9.ORCLOSE != 0 {
		return errPermission
	}

	if f.file == nil {
		if writes || truncates {
			return errPermission
		}
		f.open = true
		f.reads = true
		return nil
	}

	if reads && !f.file.Readable() || (writes || truncates) && !f.file.Writable() {
		return errPermission
	}

	h, err := tree.Open(f.file, writes)
	if err != nil {
		return err
	}

	f.open = true
	f.reads = reads
	f.writes = writes
	f.handle = h
	return nil
}

// readDir fills b with whole records, from the first or from where the last read ended (read(5)).
func (f *fid) readDir(b []byte, offset uint64, started time.Time) (int, error) {
	if offset == 0 {
		f.offset = 0
		f.entry = 0
	}
	if offset != f.offset {
		return 0, errDirOffset
	}

	n := 0
	for f.entry < len(f.files) {
		r, err := record(f.files[f.entry], started).Bytes()
		if err != nil {
			return 0, err
		}
		if n+len(r) > len(b) {
			break
		}
		n += copy(b[n:], r)
		f.entry++
	}

	if n == 0 && f.entry < len(f.files) {
		return 0, errDirCount // 0 would be the end
	}

	f.offset += uint64(n)
	return n, nil
}

func (f *fid) qid() plan9.Qid { return qidOf(f.file) }

// qidOf is the qid of a file, or of the root. The version stays 0, which tells Linux not to cache.
func qidOf(file *randfs.File) plan9.Qid {
	if file == nil {
		return plan9.Qid{Type: plan9.QTDIR}
	}
	return plan9.Qid{Path: file.Path}
}

// record is what stat(5) says of a file, or of the root.
func record(file *randfs.File, started time.Time) *plan9.Dir {
	d := &plan9.Dir{
		Qid:   qidOf(file),
		Atime: uint32(started.Unix()),
		Mtime: uint32(started.Unix()),
		Uid:   "fount",
		Gid:   "fount",
		Muid:  "fount",
	}

	if file == nil {
		d.Name = "/"
		d.Mode = plan9.DMDIR | 0o555
	} else {
		d.Name = file.Name
		d.Mode = plan9.Perm(file.Perm)
	}
	return d
}
