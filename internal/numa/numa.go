// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package numa tells which NUMA nodes this machine has and on which of them the
// caller runs. It looks, and places nothing: a caller that binds its threads learns
// from Places where.
//
// On Linux the nodes are those that sysfs lists with a CPU, and the current one
// is what getcpu(2) says. Every other system is one node. The environment variable
// FOUNT_NUMA_NODES makes a synthetic topology anywhere.
package numa

import (
	"os"
	"strconv"
	"sync/atomic"
)

// Variable names the environment variable that holds the number of synthetic nodes.
const Variable = "FOUNT_NUMA_NODES"

// maxSynthetic is the most nodes that a synthetic topology has.
const maxSynthetic = 64

// A Topology is the nodes of a machine. It never changes once it is made: a node
// that comes later counts as one of those that are there.
type Topology struct {
	// Nodes are the system's numbers of the nodes, at least one, growing. An
	// index into Nodes stands for a node everywhere else.
	Nodes []int
	// Source is "sysfs", "synthetic" or "one node".
	Source string
	// Note says what was ignored or could not be read, "" if nothing.
	Note string

	index []int         // from the system's number to the index
	turn  atomic.Uint32 // of a synthetic topology: the next node
}

// Detect returns the topology of this machine, or a synthetic one if the
// environment variable asks for it. It reads three small files.
func Detect() *Topology {
	t, note := synthetic(os.Getenv(Variable))
	if t == nil {
		t = system()
		if note != "" {
			t.Note = note
		}
	}
	return t
}

// synthetic returns a topology of as many nodes as value says, nil and a note if
// it says no such number, and nil and none if it is empty.
func synthetic(value string) (*Topology, string) {
	if value == "" {
		return nil, ""
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxSynthetic {
		return nil, Variable + "=" + strconv.Quote(value) +
			" is ignored: it is not a number from 1 to " + strconv.Itoa(maxSynthetic)
	}
	t := &Topology{Source: "synthetic"}
	for i := range n {
		t.Nodes = append(t.Nodes, i)
	}
	return t, ""
}

// Current returns the index of the node that the caller runs on: a hint, as it may
// run on another one when Current returns. In a synthetic topology successive
// calls go round the nodes, because a machine may have fewer CPUs than it has
// nodes then. A machine of several nodes makes one system call, 0.1 µs. It may be
// called from any goroutine.
func (t *Topology) Current() int {
	switch {
	case len(t.Nodes) == 1:
		return 0
	case t.Source == "synthetic":
		return int(t.turn.Add(1)-1) % len(t.Nodes)
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
