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
	States   int      `json:"states"`   // in use
	Reseeds  uint64   `json:"reseeds"`  // of these
	Topology string   `json:"topology"` // "synthetic" or "sysfs" or "one node"
	Draws    []uint64 `json:"draws"`    // of each node
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
}

// settle finds the uniqueness word and makes the nodes' keys.
func settle() {
	fount.Uint64()
}
