// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

// What stats and ctl read as.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"fount"
	"fount/lab/show"
)

// A cell counts the calls of the clients of one name on one file, without a lock: three atomic additions. Read beside a call,
// it may have the call and not yet its bytes.
type cell struct{ calls, bytes, nanos, most atomic.Uint64 }

// count counts a call of n bytes.
func (c *cell) count(took time.Duration, n int) {
	ns := uint64(max(took, 0))
	c.calls.Add(1)
	c.bytes.Add(uint64(n))
	c.nanos.Add(ns)
	c.raise(ns)
}

func (c *cell) raise(ns uint64) {
	for old := c.most.Load(); ns > old && !c.most.CompareAndSwap(old, ns); {
		old = c.most.Load()
	}
}

func (c *cell) add(o *cell) {
	c.calls.Add(o.calls.Load())
	c.bytes.Add(o.bytes.Load())
	c.nanos.Add(o.nanos.Load())
	c.raise(o.most.Load())
}

// stats is the text of the file: a line about the server, a head, and a line for each file and each client, whose words an
// awk program finds by number. All are totals since the start. Without names all clients are in the line of "other".
func (t *Tree) stats(names bool) string {
	up := t.clock()
	table := show.Table{Head: []string{line("what", "name"), "calls", "bytes", "mean_ns", "max_ns"}}
	t.mu.Lock()
	defer t.mu.Unlock()
	var clients []*figures
	for _, name := range slices.Sorted(maps.Keys(t.named)) {
		clients = append(clients, t.named[name])
	}
	clients = append(clients, &t.other)
	var all cell
	for k, f := range t.files {
		var sum cell
		for _, c := range clients {
			sum.add(&c.cells[k])
		}
		all.add(&sum)
		table.Rows = append(table.Rows, sum.row("file", f.Name))
	}
	if !names {
		table.Rows = append(table.Rows, all.row("client", t.other.name))
		clients = nil
	}
	for _, c := range clients {
		var sum cell
		for k := range c.cells {
			sum.add(&c.cells[k])
		}
		table.Rows = append(table.Rows, sum.row("client", c.name))
	}
	return fmt.Sprintf("up %.1f s, clients %d now, %d since the start\n", up.Seconds(), t.now, t.ever) + table.String("")
}

// line is the words that a line begins with.
func line(what, name string) string { return fmt.Sprintf("%-6s  %s", what, name) }

func (c *cell) row(what, name string) []string {
	row := []string{line(what, name)}
	calls := c.calls.Load()
	for _, n := range []uint64{calls, c.bytes.Load(), c.nanos.Load() / max(calls, 1), c.most.Load()} {
		row = append(row, strconv.FormatUint(n, 10))
	}
	return row
}

// status is what ctl reads as: some of fount.Status, a word and its value a line; a line for each node.
func status() string {
	s := fount.Status()
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "%-12s  %v\n", name, value) }
	line("mode", s.Mode)
	line("why", s.Why)
	line("window_bytes", s.WindowBytes)
	line("kernel", s.Kernel)
	line("cipher", s.Cipher)
	for _, n := range s.Pools.Nodes {
		line("node", fmt.Sprintf("%d: fed %d times, %d draws (%s)", n.Node, n.Generation, n.Draws, s.Pools.Topology))
	}
	line("shards", s.Shards)
	line("reseeds", s.Reseeds)
	line("redone", s.Redone)
	line("epoch", s.Epoch)
	return b.String()
}
