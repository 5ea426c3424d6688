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
	Draws                  []uint64
}

// keyed demands that one state took its keys of a node.
func keyed(e evidence) error {
	switch {
	case e.Mode == "window":
		return nil // this machine's clones are not noticed, and every key is the kernel's alone
	case e.Topology != "synthetic" || len(e.Draws) != nodes:
		return errors.New("the topology is not that of 4 synthetic nodes")
	case e.States != 1 || slices.Max(e.Draws) == 0:
		return errors.New("the state was keyed on no node")
	}
	return nil
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
	if e.Mode != "window" && e.Mode != "vmclock" || e.Mode == "window" && (e.Reseeds < sampleBytes/224 || slices.Max(e.Draws) > 0) {
		return errors.New("not every refill took its key from the kernel alone")
	}
	return nil
}
