// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package numa tells which NUMA nodes this machine has and on which of them the
// caller runs. It looks, and places nothing: a caller that binds its threads learns
// from Places where.
//
// On Linux the nodes are those that sysfs lists with a CPU, and the current one
// is what getcpu(2) says. Every other system is one node.
package numa

// A Topology is the nodes of a machine. It never changes once it is made: a node
// that comes later counts as one of those that are there.
type Topology struct {
	// Nodes are the system's numbers of the nodes, at least one, growing. An
	// index into Nodes stands for a node everywhere else.
	Nodes []int
	// Source is "sysfs" or "one node".
	Source string
	// Note says what was ignored or could not be read, "" if nothing.
	Note string

	index []int // from the system's number to the index
}

// Current returns the index of the node that the caller runs on: a hint, as it may
// run on another one when Current returns. A machine of several nodes makes one system
// call, 0.1 µs. It may be called from any goroutine.
func (t *Topology) Current() int {
	if len(t.Nodes) == 1 {
		return 0
	}
	return t.indexOf(currentNode())
}

// indexOf returns the index of the system's node n. A node that was not there at
// the beginning counts as the first, and so does the answer of a sandbox that
// forbids the question.
func (t *Topology) indexOf(n int) int {
	if n < 0 || n >= len(t.index) {
		return 0
	}
	return t.index[n]
}

// oneNode is the topology where there is nothing to look at.
func oneNode(note string) *Topology {
	return &Topology{Nodes: []int{0}, Source: "one node", Note: note}
}
