// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fleet has tests only: a simulator of many fountd workers behind a NATS
// broker, each with the real scheduler (password/internal/sched), and the ways
// in which a client may pick a worker. docs/design/0018-routing.md is what came of it.
//
// It stands here and not in lab/ because only packages below fount/password can
// import the scheduler. Read the files in this order:
//
//	clock_test.go    events in virtual time, one after the other
//	broker_test.go   NATS core: links, a queue group, interest, restarts
//	worker_test.go   a scheduler with a speed, and what it publishes
//	client_test.go   what a client knows, its tries, and what became of each call
//	route_test.go    the ways to pick a worker
//	world_test.go    a fleet, its load and its faults, and the figures of a run
//	fleet_test.go    what must hold
//	figures_test.go  the table in docs/results/fleet-simulation.txt
package fleet
