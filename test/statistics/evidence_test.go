// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package statistics

// What was in force while a stream was made.

import (
	"errors"
	"slices"
)

// nodes are synthetic.
const nodes = 4

// evidence is the last line of the program stream.
type evidence struct {
	Mode, Cipher, Topology string
	States                 int
	Reseeds                uint64
	Keyed                  []int
	Draws                  []uint64
}

// keyedOn demands n states, each of which drew its first key on another node.
func keyedOn(n int) func(evidence) error {
	return func(e evidence) error {
		different := slices.Compact(slices.Sorted(slices.Values(e.Keyed)))
		switch {
		case e.Mode == "window":
			return nil // this machine's clones are not noticed, and every key is the kernel's alone
		case e.Topology != "synthetic" || len(e.Draws) != nodes:
			return errors.New("the topology is not that of 4 synthetic nodes")
		case e.States != n || len(different) != n || different[0] < 0:
			return errors.New("the states were not keyed on different nodes")
		}
		return nil
	}
}

// everyNode demands that states were keyed on each node.
func everyNode(e evidence) error {
	if e.Mode != "window" && (e.States < nodes || len(e.Draws) != nodes || slices.Min(e.Draws) == 0) {
		return errors.New("not every node keyed a state")
	}
	return nil
}

// inWindow demands a key from the kernel for each 224 bytes, and none from a node.
func inWindow(e evidence) error {
	if e.Mode != "window" || e.States != nodes || e.Reseeds < sampleBytes/224 || slices.Max(e.Keyed) >= 0 {
		return errors.New("not every refill took its key from the kernel alone")
	}
	return nil
}
