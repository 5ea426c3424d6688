// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

// A NodeReport is pool.NodeReport, which explains the fields.
type NodeReport struct {
	Node       int
	Credit     int
	Received   uint64
	Generation uint64
	Draws      uint64
}

// A Report is what pool.Status reports.
type Report struct {
	Topology, TopologyNote string
	Nodes                  []NodeReport
	InputCredit            int
	Mixed, Extractions     uint64
	SeedFile               SeedFileReport
}

// Status is pool.Status.
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
