// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package randfs is the tree of files that serves random bytes: random, urandom, seed, stats and ctl. It speaks no
// protocol: packages ninep (9P) and fusefs (FUSE) are its doors.
//
//	random, urandom  endless; a read is filled to its length, offsets are ignored, no two reads share a byte
//	seed             takes what is written, mixes it and credits it 0 bits
//	stats            calls, bytes, rate and latency of each file and each client
//	ctl              takes reseed; read, it says what is in force
package randfs

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"fount"
	"fount/pool"
)

// A Source is where the bytes of a tree come from, and what its files seed and ctl act on. A nil field has the meaning
// that stands beside it. All are called from any goroutine.
type Source struct {
	Read   func(b []byte)   // fills b; fount.Read
	Seed   func(b []byte)   // mixes b, credits nothing, does not keep b; pool.Add
	Reseed func()           // fount.Reseed
	Status func() string    // what ctl reads as, whole lines; some of fount.Status
	Now    func() time.Time // time.Now
}

// A Tree is the files, and what is known of their clients. Any goroutine may call its methods.
type Tree struct {
	source  Source
	clock   func() time.Duration // since the tree was made
	started time.Time
	files   []*File

	mu    sync.Mutex
	named map[string]*figures // of the clients that have a line of their own in stats
	other figures             // of all others, and of those that are gone
	now   int                 // clients
	ever  int                 // clients
}

// New makes a tree.
func New(s Source) *Tree {
	if s.Read == nil {
		s.Read = func(b []byte) { fount.Read(b) }
	}
	if s.Seed == nil {
		s.Seed = func(b []byte) { pool.Add("file", b) }
	}
	if s.Reseed == nil {
		s.Reseed = fount.Reseed
	}
	if s.Status == nil {
		s.Status = status
	}
	t := &Tree{source: s, named: map[string]*figures{}, other: figures{name: "other"}}
	if s.Now == nil {
		t.started = time.Now()
		t.clock = func() time.Duration { return time.Since(t.started) } // 1 clock read, where time.Now makes 2
	} else {
		t.started = s.Now()
		t.clock = func() time.Duration { return s.Now().Sub(t.started) }
	}
	t.files = t.makeFiles()
	return t
}

// Started is when the tree was made: the time of all its files.
func (t *Tree) Started() time.Time { return t.started }

// Files are the files that an attach name shows, in the order of a listing. "" and "/" show all. "dev" shows random and
// urandom only, so that a union mount over /dev adds no other name.
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

// errRequest says what ctl takes.
var errRequest = errors.New("unknown request: ctl takes reseed")

// control carries out what was written to ctl.
func (t *Tree) control(b []byte) error {
	if strings.TrimSuffix(string(b), "\n") != "reseed" {
		return errRequest
	}
	t.source.Reseed()
	return nil
}
