// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

// The clients of the files.

import (
	"os"
	"strings"
	"sync/atomic"
)

const (
	mostNamed = 32 // clients with a line of their own in stats
	mostTexts = 8  // handles of stats and ctl that a client may hold: 8 KiB each at most, 2 KiB of one that sees no names
	mostName  = 64 // bytes of a client's name
)

// A Client uses the files: a connection in 9P, a mount or a process in FUSE. Any goroutine may call its methods.
type Client struct {
	tree  *Tree
	name  string
	names bool // it may see the names of others in stats
	texts atomic.Int32

	figures *figures // nil before the first Open; guarded by tree.mu
	closed  bool     // guarded by tree.mu
}

// figures are what clients of one name did.
type figures struct {
	name  string
	refs  int
	cells [kinds]cell
}

// Unknown is the user of a client that the system does not name.
const Unknown = -1

// Client returns a new client of a user. In stats, root and the server's user see a line for each name, all others only
// the sums. Clients of one name share a line; those beyond 32 names at a time, and those that are gone, are in the line
// "other". A name is cut to 64 bytes, and characters other than printable ASCII become '_'.
func (t *Tree) Client(name string, uid int) *Client {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now++
	t.ever++
	names := uid != Unknown && (uid == 0 || uid == os.Geteuid())
	return &Client{tree: t, name: printable(name), names: names}
}

func printable(name string) string {
	if name == "" {
		return "?"
	}
	name = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, name[:min(len(name), mostName)])
	return name
}

// cell finds where calls on f are counted.
func (c *Client) cell(f *File) *cell {
	t := c.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.figures == nil {
		c.figures = t.figuresOf(c.name)
		c.figures.refs++
	}
	return &c.figures.cells[f.kind]
}

func (t *Tree) figuresOf(name string) *figures {
	if name == t.other.name {
		return &t.other
	}
	if g := t.named[name]; g != nil {
		return g
	}
	if len(t.named) == mostNamed {
		return &t.other
	}
	g := &figures{name: name}
	t.named[name] = g
	return g
}

// Close ends the client, after its last handle was closed. Its figures go to those of "other".
func (c *Client) Close() {
	t := c.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	t.now--
	g := c.figures
	if g == nil {
		return
	}
	if g.refs--; g.refs > 0 || g == &t.other {
		return
	}
	delete(t.named, g.name)
	for k := range g.cells {
		t.other.cells[k].add(&g.cells[k])
	}
}
