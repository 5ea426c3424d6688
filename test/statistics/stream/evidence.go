// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package main

// What was in force.

import (
	"fount"
	"fount/pool"
)

// evidence is the last line.
type evidence struct {
	Stream   string   `json:"stream"`
	Bytes    int64    `json:"bytes"`
	Mode     string   `json:"mode"`
	Cipher   string   `json:"cipher"`
	States   int      `json:"states"`          // in use
	Reseeds  uint64   `json:"reseeds"`         // of these
	Topology string   `json:"topology"`        // "synthetic" or "sysfs" or "one node"
	Keyed    []int    `json:"keyed,omitempty"` // the node on which each Generator drew its first key; -1: none or several
	Draws    []uint64 `json:"draws"`           // of each node

	open []*fount.Generator // else they would be wiped when they are unreachable
}

func (e *evidence) nodes() []pool.NodeReport { return pool.Status().Nodes }

// draws is how often each node has been drawn on.
func (e *evidence) draws() (list []uint64) {
	for _, n := range e.nodes() {
		list = append(list, n.Draws)
	}
	return list
}

func (e *evidence) end() {
	fs, ps := fount.Status(), pool.Status()
	e.Mode, e.Cipher, e.States, e.Reseeds = fs.Mode, fs.Cipher, fs.Shards, fs.Reseeds
	e.Topology, e.Draws = ps.Topology, e.draws()
	for _, g := range e.open {
		g.Close()
	}
}

// generators makes n Generators and has each draw its first key, and notes on which node that was.
func generators(n int, e *evidence) []*fount.Generator {
	settle()
	for range n {
		g := fount.NewGenerator()
		before := e.draws()
		g.Uint64()
		e.Keyed = append(e.Keyed, drawnOn(before, e.draws()))
		e.open = append(e.open, g)
	}
	return e.open
}

// settle finds the uniqueness word and makes the nodes' keys, which is a draw on node 0.
func settle() {
	first := fount.NewGenerator()
	first.Uint64()
	first.Close()
}

// drawnOn returns the one node that was drawn on once in between.
func drawnOn(before, after []uint64) int {
	node := -1
	for i := range after {
		switch {
		case after[i] == before[i]:
		case after[i] == before[i]+1 && node < 0:
			node = i
		default:
			return -1
		}
	}
	return node
}
