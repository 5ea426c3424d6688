// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Where threads are, by the machine's nodes.

import (
	"fmt"

	"fount/internal/numa"
)

// A Placement is the CPUs that threads are bound to: all of one node before the next.
type Placement struct {
	Source string // of the nodes: "sysfs", "synthetic" or "one node"
	Nodes  []numa.Place
}

// newPlacement deals these CPUs to the machine's nodes.
func newPlacement(cpus []int) (Placement, error) {
	top := numa.Detect()
	places, err := top.Places(cpus)
	return Placement{top.Source, places}, err
}

// threads are how many threads 1, 2 and more nodes have.
func (p Placement) threads() (list []int) {
	n := 0
	for _, place := range p.Nodes {
		n += len(place.CPUs)
		list = append(list, n)
	}
	return list
}

// A spot is the CPU that a thread is bound to, and the system's number of its node, -1 where the nodes are not the system's.
type spot struct{ cpu, node int }

// spots are where the threads go, in this order.
func (p Placement) spots() (list []spot) {
	for _, place := range p.Nodes {
		node := place.Node
		if p.Source != "sysfs" {
			node = -1
		}
		for _, cpu := range place.CPUs {
			list = append(list, spot{cpu, node})
		}
	}
	return list
}

// on are the indices of the nodes of the threads.
func (p Placement) on() (list []int) {
	for i, place := range p.Nodes {
		for range place.CPUs {
			list = append(list, i)
		}
	}
	return list
}

// check holds a spot against where a thread found itself; -1 is not known.
func (s spot) check(cpu, node int) error {
	switch {
	case cpu >= 0 && cpu != s.cpu:
		return &misplaced{fmt.Sprintf("a thread bound to CPU %d ran on CPU %d", s.cpu, cpu)}
	case node >= 0 && s.node >= 0 && node != s.node:
		return &misplaced{fmt.Sprintf("a thread ran on CPU %d, of node %d by sysfs and of node %d by getcpu", cpu, s.node, node)}
	}
	return nil
}

// A misplaced is the error of a thread that ran elsewhere than it was to: no row of the table holds then.
type misplaced struct{ text string }

func (m *misplaced) Error() string { return m.text }
