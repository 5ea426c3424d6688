// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package doctor

// Findings on what stands between the kernel and the generators (sources and pools), and on clones.

import (
	"fmt"
	"strings"

	"fount"
	"fount/lab/machine"
	"fount/lab/show"
)

// sources is the finding about where bytes come from: what counts, what is mixed in besides, and what was cut off.
func sources(s fount.StatusReport) machine.Finding {
	var counted, mixed, failed []string
	for _, src := range s.Sources {
		switch {
		case !src.Available || src.Bytes == 0 && src.Healthy: // not here, or nothing was given to it to pass on
		case !src.Healthy:
			failed = append(failed, src.Name+": "+src.Why)
		case src.Credit > 0:
			counted = append(counted, fmt.Sprintf("%s %d bits a byte", src.Name, src.Credit))
		default:
			mixed = append(mixed, src.Name)
		}
	}
	f := machine.Finding{Level: machine.OK, Name: "sources", Value: strings.Join(counted, ", "), Means: "No other source answers here."}
	if len(mixed) > 0 {
		f.Value += fmt.Sprintf("; %s healthy, 0 bits", show.Series(mixed))
		f.Means = "All are mixed in, and only the kernel counts."
	}
	if len(failed) > 0 {
		f.Level = machine.Note
		f.Means = fmt.Sprintf("%s. Everything goes on with the kernel.", strings.Join(failed, "; "))
	}
	if f.Value == "" {
		f.Level, f.Value, f.Means = machine.Note, "none asked yet", "The pools ask them, and there are none yet."
	}
	return f
}

// pools is the finding about the NUMA nodes' pools.
func pools(s fount.StatusReport) machine.Finding {
	if len(s.Pools.Nodes) == 0 {
		return machine.Finding{Level: machine.Note, Name: "pools", Value: "none",
			Means: show.Sentence(s.Pools.TopologyNote) + " Seeds are the kernel's alone meanwhile."}
	}
	var credits []string
	for _, n := range s.Pools.Nodes {
		credits = append(credits, fmt.Sprint(n.Credit))
	}
	one := len(credits) == 1
	f := machine.Finding{Level: machine.OK, Name: "pools", Value: fmt.Sprintf("%d nodes with %s of 256 bits", len(credits), show.Series(credits))}
	if one {
		f.Value = fmt.Sprintf("1 node with %s of 256 bits", credits[0])
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
