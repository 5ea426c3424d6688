// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package doctor

import (
	"testing"

	"fount"
	"fount/entropy"
	"fount/lab/machine"
	"fount/pool"
)

func TestSourcesFinding(t *testing.T) {
	kernel := entropy.SourceStatus{Name: "kernel", Available: true, Healthy: true, Credit: 8, Bytes: 32}
	jitter := entropy.SourceStatus{Name: "jitter", Available: true, Healthy: true, Bytes: 64}
	stuck := entropy.SourceStatus{Name: "rdrand", Available: true, CutOff: true, Why: "cut off: 3 equal words"}
	absent := entropy.SourceStatus{Name: "rdseed", Why: "the processor has none"}
	caller := entropy.SourceStatus{Name: "caller", Available: true, Healthy: true}
	for name, test := range map[string]struct {
		sources      []entropy.SourceStatus
		level        machine.Level
		value, means string
	}{
		"kernel alone": {[]entropy.SourceStatus{kernel, absent, caller}, machine.OK,
			"kernel 8 bits a byte", "No other source answers here."},
		"two": {[]entropy.SourceStatus{kernel, absent, jitter, caller}, machine.OK,
			"kernel 8 bits a byte; jitter healthy, 0 bits", "All are mixed in, and only the kernel counts."},
		"none asked": {[]entropy.SourceStatus{{Name: "kernel", Available: true, Healthy: true, Credit: 8}, absent, caller}, machine.Note,
			"none asked yet", "The pools ask them, and there are none yet."},
		"one cut off": {[]entropy.SourceStatus{kernel, stuck, jitter}, machine.Note,
			"kernel 8 bits a byte; jitter healthy, 0 bits", "rdrand: cut off: 3 equal words. Everything goes on with the kernel."},
	} {
		want := machine.Finding{Level: test.level, Name: "sources", Value: test.value, Means: test.means}
		if got := sources(fount.StatusReport{Sources: test.sources}); got != want {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
	}
}

func TestPoolsFinding(t *testing.T) {
	four := []pool.NodeReport{{Credit: 256}, {Node: 1, Credit: 64}, {Node: 2}, {Node: 3}}
	const mixes = "A reseed mixes 32 bytes of its node's pool with 32 of the kernel's."
	for name, test := range map[string]struct {
		status       fount.StatusReport
		level        machine.Level
		value, means string
	}{
		"one node": {fount.StatusReport{Pools: pool.Report{Topology: "sysfs", Nodes: four[:1]}}, machine.OK,
			"1 node with 256 of 256 bits", mixes},
		"four": {fount.StatusReport{Pools: pool.Report{Topology: "sysfs", Nodes: four}}, machine.OK,
			"4 nodes with 256, 64, 0 and 0 of 256 bits", mixes},
		"synthetic": {fount.StatusReport{Pools: pool.Report{Topology: "synthetic", Nodes: four[:2]}}, machine.Note,
			"2 nodes with 256 and 64 of 256 bits, synthetic: FOUNT_NUMA_NODES is set", mixes},
		"a note": {fount.StatusReport{Pools: pool.Report{Topology: "one node", TopologyNote: "sysfs is not mounted", Nodes: four[:1]}}, machine.Note,
			"1 node with 256 of 256 bits", "Sysfs is not mounted. " + mixes},
		"no descriptor left": {fount.StatusReport{Pools: pool.Report{Topology: "one node", TopologyNote: "there are no pools yet: too many open files"}}, machine.Note,
			"none", "There are no pools yet: too many open files. Seeds are the kernel's alone meanwhile."},
		"window": {fount.StatusReport{WindowBytes: 224, Pools: pool.Report{Topology: "sysfs", Nodes: four[:1]}}, machine.OK,
			"1 node with 256 of 256 bits", "In window mode nothing of them reaches output: each refill is keyed by the kernel alone."},
	} {
		want := machine.Finding{Level: test.level, Name: "pools", Value: test.value, Means: test.means}
		if got := pools(test.status); got != want {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
	}
}
