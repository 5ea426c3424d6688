// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package numa reports which NUMA nodes this machine has and on which of them the caller runs. It
// does not bind threads; Places tells a caller that does which CPUs each node has.
//
// On Linux the nodes are those that sysfs lists with a CPU, and getcpu(2) tells the current one.
// Every other system counts as one node.
package numa

// A Topology is the nodes of a machine. It never changes: a node that is added later counts as the
// first.
type Topology struct {
	// Nodes has the system's numbers of the nodes, at least one, in growing order. Elsewhere a node
	// is an index into Nodes.
	Nodes []int
	// Source is "sysfs" or "one node".
	Source string
	// Note says what was ignored or could not be read. It is "" if nothing was.
	Note string

	index []int // from the system's number to the index
}

// Current returns the index of the node that the caller runs on. It is a hint: the caller may run
// on another node when Current returns. If there are several nodes, it makes a system call of 0.1
// µs. It may be called from any goroutine.
func (t *Topology) Current() int {
	if len(t.Nodes) == 1 {
		return 0
	}
	return t.indexOf(currentNode())
}

// indexOf returns the index of the system's node n, or 0 if n is a new node or -1, which a sandbox
// causes that forbids the system call.
func (t *Topology) indexOf(n int) int {
	if n < 0 || n >= len(t.index) {
		return 0
	}
	return t.index[n]
}

// oneNode returns the topology of a machine whose nodes are not known.
func oneNode(note string) *Topology {
	return &Topology{Nodes: []int{0}, Source: "one node", Note: note}
}
