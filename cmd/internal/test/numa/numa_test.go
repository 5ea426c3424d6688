// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package numa tests the pools on a machine that has NUMA nodes. It is not a library: it holds one
// test only.
//
// A Debian kernel boots in QEMU on a machine of four nodes with CPUs and one without. Its guest
// draws on each CPU in turn, and runs fount bench scale by node.
//
// It needs QEMU, apt with Debian bookworm's package lists, and the network once:
//
//	FOUNT_LONG=1 go test -count=1 -v ./cmd/internal/test/numa
package numa

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fount/cmd/internal/test/internal/machine"
	"fount/cmd/internal/test/internal/wire"
	"fount/internal/entropy"
)

// topology is five nodes: the third has memory alone, the second two CPUs, the others one. Linux
// numbers those with CPUs first, in the order in which the firmware lists them.
var topology = []string{
	"-smp", "5,sockets=5", "-m", "640",
	"-object", "memory-backend-ram,id=m0,size=128M", "-numa", "node,nodeid=0,cpus=0,memdev=m0",
	"-object", "memory-backend-ram,id=m1,size=128M", "-numa", "node,nodeid=1,cpus=1,cpus=4,memdev=m1",
	"-object", "memory-backend-ram,id=m2,size=128M", "-numa", "node,nodeid=2,memdev=m2",
	"-object", "memory-backend-ram,id=m3,size=128M", "-numa", "node,nodeid=3,cpus=2,memdev=m3",
	"-object", "memory-backend-ram,id=m4,size=128M", "-numa", "node,nodeid=4,cpus=3,memdev=m4",
}

// nodes are the numbers of those with CPUs, and index the place in them that each CPU is in.
var (
	nodes = []int{0, 1, 2, 3}
	index = []int{0, 1, 2, 3, 1}
)

func TestNodes(t *testing.T) {
	machine.Need(t)
	kernel, _ := machine.Kernel(t, machine.Linux612)
	fount := machine.Build(t, "fount/cmd/fount", filepath.Join(t.TempDir(), "fount"))

	var seen wire.Nodes
	machine.Run(t, machine.Config{
		Kernel: kernel, Initrd: machine.Initrd(t, fount), Command: "role=numa",
		Limit: 5 * time.Minute, // 10 s on two idle CPUs, a minute on busy ones
		// Without vmgenid the mode is window, in which no shard draws on a pool.
		Args: append([]string{"-device", "vmgenid,guid=auto"}, topology...),
	}, &seen)

	if len(seen.Visits) != 2*len(index) {
		t.Fatalf("%d visits, want %d", len(seen.Visits), 2*len(index))
	}

	for _, v := range seen.Visits {
		var numbers []int
		for _, n := range v.Before.Nodes {
			numbers = append(numbers, n.Node)
			if n.Generation == 0 {
				t.Errorf("CPU %d: node %d has no key", v.CPU, n.Node)
			}
		}
		if v.Before.Topology != "sysfs" || !slices.Equal(numbers, nodes) {
			t.Fatalf("topology %s %v, want sysfs %v", v.Before.Topology, numbers, nodes)
		}

		if got := drewOn(v.Before, v.Mixed); !slices.Equal(got, []int{index[v.CPU]}) {
			t.Errorf("CPU %d: Mix drew on nodes %v, want %v", v.CPU, got, index[v.CPU])
		}
		if v.Mode == "window" {
			t.Errorf("CPU %d: mode is window, in which no shard draws on a pool", v.CPU)
		}
		if got := drewOn(v.Mixed, v.Drawn); !slices.Equal(got, []int{index[v.CPU]}) {
			t.Errorf("CPU %d: a shard's reseed drew on nodes %v, want %v", v.CPU, got, index[v.CPU])
		}
	}

	for order, want := range map[string]bool{"by node": true, "by number": false} {
		if p, ok := seen.Placed[order]; !ok || len(p) != len(index) {
			t.Errorf("%s: threads at %v", order, p)
		} else if err := checkPlaces(p); (err == nil) != want {
			t.Errorf("%s, threads at %v: %v, want it right: %v", order, p, err, want)
		}
	}
	checkScale(t, seen.Scale)
}

// checkPlaces finds a thread on a node that its CPU is not of, and one on a node that was left
// before.
func checkPlaces(spots []wire.Spot) error {
	left := map[int]bool{}
	for i, s := range spots {
		switch {
		case s.CPU < 0 || s.CPU >= len(index) || s.Node != index[s.CPU]:
			return fmt.Errorf("thread %d on CPU %d is on node %d", i, s.CPU, s.Node)
		case left[s.Node]:
			return fmt.Errorf("thread %d comes back to node %d", i, s.Node)
		case i > 0 && spots[i-1].Node != s.Node:
			left[spots[i-1].Node] = true
		}
	}
	return nil
}

// checkScale holds what fount bench scale wrote against the machine.
func checkScale(t *testing.T, report []byte) {
	var results []struct {
		Groups []struct {
			Name string
			Rows []struct {
				Name  string
				X     float64
				Error string
			}
		}
	}
	if err := json.Unmarshal(report, &results); err != nil {
		t.Fatalf("%v in %s", err, report)
	}
	rows := map[float64]int{}
	for _, g := range results[0].Groups {
		for _, row := range g.Rows {
			if rows[row.X]++; row.Error != "" {
				t.Errorf("%s: %s: %s", g.Name, row.Name, row.Error)
			}
		}
	}
	if want := map[float64]int{1: 4, 2: 4, 3: 4, 4: 4}; !maps.Equal(rows, want) {
		t.Errorf("nodes of the rows: %v, want %v", rows, want)
	}
}

// drewOn returns the indices of the nodes with more draws than before.
func drewOn(before, after entropy.Report) (on []int) {
	for i := range after.Nodes {
		if after.Nodes[i].Draws != before.Nodes[i].Draws {
			on = append(on, i)
		}
	}
	return on
}
