// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package randfs has the files that give and take random bytes: random, urandom, seed, stats and
// ctl. Packages ninep (9P) and fusefs (FUSE) serve them.
//
//	random, urandom  endless; a read fills its buffer, whatever the offset, with new bytes
//	seed             mixes in what is written, and credits it no entropy
//	stats            calls, bytes and mean time of each file since the start
//	ctl              takes the word reseed, and says the state when read
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

// A Source has the functions behind a tree's files. If one is nil, the function named beside it is
// used. Any goroutine may call them.
type Source struct {
	Read   func(b []byte) // fills b; fount.Read
	Seed   func(b []byte) // mixes b, credits nothing, does not keep b; fount.AddSeed
	Reseed func()         // fount.Reseed
}

// A Tree is a set of files. Any goroutine may call its methods.
type Tree struct {
	source  Source
	started time.Time
	files   []*File
}

// New returns a tree over s.
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

// Started returns when the tree was made, which is the time of all its files.
func (t *Tree) Started() time.Time { return t.started }

// Files returns the files of an attach name, in the order of a listing. "" and "/" have all files.
// "dev" has only random and urandom, so that a union mount over /dev adds no other name.
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

// control obeys a request that was written to ctl.
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

// TextSize returns how long the text of stats or ctl is now.
func (f *File) TextSize() int { return len(f.text()) }

// A Handle is an open file of a client. Any goroutine may call its methods. It needs no closing.
type Handle struct {
	tree  *Tree
	file  *File
	write bool
	text  snapshot
}

// Open opens f for reading or, if write is true, for writing; then a readable file can be read too.
// The only error is fs.ErrPermission.
func (t *Tree) Open(f *File, write bool) (*Handle, error) {
	if write && !f.Writable() || !write && !f.Readable() {
		return nil, fs.ErrPermission
	}
	return &Handle{tree: t, file: f, write: write}, nil
}

// ReadAt reads from the file. For random and urandom it fills all of b, whatever the offset, with
// bytes that no other call gets. For stats and ctl it copies a text, and returns 0 and no error at
// its end. That text is made anew at offset 0, by the first read, and by the first read after a
// write.
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

// Write writes all of b, or does nothing and returns an error. seed takes any bytes, ctl takes
// "reseed", with or without a newline. Write does not keep b.
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

// clock returns the time since the tree was made. It reads one clock; time.Now reads two.
func (t *Tree) clock() time.Duration { return time.Since(t.started) }

// A counter counts calls, without a lock. A reader may see a call before its bytes.
type counter struct{ calls, bytes, nanos atomic.Uint64 }

// count counts a call of n bytes.
func (c *counter) count(took time.Duration, n int) {
	c.calls.Add(1)
	c.bytes.Add(uint64(n))
	c.nanos.Add(uint64(max(took, 0)))
}

// stats returns the text of the file stats: the tree's age, a head, and a line for each file.
func (t *Tree) stats() string {
	var b strings.Builder
	fmt.Fprintf(&b, "up %.1f s\n%-7s %14s %18s %9s\n", t.clock().Seconds(), "file", "calls", "bytes", "mean_ns")
	for _, f := range t.files {
		calls := f.total.calls.Load()
		fmt.Fprintf(&b, "%-7s %14d %18d %9d\n", f.Name, calls, f.total.bytes.Load(), f.total.nanos.Load()/max(calls, 1))
	}
	return b.String()
}

// status returns the text of ctl: some fields of fount.Status, one on a line, and a line for each
// node.
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

// A snapshot is the text of one moment, so that parts that several reads return fit together.
type snapshot struct {
	mu   sync.Mutex
	text string
}

// from returns the text from an offset on. At offset 0 it makes the text anew.
func (s *snapshot) from(off int64, make func() string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if off == 0 || s.text == "" {
		s.text = make()
	}
	return s.text[min(off, int64(len(s.text))):]
}

// drop makes the next read make the text anew.
func (s *snapshot) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = ""
}
