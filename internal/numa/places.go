// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package numa

// Which CPUs a node has.

import "slices"

// A Place is a node and those of its CPUs that a caller may use.
type Place struct {
	Node int   `json:"node"` // the system's number
	CPUs []int `json:"cpus"` // in growing order
}

// Places returns the nodes that have allowed CPUs, with those CPUs. It leaves out allowed CPUs that
// are on no node. If the topology is one node, that has them all. Places reads a file for each
// node.
func (t *Topology) Places(allowed []int) ([]Place, error) {
	cpus := cpusOf
	if t.Source != "sysfs" {
		cpus = func(int) ([]int, error) { return allowed, nil }
	}
	return places(t.Nodes, allowed, cpus)
}

func places(nodes, allowed []int, cpusOf func(node int) ([]int, error)) (list []Place, err error) {
	for _, node := range nodes {
		cpus, err := cpusOf(node)
		if err != nil {
			return nil, err
		}

		p := Place{Node: node}
		for _, cpu := range cpus {
			if slices.Contains(allowed, cpu) {
				p.CPUs = append(p.CPUs, cpu)
			}
		}
		if p.CPUs != nil {
			list = append(list, p)
		}
	}
	return list, nil
}
