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

// TestHandover: what the locks cost, added up by hand.
func TestHandover(t *testing.T) {
	const near, far = 10_000, 100_000 // ps
	s := &sim{near: near, far: far, socket: []int32{0, 0, 1, 1}}
	for _, test := range []struct {
		kind      Lock
		lines     int64
		from, to  int32
		waiting   []int64
		want      int64
		condition string
	}{
		{MCS, 0, 0, 1, []int64{1, 0}, near, "same socket"},
		{MCS, 0, 0, 2, []int64{0, 1}, far, "other socket"},
		{MCS, 2, 0, 2, []int64{0, 1}, 3 * far, "other socket, two lines more"},
		{MCS, 0, 0, 2, []int64{30, 30}, far, "other socket, 60 wait"},
		{Ticket, 0, 0, 1, []int64{1, 0}, near, "one waits"},
		{Ticket, 0, 0, 1, []int64{35, 0}, 18 * near, "35 wait: 17 before it on average"},
		{Ticket, 0, 0, 1, []int64{35, 36}, 18 * near, "far ones come later"},
		{Ticket, 0, 0, 2, []int64{35, 36}, 35*near + 37*far/2, "all near ones come first"},
		{Ticket, 1, 0, 2, []int64{0, 1}, 2 * far, "other socket, one line more"},
		{Ticket, 0, 3, 0, []int64{1, 0}, far, "from the other socket"},
	} {
		l := &lock{kind: test.kind, lines: test.lines, waiting: test.waiting, queue: make([]int32, test.waiting[0]+test.waiting[1])}
		if got := s.handover(l, test.from, test.to); got != test.want {
			t.Errorf("%s, %s: %d ps, want %d", test.kind, test.condition, got, test.want)
		}
	}
	l := &lock{holder: -1, lines: 1}
	for _, test := range []struct{ holder, to, want int32 }{{-1, 0, 0}, {0, 0, 0}, {0, 1, 2 * near}, {0, 3, 2 * far}} {
		l.holder = test.holder
		if got := s.acquire(l, test.to); got != int64(test.want) {
			t.Errorf("a free lock of %d to %d: %d ps, want %d", test.holder, test.to, got, test.want)
		}
	}
}
