// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// Where threads stand.

import (
	"fmt"
	"runtime"
	"slices"

	"fount/internal/numa"
	"fount/lab"
)

// A spot is a worker's CPU and its node's number, -1 where nodes are not the system's.
type spot struct{ CPU, Node int }

// place is where workers stand: on the CPUs that this process may use, all of a node before the
// next. It returns too how many each node has.
func place(r *lab.Run) (nodes []int, spots []spot) {
	cpus := allowed()
	cpus = cpus[:min(len(cpus), runtime.GOMAXPROCS(0))]
	top := numa.Detect()
	places, err := top.Places(cpus)
	if err != nil || len(places) == 0 {
		r.Note("The nodes of these cores are not known: %v", err)
		places = []numa.Place{{Node: -1, CPUs: cpus}}
	}
	for _, p := range places {
		nodes = append(nodes, len(p.CPUs))
		for _, cpu := range p.CPUs {
			s := spot{cpu, p.Node}
			if top.Source != "sysfs" {
				s.Node = -1
			}
			spots = append(spots, s)
		}
	}
	return nodes, spots
}

// check holds a spot against where a worker found itself; -1 is not known.
func (s spot) check(cpu, node int) error {
	switch {
	case cpu >= 0 && cpu != s.CPU:
		return fmt.Errorf("a thread bound to CPU %d ran on CPU %d", s.CPU, cpu)
	case node >= 0 && s.Node >= 0 && node != s.Node:
		return fmt.Errorf("a thread ran on CPU %d, of node %d by sysfs and of node %d by getcpu", cpu, s.Node, node)
	}
	return nil
}

// whole are the threads of 1, 2 and more nodes.
func whole(nodes []int) (list []int) {
	n := 0
	for _, size := range nodes {
		n += size
		list = append(list, n)
	}
	return list
}

// counts are the numbers of threads: powers of 2, all, and those of whole nodes.
func counts(nodes []int) []int {
	list := whole(nodes)
	for n, all := 1, list[len(list)-1]; n < all; n *= 2 {
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// on are the indices of the workers' nodes. One node counts as two halves.
func on(nodes []int) (list []int) {
	if len(nodes) == 1 {
		nodes = []int{(nodes[0] + 1) / 2, nodes[0] / 2}
	}
	for i, size := range nodes {
		list = append(list, slices.Repeat([]int{i}, size)...)
	}
	return list
}
