// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package numa

// Which CPUs a node has.

import "slices"

// A Place is a node and those of its CPUs that a caller may use.
type Place struct {
	Node int   `json:"node"` // the system's number
	CPUs []int `json:"cpus"` // growing
}

// Places deals the CPUs that a caller may use to their nodes. Nodes that have none
// of them are left out; so are CPUs of no node. A single node has all. It reads a file
// for each node.
func (t *Topology) Places(allowed []int) ([]Place, error) {
	of := cpusOf
	if t.Source != "sysfs" {
		of = func(int) ([]int, error) { return allowed, nil }
	}
	return places(t.Nodes, allowed, of)
}

func places(nodes, allowed []int, of func(node int) ([]int, error)) (list []Place, err error) {
	for _, node := range nodes {
		cpus, err := of(node)
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
