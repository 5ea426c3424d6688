// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package numa

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadSysfs(t *testing.T) {
	type files map[string]string
	for name, c := range map[string]struct {
		files
		source, nodes, note string
	}{
		"two nodes":             {files: files{"has_cpu": "0-1\n", "online": "0-1\n"}, source: "sysfs", nodes: "[0 1]"},
		"a node of memory only": {files: files{"has_cpu": "0-1\n", "online": "0-2\n"}, source: "sysfs", nodes: "[0 1]"},
		"holes":                 {files: files{"has_cpu": "0,8,16\n"}, source: "sysfs", nodes: "[0 8 16]"},
		"an old kernel":         {files: files{"online": "0-3\n"}, source: "sysfs", nodes: "[0 1 2 3]"},
		"no NUMA":               {source: "one node", nodes: "[0]"},
		"nonsense": {
			files:  files{"has_cpu": "many\n"},
			source: "one node",
			nodes:  "[0]",
			note:   `has_cpu: "many" is not a number`,
		},
		"nothing": {files: files{"has_cpu": ""}, source: "one node", nodes: "[0]", note: "has_cpu: it is empty"},
	} {
		dir := t.TempDir()
		for file, content := range c.files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}

		top := readSysfs(dir)
		if top.Source != c.source || fmt.Sprint(top.Nodes) != c.nodes || !strings.Contains(top.Note, c.note) {
			t.Errorf("%s: %s %v %q, want %s %s %q", name, top.Source, top.Nodes, top.Note, c.source, c.nodes, c.note)
		}
	}

	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "has_cpu"), 0o700); err != nil {
		t.Fatal(err)
	}
	if top := readSysfs(dir); top.Source != "one node" || !strings.Contains(top.Note, "is a directory") {
		t.Errorf("unreadable: %s %v %q", top.Source, top.Nodes, top.Note)
	}
}

func TestIndex(t *testing.T) {
	top := newTopology([]int{0, 8, 16})
	for node, want := range map[int]int{0: 0, 8: 1, 16: 2, 4: 0, 17: 0, 1 << 20: 0, -1: 0} {
		if got := top.indexOf(node); got != want {
			t.Errorf("node %d has index %d, want %d", node, got, want)
		}
	}
}

// The CPU that the caller runs on is one of the node that it runs on.
func TestHere(t *testing.T) {
	cpu, node := Here()
	if cpu < 0 {
		t.Skip("getcpu is refused here")
	}
	top := Detect()
	if top.Source != "sysfs" {
		t.Skip("this kernel shows no nodes")
	}
	for range 100 { // the thread may move between the two questions
		cpu, node = Here()
		cpus, err := cpusOf(node)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(cpus, cpu) {
			return
		}
	}
	t.Errorf("CPU %d is not of node %d", cpu, node)
}
