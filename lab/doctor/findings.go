// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package doctor

// Findings on what stands between the kernel and the generators, and on clones.

import (
	"fmt"

	"fount"
	"fount/lab/machine"
	"fount/lab/show"
)

// pools is the finding about the NUMA nodes' pools.
func pools(s fount.StatusReport) machine.Finding {
	if len(s.Pools.Nodes) == 0 {
		return machine.Finding{Level: machine.Note, Name: "pools", Value: "none",
			Means: show.Sentence(s.Pools.TopologyNote) + " Seeds are the kernel's alone meanwhile."}
	}
	f := machine.Finding{Level: machine.OK, Name: "pools", Value: fmt.Sprintf("%d nodes", len(s.Pools.Nodes))}
	if len(s.Pools.Nodes) == 1 {
		f.Value = "1 node"
	}
	if s.Pools.Topology == "synthetic" {
		f.Level = machine.Note
		f.Value += ", synthetic: FOUNT_NUMA_NODES is set"
	}
	f.Means = "A reseed mixes 32 bytes of its node's pool with 32 of the kernel's."
	if s.WindowBytes > 0 {
		f.Means = "In window mode nothing of them reaches output: each refill is keyed by the kernel alone."
	}
	if note := s.Pools.TopologyNote; note != "" {
		f.Level = machine.Note
		f.Means = show.Sentence(note) + " " + f.Means
	}
	return f
}

// clones is the finding about fount itself.
func clones(s fount.StatusReport) machine.Finding {
	f := machine.Finding{Level: machine.OK, Name: "clones", Value: s.Mode, Means: show.Sentence(s.Why)}
	if n := window(s); n > 0 {
		f.Level = machine.Note
		f.Value += " mode"
		f.Means = fmt.Sprintf("%s A clone repeats up to %d bytes of each core.", f.Means, n)
	}
	return f
}

// window is how many bytes a clone may repeat, 0 if fount detects clones.
func window(s fount.StatusReport) int {
	if s.Mode != "window" {
		return 0
	}
	return s.WindowBytes
}
