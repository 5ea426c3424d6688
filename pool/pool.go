// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package pool shows the pools between the sources of randomness and the generators of package fount, feeds
// them, and keeps a seed file. It is not a generator: programs draw from package fount, which needs no call
// of this package.
//
// There is one input pool, into which everything is hashed, and one pool for each NUMA node. A generator on
// that node mixes 32 bytes of it with 32 bytes of the kernel's own at each seed, so it is never weaker than
// the kernel.
//
// Mixing and crediting are different. Anything may be mixed in at any time and can do no harm; only what is
// credited counts. A credit is a number of bits, and draws take nothing from it, because ChaCha20's output
// tells nothing of its key. A clone of the machine sets all credits to 0.
package pool

import (
	"fount/internal/pools"
)

// A NodeReport is what is known of one node's pool.
type NodeReport struct {
	Node       int    `json:"node"`       // the system's number
	Credit     int    `json:"credit"`     // bits, 0 to 256; draws take nothing from it
	Received   uint64 `json:"received"`   // bits of credit so far
	Generation uint64 `json:"generation"` // how often it was fed; 0: no key yet, and node 0 serves
	Draws      uint64 `json:"draws"`      // 32 bytes each
}

// A Report describes this process's pools. Fields may be added.
type Report struct {
	// Topology is "sysfs", "synthetic" (the environment variable FOUNT_NUMA_NODES made
	// it) or "one node".
	Topology string `json:"topology"`
	// TopologyNote says what was ignored or could not be read.
	TopologyNote string       `json:"topology_note,omitempty"`
	Nodes        []NodeReport `json:"nodes"`
	// InputCredit is the credit that the input pool has not handed on yet, in bits.
	InputCredit int `json:"input_credit"`
	// Mixed counts inputs to the input pool, and Extractions what was taken from it;
	// each extraction mixes 32 fresh bytes of the kernel.
	Mixed       uint64         `json:"mixed"`
	Extractions uint64         `json:"extractions"`
	SeedFile    SeedFileReport `json:"seed_file"`
}

// Status reports what is in force. It changes nothing and asks no source. It may be called from any goroutine,
// and delays no draw.
func Status() Report {
	p := pools.Status()
	r := Report{
		Topology: p.Topology, TopologyNote: p.TopologyNote,
		InputCredit: p.InputCredit, Mixed: p.Mixed, Extractions: p.Extractions,
		SeedFile: SeedFileReport(p.SeedFile),
	}
	for _, n := range p.Nodes {
		r.Nodes = append(r.Nodes, NodeReport(n))
	}
	return r
}

// Feed asks all sources now and feeds every node with their answers. After Feed and
// then fount.Reseed, bytes passed to entropy.Add are in everything that package fount
// draws, except in mode "window" and by fount.Strict. Feed takes a millisecond and is never necessary: the
// pools ask the sources once a minute. It may be called from any goroutine.
//
// While a process lacks the descriptors or memory to make its pools, Feed does nothing: Status then lists no
// node, and its TopologyNote says what is lacking. Nothing is lost: the pools are made by the first draw, or
// Feed, that can, and take what entropy.Add has kept.
func Feed() { pools.Feed() }
