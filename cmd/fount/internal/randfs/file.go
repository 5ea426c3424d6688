// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

// The files.

import "io/fs"

// A kind is what a file does.
type kind int

const (
	random kind = iota
	urandom
	seed
	stats
	ctl
	kinds
)

// A File is a name in the tree, as a listing shows it. Its size shows as 0. A File never changes.
type File struct {
	Name string
	// Perm says who may use the file: 0444 is read, 0200 written by the owner. ctl is 0644: everyone may read its text,
	// which is in stats too, but a write makes others wait for a refill. This package lets every client do what the bits
	// give the owner; the server or the kernel in front of it knows who the owner is.
	Perm fs.FileMode
	Path uint64 // qid path and inode number; the root's is 0 in 9P, 1 in FUSE

	kind kind
	text func(names bool) string // what a read gives, of stats and ctl, with or without the names of clients
}

// Readable reports whether the file can be opened for reading.
func (f *File) Readable() bool { return f.Perm&0o400 != 0 }

// Writable reports whether the file can be opened for writing.
func (f *File) Writable() bool { return f.Perm&0o200 != 0 }

func (t *Tree) makeFiles() []*File {
	return []*File{
		{Name: "random", Perm: 0o444, Path: 16, kind: random},
		{Name: "urandom", Perm: 0o444, Path: 17, kind: urandom},
		{Name: "seed", Perm: 0o200, Path: 18, kind: seed},
		{Name: "stats", Perm: 0o444, Path: 19, kind: stats, text: t.stats},
		{Name: "ctl", Perm: 0o644, Path: 20, kind: ctl, text: func(bool) string { return t.source.Status() }},
	}
}
