// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package scale measures how the drawing of random values scales on this machine: on 1 to N bound
// threads and on 1 to N NUMA nodes; and how often a single draw takes long. It simulates nothing:
// what machines with more sockets would do is modelled in package model.
package scale

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/measure"
	"fount/internal/numa"
)

// Study is fount bench scale. Each thread is bound to a core. What all cores draw is held against
// what one draws in the same round. What a gain lacks to the number of cores holds all the time
// that threads waited.
var Study = lab.Study{
	Name: "scale", About: "values a second on 1 to N cores and nodes",
	Time: 12 * time.Second, Run: run,
	Headline: &lab.Headline{
		Asks:  "Do more cores make more?",
		Group: tableName(16, "threads"), Row: own, Tells: lab.TellRatio,
		Says:   "as many values a second by fount on all cores as on one",
		Charts: "all cores to one, values a second",
		Bars: []lab.Bar{
			{Row: arithmetic, Label: "arithmetic, which shares nothing"},
			{Row: own, Label: "fount"},
			{Row: cryptoRand, Label: "crypto/rand"},
			{Row: oneMutex, Label: "one generator behind a mutex"},
		},
	},
}

func tableName(size int, by string) string { return fmt.Sprintf("Values of %d bytes, by %s", size, by) }

func run(r *lab.Run) {
	nodes, spots := layout(r)
	facts := machine.Inspect()
	if !canPin {
		r.Note("Threads are not bound to cores: a program can't do that on %s.", facts.OS)
	}
	if facts.CPULimit > 0 && facts.CPULimit < float64(len(spots)) {
		r.Note("A cgroup limits this process to %.3g cores: more threads than that wait.", facts.CPULimit)
	}

	for _, size := range []int{16, 4096} {
		s := study{r, Setting{size, nodeOfEach(nodes)}, spots}
		s.by("threads", threads(nodes))
		if len(nodes) > 1 {
			s.by("nodes", wholeNodes(nodes))
		}
	}
}

// A study is the methods on 1 to all cores, with values of one size.
type study struct {
	*lab.Run
	setting Setting
	spots   []spot
}

// by has all methods take turns on numbers of threads. If x is "nodes", those are of 1, 2 and more
// nodes.
func (s study) by(x string, threads []int) {
	g := lab.Group{
		Name:     tableName(s.setting.Size, x),
		X:        x,
		Procs:    runtime.GOMAXPROCS(0),
		Contends: true,
		Columns: []lab.Column{
			{Name: "values", Unit: "op/s", Judged: true},
			{Name: "core ns", Unit: "core-ns/op"},
			{Name: "cores", Unit: "cores"},
		},
	}

	var ways []lab.Way
	for _, m := range Methods(s.setting) {
		base := len(ways)
		for i, n := range threads {
			at := n
			if x == "nodes" {
				at = i + 1
			}

			row := lab.Row{Name: fmt.Sprintf("%s, %s: %d", m.Name, x, at), X: float64(at), Base: base}
			turn := func(int) ([]float64, error) { return s.turn(m, s.spots[:n]) }
			ways = append(ways, lab.Way{Row: row, Turn: turn})
		}
	}
	s.Turns(g, lab.Rounds, ways)
}

// turn has a new thread at each spot draw. One that was elsewhere ends the run.
func (s study) turn(m measure.Method, spots []spot) ([]float64, error) {
	p := s.Plan().By(len(spots))
	misplaced := make([]error, len(spots))
	turn, err := p.Measure(bound(m, spots, misplaced))
	if lost := errors.Join(misplaced...); lost != nil {
		s.Fail(lost)
		return nil, lost
	}
	if err != nil {
		return nil, err
	}

	figures := []float64{float64(turn.Values) / turn.Elapsed.Seconds()}
	if p.CPU != nil {
		figures = append(figures, turn.CoreNS(), turn.Cores())
	}
	return figures, nil
}

// bound returns m with each worker bound to its spot. A worker that ran elsewhere sets its error in
// misplaced.
func bound(m measure.Method, spots []spot, misplaced []error) measure.Method {
	open := m.Open
	m.Open = func() (measure.Source, error) {
		src, err := open()
		return boundSource{src, spots, misplaced}, err
	}
	return m
}

type boundSource struct {
	measure.Source
	spots     []spot
	misplaced []error // by worker
}

func (s boundSource) Worker(k int) measure.Worker {
	s.misplaced[k] = pin(s.spots[k].CPU)
	w := s.Source.Worker(k)
	return measure.Loop{Do: w.Draw, End: func() {
		s.misplaced[k] = errors.Join(s.misplaced[k], s.spots[k].check(numa.Here()))
		w.Close()
	}}
}

// A spot is a worker's CPU and its node's number, -1 where nodes are not the system's.
type spot struct{ CPU, Node int }

// layout returns a spot for each worker, on the CPUs that this process may use, all of a node
// before the next; and how many spots each node has.
func layout(r *lab.Run) (nodes []int, spots []spot) {
	cpus := allowed()
	cpus = cpus[:min(len(cpus), runtime.GOMAXPROCS(0))]

	top := numa.Detect()
	places, err := top.Places(cpus)
	if err != nil || len(places) == 0 {
		r.Note("The nodes of these cores are not known: %v", err)
		places = []numa.Place{{Node: -1, CPUs: cpus}}
	}

	isSystems := top.Source == "sysfs"
	for _, p := range places {
		if !isSystems {
			p.Node = -1
		}
		nodes = append(nodes, len(p.CPUs))
		for _, cpu := range p.CPUs {
			spots = append(spots, spot{cpu, p.Node})
		}
	}
	return nodes, spots
}

// check returns an error if a worker found itself on another CPU or node. -1 is not known.
func (s spot) check(cpu, node int) error {
	switch {
	case cpu >= 0 && cpu != s.CPU:
		return fmt.Errorf("a thread bound to CPU %d ran on CPU %d", s.CPU, cpu)
	case node >= 0 && s.Node >= 0 && node != s.Node:
		return fmt.Errorf("a thread ran on CPU %d, of node %d by sysfs and of node %d by getcpu", cpu, s.Node, node)
	}
	return nil
}

// wholeNodes returns the numbers of threads on 1, 2 and more nodes.
func wholeNodes(nodes []int) (list []int) {
	n := 0
	for _, size := range nodes {
		n += size
		list = append(list, n)
	}
	return list
}

// threads returns the numbers of threads to measure: powers of 2, all, and those of whole nodes.
func threads(nodes []int) []int {
	list := wholeNodes(nodes)
	all := list[len(list)-1]
	for n := 1; n < all; n *= 2 {
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// nodeOfEach returns the index of each worker's node. One node counts as two halves.
func nodeOfEach(nodes []int) (list []int) {
	if len(nodes) == 1 {
		nodes = []int{(nodes[0] + 1) / 2, nodes[0] / 2}
	}
	for i, size := range nodes {
		list = append(list, slices.Repeat([]int{i}, size)...)
	}
	return list
}
