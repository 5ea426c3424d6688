// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The simulation against closed forms.

import (
	"math"
	"testing"
)

// repairman is the machine repairman, M/M/1//n: n threads with exponential work and section times
// of those means in ns and one FIFO lock that costs nothing. It is exact mean value analysis: who
// arrives finds what n-1 threads alone would have there on average.
func repairman(n int, section, work float64) (perSecond, waiting float64) {
	x := 0.0     // draws a ns
	there := 0.0 // threads that wait or draw
	for i := 1; i <= n; i++ {
		response := section * (1 + there)
		x = float64(i) / (response + work)
		there = x * response
	}
	return 1e9 * x, (there - x*section) / float64(n)
}

// free is a machine of n threads whose lock costs nothing. It is run by one goroutine, for long.
func free(t *testing.T, n int, section, work float64) Config {
	t.Helper()
	return Config{Sockets: 1, Cores: n, Threads: 1, Lock: MCS, Section: section, Work: work, Draws: 250_000, Seed: 1}
}

func within(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s: %v, want %v within %v %%", what, got, want, 100*share)
	}
}

// TestRepairman: a FIFO lock that costs nothing is the machine repairman, within 1 %.
func TestRepairman(t *testing.T) {
	for _, n := range []int{1, 2, 3, 21, 144} {
		for _, lock := range []Lock{MCS, Ticket} {
			c := free(t, n, 1000, 20000)
			c.Lock = lock
			f := simulate(t, c)
			perSecond, waiting := repairman(n, c.Section, c.Work)
			within(t, "draws/s", f.PerSecond, perSecond, 0.01)
			// At n = 2 a thread waits 0.2 % of its time, of which chance moves 1 %.
			if math.Abs(f.Waiting-waiting) > max(0.01*waiting, 0.0001) {
				t.Errorf("%s, %d threads: waiting %.5f, want %.5f", lock, n, f.Waiting, waiting)
			}
		}
	}
}

// TestHandoverRate: at saturation a draw takes its section and a handover.
func TestHandoverRate(t *testing.T) {
	const n, section, near = 36, 3000, 25
	for _, test := range []struct {
		lock  Lock
		lines int
		cost  float64
	}{
		{MCS, 0, near}, {MCS, 2, 3 * near},
		{Ticket, 0, near * (n - 1 + 1) / 2}, // n-1 wait; half of the others come first
	} {
		c := free(t, n, section, 0)
		c.Lock, c.Lines, c.Near = test.lock, test.lines, near
		f := simulate(t, c)
		within(t, string(test.lock), f.PerSecond, 1e9/(section+test.cost), 0.01)
	}
}

// TestNode: a pool per node is as many machines, and one section may pay for several draws.
func TestNode(t *testing.T) {
	c := free(t, 8, 1000, 2000)
	c.Lock = Node
	one := simulate(t, c).PerSecond
	c.Sockets = 4
	f := simulate(t, c)
	within(t, "4 nodes", f.PerSecond, 4*one, 0.01)
	c.Batch = 10
	within(t, "10 draws a section", simulate(t, c).PerSecond, 10*f.PerSecond, 1e-12)
}

// TestFeed: with one thread a node, the input pool is the repairman's one lock: its throughput
// depends on the mean of the time between two visits alone, which is that of so many draws.
func TestFeed(t *testing.T) {
	for _, every := range []float64{1, 2.5} {
		c := free(t, 1, 1000, 2000)
		c.Lock, c.Sockets, c.FeedEvery = Node, 6, every
		visits, _ := repairman(6, 1000, every*3000)
		within(t, "draws/s", simulate(t, c).PerSecond, every*visits, 0.01)
	}
}
