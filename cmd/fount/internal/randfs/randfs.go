// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package randfs is the tree of files that serves random bytes: random, urandom, seed, stats and
// ctl. It speaks no protocol: packages ninep (9P) and fusefs (FUSE) are its doors.
//
//	random, urandom  endless; a read is filled, offsets are ignored, no two reads share a byte
//	seed             takes what is written, mixes it and credits it 0 bits
//	stats            calls, bytes and mean time of each file since the start
//	ctl              takes reseed; read, it says what is in force
package randfs

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fount"
)

// A Source is where a tree's bytes come from, and what its files seed and ctl act on. A nil field
// has the meaning beside it. All are called from any goroutine.
type Source struct {
	Read   func(b []byte) // fills b; fount.Read
	Seed   func(b []byte) // mixes b, credits nothing, does not keep b; fount.AddSeed
	Reseed func()         // fount.Reseed
}

// A Tree is the files. Any goroutine may call its methods.
type Tree struct {
	source  Source
	started time.Time
	files   []*File
}

// New makes a tree.
func New(s Source) *Tree {
	if s.Read == nil {
		s.Read = func(b []byte) { fount.Read(b) }
	}
	if s.Seed == nil {
		s.Seed = func(b []byte) { fount.AddSeed("file", b) }
	}
	if s.Reseed == nil {
		s.Reseed = fount.Reseed
	}
	t := &Tree{source: s, started: time.Now()}
	t.files = []*File{
		{Name: "random", Perm: 0o444, Path: 16},
		{Name: "urandom", Perm: 0o444, Path: 17},
		{Name: "seed", Perm: 0o200, Path: 18, write: func(b []byte) error { t.source.Seed(b); return nil }},
		{Name: "stats", Perm: 0o444, Path: 19, text: t.stats},
		{Name: "ctl", Perm: 0o644, Path: 20, text: status, write: t.control},
	}
	return t
}

// Started is when the tree was made: the time of all its files.
func (t *Tree) Started() time.Time { return t.started }

// Files are the files that an attach name shows, in the order of a listing: "" and "/" all, "dev"
// random and urandom only, so that a union mount over /dev adds no other name.
func (t *Tree) Files(attach string) ([]*File, error) {
	switch attach {
	case "", "/":
		return t.files, nil
	case "dev":
		return t.files[:2:2], nil
	}
	if len(attach) > 40 {
		attach = attach[:40] + "..."
	}
	return nil, fmt.Errorf("no tree %q: attach \"\" for all files or \"dev\" for random and urandom", attach)
}

// control carries out what was written to ctl.
func (t *Tree) control(b []byte) error {
	if strings.TrimSuffix(string(b), "\n") != "reseed" {
		return errors.New("unknown request: ctl takes reseed")
	}
	t.source.Reseed()
	return nil
}

// A File is a name in the tree, as a listing shows it.
type File struct {
	Name string
	// Perm says who may use the file: 0444 is read, 0200 written by the owner. ctl is 0644, as a
	// write makes others wait for a refill. Here every client may do what the owner may; the server
	// or the kernel in front knows who that is.
	Perm fs.FileMode
	Path uint64 // qid path and inode number; the root's is 0 in 9P, 1 in FUSE

	text  func() string        // what a read gives, of stats and ctl
	write func(b []byte) error // of seed and ctl; keeps nothing of b
	total counter
}

// Readable reports whether the file can be opened for reading.
func (f *File) Readable() bool { return f.Perm&0o400 != 0 }

// Writable reports whether the file can be opened for writing.
func (f *File) Writable() bool { return f.write != nil }

// A Handle is a file that a client has open. Any goroutine may call its methods. Just drop it.
type Handle struct {
	tree  *Tree
	file  *File
	write bool
	text  snapshot
}

// Open opens f, for reading or, if write is set, for writing; a readable file can be read then too.
// An error is fs.ErrPermission.
func (t *Tree) Open(f *File, write bool) (*Handle, error) {
	if write && !f.Writable() || !write && !f.Readable() {
		return nil, fs.ErrPermission
	}
	return &Handle{tree: t, file: f, write: write}, nil
}

// ReadAt reads from the file. From random and urandom it fills all of b, whatever the offset, with
// bytes that no other call gets. From stats and ctl it copies a text, which the first read, the
// first after a write and each at offset 0 make, and returns 0 and no error at its end.
func (h *Handle) ReadAt(b []byte, off int64) (int, error) {
	if !h.file.Readable() {
		return 0, fs.ErrPermission
	}
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	begin := h.tree.clock()
	n := len(b)
	if h.file.text == nil {
		h.tree.source.Read(b)
	} else {
		n = copy(b, h.text.from(off, h.file.text))
	}
	h.file.total.count(h.tree.clock()-begin, n)
	return n, nil
}

// Write writes all of b, or returns an error and has done nothing. seed takes anything, ctl
// "reseed", with or without a newline. Nothing of b is kept.
func (h *Handle) Write(b []byte) (int, error) {
	if !h.write {
		return 0, fs.ErrPermission
	}
	begin := h.tree.clock()
	if err := h.file.write(b); err != nil {
		return 0, err
	}
	h.text.drop()
	h.file.total.count(h.tree.clock()-begin, len(b))
	return len(b), nil
}

// clock is the time since the tree was made: 1 clock read, where time.Now makes 2.
func (t *Tree) clock() time.Duration { return time.Since(t.started) }

// A counter counts calls, without a lock: a call may be there before its bytes are.
type counter struct{ calls, bytes, nanos atomic.Uint64 }

// count counts a call of n bytes.
func (c *counter) count(took time.Duration, n int) {
	c.calls.Add(1)
	c.bytes.Add(uint64(n))
	c.nanos.Add(uint64(max(took, 0)))
}

// stats is the text of the file: the server's age, a head, and a line for each file.
func (t *Tree) stats() string {
	var b strings.Builder
	fmt.Fprintf(&b, "up %.1f s\n%-7s %14s %18s %9s\n", t.clock().Seconds(), "file", "calls", "bytes", "mean_ns")
	for _, f := range t.files {
		calls := f.total.calls.Load()
		fmt.Fprintf(&b, "%-7s %14d %18d %9d\n", f.Name, calls, f.total.bytes.Load(), f.total.nanos.Load()/max(calls, 1))
	}
	return b.String()
}

// status is what ctl reads as: some of fount.Status, a word and its value, or a node, a line.
func status() string {
	s := fount.Status()
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "%-12s  %v\n", name, value) }
	line("mode", s.Mode)
	line("why", s.Why)
	line("window_bytes", s.WindowBytes)
	line("kernel", s.Kernel)
	line("cipher", s.Cipher)
	for _, n := range s.Nodes {
		line("node", fmt.Sprintf("%d: fed %d times, %d draws (%s)", n.Node, n.Generation, n.Draws, s.Topology))
	}
	line("shards", s.Shards)
	line("reseeds", s.Reseeds)
	line("redone", s.Redone)
	line("epoch", s.Epoch)
	return b.String()
}

// A snapshot is a text as it was at one read, so that the parts that later reads give fit together.
type snapshot struct {
	mu   sync.Mutex
	text string
}

// from is the text from an offset on. Offset 0 makes it anew.
func (s *snapshot) from(off int64, make func() string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if off == 0 || s.text == "" {
		s.text = make()
	}
	return s.text[min(off, int64(len(s.text))):]
}

// drop has the next read make the text anew.
func (s *snapshot) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = ""
}
