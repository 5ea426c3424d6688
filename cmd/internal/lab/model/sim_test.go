// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The event loop: what goes in comes out, in order, and the same each time.

import (
	"context"
	"math"
	"testing"
)

// small is a machine of two sockets on which all kinds of locks see some waiting.
func small(lock Lock) Config {
	return Config{Sockets: 2, Cores: 4, Threads: 2, Lock: lock, Near: 25, Far: 105, Lines: 1, Section: 300, Work: 2000,
		FeedEvery: 3, Draws: 20000, Seed: 7}
}

func simulate(t *testing.T, c Config) Figures {
	t.Helper()
	f, err := Simulate(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFIFO: threads enter a lock in the order in which they wanted it.
func TestFIFO(t *testing.T) {
	for _, kind := range []Lock{Ticket, MCS} {
		s := newSim(small(kind))
		l := &s.locks[0]
		for _, thread := range []int32{3, 0, 5, 1} {
			s.want(l, thread)
		}
		for _, thread := range []int32{3, 0, 5, 1} {
			if !l.held || l.holder != thread {
				t.Errorf("%s: %d holds the lock, want %d", kind, l.holder, thread)
			}
			s.release(l)
		}
		if l.held {
			t.Errorf("%s: the last has released the lock, and it is held", kind)
		}
	}
}

// TestSeed: one seed gives one result, and another seed another that differs by chance only.
func TestSeed(t *testing.T) {
	for _, lock := range []Lock{Ticket, MCS, Node} {
		c := small(lock)
		a, b := simulate(t, c), simulate(t, c)
		if a != b {
			t.Errorf("%s: seed 7 gives %+v and %+v", lock, a, b)
		}
		c.Seed = 8
		b = simulate(t, c)
		if a.PerSecond == b.PerSecond {
			t.Errorf("%s: seeds 7 and 8 give the same %v draws/s", lock, a.PerSecond)
		}
		if d := math.Abs(a.PerSecond/b.PerSecond - 1); d > 0.05 {
			t.Errorf("%s: seeds 7 and 8 differ by %.4f", lock, d)
		}
	}
}

// What a cache line costs in ps, on a machine whose threads 0 and 1 are on one socket.
const near, far = 10_000, 100_000

var fourThreads = &sim{near: near, far: far, socket: []int32{0, 0, 1, 1}}

// TestHandover: what the locks cost, added up by hand.
func TestHandover(t *testing.T) {
	for name, test := range map[string]struct {
		kind           Lock
		lines          int64
		from, to       int32
		waits0, waits1 int64 // threads that wait on each socket
		want           int64
	}{
		"MCS, same socket":                 {kind: MCS, to: 1, waits0: 1, want: near},
		"MCS, other socket":                {kind: MCS, to: 2, waits1: 1, want: far},
		"MCS, other socket, two lines":     {kind: MCS, to: 2, waits1: 1, lines: 2, want: 3 * far},
		"MCS, other socket, 60 wait":       {kind: MCS, to: 2, waits0: 30, waits1: 30, want: far},
		"ticket, one waits":                {kind: Ticket, to: 1, waits0: 1, want: near},
		"ticket, 35 wait: 17 before it":    {kind: Ticket, to: 1, waits0: 35, want: 18 * near},
		"ticket, far ones come later":      {kind: Ticket, to: 1, waits0: 35, waits1: 36, want: 18 * near},
		"ticket, all near ones come first": {kind: Ticket, to: 2, waits0: 35, waits1: 36, want: 35*near + 37*far/2},
		"ticket, other socket, one line":   {kind: Ticket, to: 2, waits1: 1, lines: 1, want: 2 * far},
		"ticket, from the other socket":    {kind: Ticket, from: 3, waits0: 1, want: far},
	} {
		t.Run(name, func(t *testing.T) {
			l := &lock{
				kind:    test.kind,
				lines:   test.lines,
				waiting: []int64{test.waits0, test.waits1},
				queue:   make([]int32, test.waits0+test.waits1),
			}
			if got := fourThreads.handover(l, test.from, test.to); got != test.want {
				t.Errorf("%d ps, want %d", got, test.want)
			}
		})
	}
}

// TestAcquire: a free lock costs what its line and those behind it do.
func TestAcquire(t *testing.T) {
	for _, test := range []struct{ holder, to, want int32 }{
		{holder: -1, to: 0, want: 0},
		{holder: 0, to: 0, want: 0},
		{holder: 0, to: 1, want: 2 * near},
		{holder: 0, to: 3, want: 2 * far},
	} {
		l := &lock{holder: test.holder, lines: 1}
		if got := fourThreads.acquire(l, test.to); got != int64(test.want) {
			t.Errorf("a free lock of %d to %d: %d ps, want %d", test.holder, test.to, got, test.want)
		}
	}
}
