// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package model

// The event loop: what goes in comes out, in order, and the same each time.

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
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

// TestConservation: each arrival has drawn, waits, or draws, and all threads are somewhere.
func TestConservation(t *testing.T) {
	for _, lock := range Locks {
		s := newSim(small(lock))
		if _, err := s.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		inside := int64(0)
		for _, doing := range s.doing {
			if doing != working {
				inside++
			}
		}
		waiting := int64(len(s.input.queue)) // a thread that waits for a pool is still working by s.doing
		for i := range s.locks {
			l := &s.locks[i]
			queued := int64(len(l.queue))
			inside += queued
			waiting += queued
			if sum := l.waiting[0] + l.waiting[1]; sum != queued {
				t.Errorf("%s: %d in the queue, %d by socket", lock, queued, sum)
			}
		}
		if s.arrived != s.drawn+inside {
			t.Errorf("%s: %d arrived, %d drew and %d are inside", lock, s.arrived, s.drawn, inside)
		}
		if n := int64(len(s.events.heap)) + waiting; n != int64(s.c.N()) {
			t.Errorf("%s: %d threads wait or have an event, want %d", lock, n, s.c.N())
		}
	}
}

// inOrder reports whether those who entered a lock are the first of those who wanted it.
func inOrder(wanted, entered []int32) bool {
	return len(entered) <= len(wanted) && slices.Equal(entered, wanted[:len(entered)])
}

// TestFIFO: threads enter a lock in the order in which they wanted it.
func TestFIFO(t *testing.T) {
	for _, kind := range []Lock{Ticket, MCS, Node} {
		s := newSim(small(kind))
		wanted, entered := map[*lock][]int32{}, map[*lock][]int32{}
		s.trace = func(l *lock, thread int32, in bool) {
			if in {
				entered[l] = append(entered[l], thread)
			} else {
				wanted[l] = append(wanted[l], thread)
			}
		}
		if _, err := s.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		for l, list := range wanted {
			if !inOrder(list, entered[l]) {
				t.Errorf("%s: a lock was not entered in the order in which it was wanted", kind)
			}
		}
		if len(wanted) != len(s.locks)+1 {
			t.Errorf("%s: %d locks were wanted, want %d", kind, len(wanted), len(s.locks)+1)
		}
	}
	if inOrder([]int32{1, 2, 3}, []int32{1, 3}) || inOrder([]int32{1}, []int32{1, 2}) {
		t.Error("a wrong order is taken for a right one")
	}
}

// TestSeed: one seed gives one result, and another seed another that differs by chance only.
func TestSeed(t *testing.T) {
	for _, lock := range Locks {
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
		// The intervals are of 95 %; twice their sum is four standard deviations of the difference and more.
		if d := math.Abs(a.PerSecond/b.PerSecond - 1); d > 2*(a.Interval+b.Interval) {
			t.Errorf("%s: seeds 7 and 8 differ by %.4f, with intervals of %.4f and %.4f", lock, d, a.Interval, b.Interval)
		}
	}
}

// TestEvents: the heap gives events in order of time, those of one time in the order of making.
func TestEvents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var q events
		var want []event
		for i := range 1 + r.IntN(300) {
			q.add(r.Int64N(50), int32(i))
		}
		want = slices.Clone(q.heap)
		slices.SortFunc(want, func(a, b event) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		for _, w := range want {
			if got := q.next(); got != w {
				t.Fatalf("next is %+v, want %+v", got, w)
			}
		}
	}
	e := event{at: 5, key: 3<<16 | 0xfffe}
	if e.thread() != 0xfffe {
		t.Errorf("thread %d, want %d", e.thread(), 0xfffe)
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

// TestCancel: a context that is done ends a run, and the study.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Simulate(ctx, small(MCS)); !errors.Is(err, context.Canceled) {
		t.Errorf("Simulate returned %v, want %v", err, context.Canceled)
	}
	if _, err := Run(ctx, Usual()); !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v, want %v", err, context.Canceled)
	}
}

// BenchmarkDraw is the speed of the simulation. It has to be above 1.67 million draws/s, 10^8 in a minute.
func BenchmarkDraw(b *testing.B) {
	for _, test := range []struct {
		name string
		set  func(c *Config)
	}{
		{"ticket/1", func(c *Config) { c.Sockets = 1 }},
		{"ticket/4", func(c *Config) {}},
		{"ticket/4/idle", func(c *Config) { c.Work = 1e6 }},
		{"node/4/fed", func(c *Config) { c.Lock, c.FeedEvery = Node, 2.3 }},
	} {
		b.Run(test.name, func(b *testing.B) {
			c := Usual().config()
			c.Sockets, c.Far, c.Draws = 4, 105, max(int64(b.N), 100)
			test.set(&c)
			b.ResetTimer()
			if _, err := Simulate(context.Background(), c); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "draws/s")
		})
	}
}
