// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

// What stats and ctl read as.

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fount"
)

// A counter counts the calls on one file, without a lock. Read beside a call, it may have the call and not yet its bytes.
type counter struct{ calls, bytes, nanos atomic.Uint64 }

// count counts a call of n bytes.
func (c *counter) count(took time.Duration, n int) {
	c.calls.Add(1)
	c.bytes.Add(uint64(n))
	c.nanos.Add(uint64(max(took, 0)))
}

// stats is the text of the file: the server's age, a head, and a line for each file, whose words an awk program finds by
// number.
func (t *Tree) stats() string {
	var b strings.Builder
	fmt.Fprintf(&b, "up %.1f s\n%-7s %14s %18s %9s\n", t.clock().Seconds(), "file", "calls", "bytes", "mean_ns")
	for _, f := range t.files {
		calls := f.total.calls.Load()
		fmt.Fprintf(&b, "%-7s %14d %18d %9d\n", f.Name, calls, f.total.bytes.Load(), f.total.nanos.Load()/max(calls, 1))
	}
	return b.String()
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

// A snapshot is a text as it was at the last read from its start, so that its parts belong together.
type snapshot struct {
	mu   sync.Mutex
	text string
}

// from is the text from an offset on. Offset 0 makes it anew.
func (s *snapshot) from(off int64, make func() string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if off == 0 {
		s.text = make()
	}
	return s.text[min(off, int64(len(s.text))):]
}
