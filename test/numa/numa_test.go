// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package numa tests the pools on a machine that has NUMA nodes. It is not a library: it holds
// one test only.
//
// A Debian kernel boots in QEMU on a machine of four nodes with CPUs and one without, with one
// program, the guest, which draws on each CPU in turn, and runs fount bench scale by node.
//
// It needs QEMU, apt with Debian bookworm's package lists, and the network once:
//
//	FOUNT_LONG=1 go test -count=1 -v ./test/numa
package numa

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/pool"
	"fount/test/internal/guest"
)

// machine is five nodes: four have CPUs, one of them two, the second and the last, and the third
// has memory alone. Linux numbers those with CPUs first, in the order in which the firmware lists
// them.
var machine = []string{
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

// deadline is for the machine, which takes 10 s on two idle CPUs and a minute on busy ones.
const deadline = 5 * time.Minute

// visit is the guest's.
type visit struct {
	CPU                  int
	Mode                 string
	Before, Mixed, Drawn pool.Report
}

func TestNodes(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("boots a virtual machine for some seconds; set FOUNT_LONG=1 to run it")
	}
	guest.NeedEmulator(t)
	seen := boot(t, guest.Kernel(t, guest.Meta612, "6.12"), guest.Initrd(t, [2]string{"fount", program(t)}))
	visits := seen.visits
	if len(visits) != 2*len(index) {
		t.Fatalf("%d visits, want %d", len(visits), 2*len(index))
	}
	for _, v := range visits {
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
	for order, want := range map[string]bool{"by node": true, "by number": false} { // the second ignores nodes
		if p, ok := seen.placed[order]; !ok || len(p.Spots) != len(index) {
			t.Errorf("%s: threads at %v", order, p.Spots)
		} else if err := p.check(); (err == nil) != want {
			t.Errorf("%s, threads at %v: %v, want it right: %v", order, p.Spots, err, want)
		}
	}
	checkScale(t, seen.scale)
	t.Logf("CPU 4, at the end: %+v", visits[len(visits)-1].Drawn)
}

// placed and spot are the guest's.
type placed struct {
	Order string
	Spots []spot
}

type spot struct{ CPU, Node int }

// check finds a thread on a node that its CPU is not of, and one on a node that was left before.
func (p placed) check() error {
	left := map[int]bool{}
	for i, s := range p.Spots {
		switch {
		case s.CPU < 0 || s.CPU >= len(index) || s.Node != index[s.CPU]:
			return fmt.Errorf("thread %d on CPU %d is on node %d", i, s.CPU, s.Node)
		case left[s.Node]:
			return fmt.Errorf("thread %d comes back to node %d", i, s.Node)
		case i > 0 && p.Spots[i-1].Node != s.Node:
			left[p.Spots[i-1].Node] = true
		}
	}
	return nil
}

// program builds fount for the guest.
func program(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "fount")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, "fount/cmd/fount")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build fount/cmd/fount: %v\n%s", err, out)
	}
	return file
}

// checkScale holds what fount bench scale wrote against the machine.
func checkScale(t *testing.T, text string) {
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
	if err := json.Unmarshal([]byte(text), &results); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	rows := map[float64]int{}
	for _, g := range results[0].Groups {
		for _, row := range g.Rows {
			if rows[row.X]++; row.Error != "" {
				t.Errorf("%s: %s: %s", g.Name, row.Name, row.Error)
			}
		}
	}
	if want := map[float64]int{1: 4, 2: 4, 3: 4, 4: 4}; !maps.Equal(rows, want) { // two methods of two sizes
		t.Errorf("nodes of the rows: %v, want %v", rows, want)
	}
}

// commandLine has no_timer_check because on a busy host the emulated timer's interrupts
// may come too late for the kernel's test of them, after which it stops.
const commandLine = "console=ttyS0 quiet panic=-1 no_timer_check"

// A sight is what the guest said.
type sight struct {
	visits []visit
	placed map[string]placed // by order
	scale  string
}

// boot runs the guest to its end and returns what it said.
func boot(t *testing.T, kernel, initrd string) sight {
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	out, err := guest.Run(ctx, t, append([]string{
		"-accel", "tcg", "-cpu", "max", "-nodefaults", "-nographic", "-no-reboot",
		"-device", "vmgenid,guid=auto", // without one the mode is window, in which no shard draws on a pool
		"-kernel", kernel, "-initrd", initrd, "-append", commandLine, "-serial", "stdio",
	}, machine...)...)
	seen := sight{placed: map[string]placed{}}
	read := func(text string, v any) {
		if err := json.Unmarshal([]byte(text), v); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	for line := range strings.Lines(string(out)) {
		if _, text, found := strings.Cut(line, "visit "); found {
			var v visit
			read(text, &v)
			seen.visits = append(seen.visits, v)
		}
		if _, text, found := strings.Cut(line, "placed "); found {
			var p placed
			read(text, &p)
			seen.placed[p.Order] = p
		}
		if _, text, found := strings.Cut(line, "scale ["); found {
			seen.scale = "[" + text
		}
	}
	if err != nil || seen.visits == nil || seen.scale == "" {
		t.Fatalf("%s: %v, console:\n%s", guest.Emulator, err, out)
	}
	return seen
}

// drewOn returns the indices of the nodes with more draws than before.
func drewOn(before, after pool.Report) (on []int) {
	for i := range after.Nodes {
		if after.Nodes[i].Draws != before.Nodes[i].Draws {
			on = append(on, i)
		}
	}
	return on
}
