// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

// A NodeReport is what is known of one node's pool.
type NodeReport struct {
	Node       int    `json:"node"`       // the system's number
	Credit     int    `json:"credit"`     // bits, 0 to 256; draws take nothing from it
	Received   uint64 `json:"received"`   // bits of credit so far
	Generation uint64 `json:"generation"` // how often it was fed; 0: no key yet, and node 0 serves
	Draws      uint64 `json:"draws"`      // 32 bytes each
}

// A Report is what is in force in this process's pools. Fields may be added.
type Report struct {
	// Topology is "sysfs", "synthetic" (the environment variable FOUNT_NUMA_NODES made
	// it) or "one node".
	Topology string `json:"topology"`
	// TopologyNote says what was ignored or could not be read.
	TopologyNote string       `json:"topology_note,omitempty"`
	Nodes        []NodeReport `json:"nodes"`
	// InputCredit is what the input pool holds and has not handed on, in bits.
	InputCredit int `json:"input_credit"`
	// Mixed counts inputs to the input pool, and Extractions what was taken from it;
	// each extraction mixes 32 fresh bytes of the kernel.
	Mixed       uint64         `json:"mixed"`
	Extractions uint64         `json:"extractions"`
	SeedFile    SeedFileReport `json:"seed_file"`
}

// Status reports what is in force. It changes nothing, and asks no source. It may be
// called from any goroutine; everything goes on meanwhile.
func Status() Report {
	p, why := seen()
	if p == nil {
		return Report{Topology: "one node", TopologyNote: "there are no pools yet: " + why, SeedFile: SeedFileReport{State: "none"}}
	}
	return p.status()
}

func (p *pools) status() Report {
	r := Report{Topology: p.topology.Source, TopologyNote: p.topology.Note, SeedFile: p.file.get()}
	for i := range p.nodes {
		r.Nodes = append(r.Nodes, p.nodes[i].report(p.topology.Nodes[i]))
	}
	p.input.mu.Lock()
	defer p.input.mu.Unlock()
	r.InputCredit, r.Mixed, r.Extractions = p.input.credit, p.input.mixed, p.input.extractions
	return r
}

func (n *node) report(number int) NodeReport {
	n.mu.Lock()
	defer n.mu.Unlock()
	return NodeReport{number, int(n.credit), n.received, n.generation, n.draws}
}

func (f *fileState) get() SeedFileReport {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.report.State == "" {
		return SeedFileReport{State: "none"}
	}
	return f.report
}
