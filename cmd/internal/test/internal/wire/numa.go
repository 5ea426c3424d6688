// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package wire

import (
	"encoding/json"

	"fount/internal/entropy"
)

// Nodes is what the guest saw on a machine with NUMA nodes.
type Nodes struct {
	Visits []CPUVisit
	Placed map[string][]Spot // by the order in which threads were bound to CPUs
	Scale  json.RawMessage   // the report of fount bench scale
}

// A CPUVisit is what happened on one CPU.
type CPUVisit struct {
	CPU    int
	Mode   string         // of package fount
	Before entropy.Report // when the goroutine had come to the CPU
	Mixed  entropy.Report // after one Mix
	Drawn  entropy.Report // after one Reseed and one Nonce
}

// A Spot is a CPU and its node, as getcpu returns them.
type Spot struct{ CPU, Node int }
