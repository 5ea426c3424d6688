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
	"time"

	"fount"
	"fount/lab/show"
)

// stats is the text of the file: a line about the server, a head, and a line for each file and each client in each of
// the two periods, whose words an awk program finds by number. Without names all clients are in the line of "other".
func (t *Tree) stats(names bool) string {
	now := t.clock()
	second := secondOf(now)
	table := show.Table{
		Head: []string{line("since", "what", "name"), "calls", "bytes", "bytes/s", "mean_ns", "p50_ns", "p99_ns", "max_ns"},
	}
	t.mu.Lock()
	files, clients := t.sum(second)
	head := fmt.Sprintf("up %.1f s, clients %d now, %d since the start\n", now.Seconds(), t.now, t.ever)
	t.mu.Unlock()
	if !names {
		clients = []*summary{together(clients)}
	}
	// The last ten seconds end now, within the last of them.
	last := min(now, now%time.Second+(recent-1)*time.Second)
	for _, period := range []struct {
		name string
		of   func(*summary) *tally
		long time.Duration
	}{
		{"start", func(s *summary) *tally { return &s.start }, now},
		{"10s", func(s *summary) *tally { return &s.last }, last},
	} {
		for _, s := range files {
			table.Rows = append(table.Rows, s.row(period.name, "file", period.of(s), period.long))
		}
		for _, s := range clients {
			table.Rows = append(table.Rows, s.row(period.name, "client", period.of(s), period.long))
		}
	}
	return head + table.String("")
}

// line is the words that a line begins with.
func line(since, what, name string) string { return fmt.Sprintf("%-5s  %-6s  %s", since, what, name) }

// A summary is what a file or a client did in both periods.
type summary struct {
	name        string
	start, last tally
}

func (s *summary) row(since, what string, t *tally, long time.Duration) []string {
	row := []string{line(since, what, s.name)}
	rate := uint64(0)
	if long > 0 {
		rate = uint64(float64(t.bytes) / long.Seconds())
	}
	for _, n := range []uint64{t.calls, t.bytes, rate} {
		row = append(row, strconv.FormatUint(n, 10))
	}
	if t.calls == 0 {
		return append(row, "-", "-", "-", "-")
	}
	for _, n := range []uint64{t.mean(), t.quantile(50), t.quantile(99), t.most} {
		row = append(row, strconv.FormatUint(n, 10))
	}
	return row
}

// sum adds up the cells: by file, and by client in the order of their names, "other" last. t.mu is held.
func (t *Tree) sum(second int64) (files, clients []*summary) {
	for _, f := range t.files {
		files = append(files, &summary{name: f.Name})
	}
	for _, name := range slices.Sorted(maps.Keys(t.named)) {
		clients = append(clients, t.named[name].sum(second, files))
	}
	return files, append(clients, t.other.sum(second, files))
}

// together is what all clients did, under the name of the last, "other".
func together(clients []*summary) *summary {
	all := &summary{name: clients[len(clients)-1].name}
	for _, c := range clients {
		all.start.add(&c.start)
		all.last.add(&c.last)
	}
	return all
}

// sum adds up the cells of one client, and adds each to its file's.
func (g *figures) sum(second int64, files []*summary) *summary {
	all := &summary{name: g.name}
	for k, c := range g.cells {
		if c == nil {
			continue
		}
		var one summary
		c.sum(second, &one.start, &one.last)
		for _, to := range []*summary{all, files[k]} {
			to.start.add(&one.start)
			to.last.add(&one.last)
		}
	}
	return all
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
