// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

// Tests of the figures, on a clock of their own.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// words are the figures in stats by the three words that their line begins with.
func (b *bench) words(t testing.TB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, l := range strings.Split(strings.TrimSuffix(b.Tree.stats(true), "\n"), "\n")[1:] {
		w := strings.Fields(l)
		if len(w) != 10 {
			t.Fatalf("%d words, want 10: %s", len(w), l)
		}
		all[strings.Join(w[:3], " ")] = w[3:]
	}
	return all
}

func (b *bench) want(t *testing.T, name, figures string) {
	t.Helper()
	if got := strings.Join(b.words(t)[name], " "); got != figures {
		t.Errorf("%s: %s, want %s", name, got, figures)
	}
}

// Each call takes 1 ms, and the clock stands still between them.
func TestStats(t *testing.T) {
	b := newBench()
	alice, bob := b.Client("alice", 0), b.Client("bob bob\n", 0)
	a, r := b.open(t, alice, "random", false), b.open(t, bob, "urandom", false)
	s := b.open(t, bob, "seed", true)
	calls := func(h *Handle, n int) {
		b.step = time.Millisecond
		for range n {
			if h == s {
				h.Write(make([]byte, 10))
			} else {
				h.ReadAt(make([]byte, 100), 0)
			}
		}
		b.step = 0
	}
	calls(a, 1000) // 2 s: each looks at the clock twice
	calls(r, 250)  // 2.5 s
	calls(s, 250)  // 3 s
	b.want(t, "since what name", "calls bytes bytes/s mean_ns p50_ns p99_ns max_ns")
	// 100,000 bytes in 3 s. The bucket of 1 ms goes from 917,504 ns to 1,048,575.
	b.want(t, "start file random", "1000 100000 33333 1000000 983039 983039 1000000")
	b.want(t, "10s file random", "1000 100000 33333 1000000 983039 983039 1000000")
	b.want(t, "start file seed", "250 2500 833 1000000 983039 983039 1000000")
	b.want(t, "start file stats", "0 0 0 - - - -")
	b.want(t, "start client alice", "1000 100000 33333 1000000 983039 983039 1000000")
	b.want(t, "start client bob_bob_", "500 27500 9166 1000000 983039 983039 1000000")
	b.want(t, "start client other", "0 0 0 - - - -")

	// At 10.5 s the last ten seconds are those from 1 s on: half of alice's calls are older.
	b.now = b.now.Add(7500 * time.Millisecond)
	b.want(t, "start file random", "1000 100000 9523 1000000 983039 983039 1000000")
	got := b.words(t)["10s file random"]
	if got[0] != "501" { // the call that ended at 1 s belongs to what began there
		t.Errorf("%s calls in the last 10 s, want 501", got[0])
	}
	if got[2] != "5273" {
		t.Errorf("%s bytes/s in the last 10 s, want 50,100 / 9.5 s", got[2])
	}

	// When she is gone, what she did is with "other", the window too.
	a.Close()
	alice.Close()
	alice.Close()
	if w := b.words(t); w["start client alice"] != nil {
		t.Error("alice is gone and has a line")
	}
	b.want(t, "start client other", "1000 100000 9523 1000000 983039 983039 1000000")
	b.want(t, "start file random", "1000 100000 9523 1000000 983039 983039 1000000")
	if got := b.words(t)["10s client other"][0]; got != "501" {
		t.Errorf("%s calls of those who are gone in the last 10 s, want 501", got)
	}

	// A minute later the window is empty and nothing is lost, though the slot of bob's second is used again.
	b.now = b.now.Add(62 * time.Second)
	b.want(t, "10s file random", "0 0 0 - - - -")
	b.step = 100 * time.Microsecond
	r.ReadAt(make([]byte, 100), 0)
	b.step = 0
	b.want(t, "10s file urandom", "1 100 10 100000 100000 100000 100000")
	if got := b.words(t)["start file urandom"][0]; got != "251" {
		t.Errorf("%s reads of urandom, want 251", got)
	}
	if !strings.Contains(b.Tree.stats(true), "clients 1 now, 2 since the start\n") {
		t.Error(b.Tree.stats(true))
	}
}

// The 33rd name at a time is counted with "other"; when one of 32 goes, the next name has a line.
func TestNamed(t *testing.T) {
	b := newBench()
	var clients []*Client
	for i := range mostNamed + 2 {
		c := b.Client(fmt.Sprint("c", i), 0)
		clients = append(clients, c)
		b.open(t, c, "random", false).ReadAt(make([]byte, 8), 0)
	}
	w := b.words(t)
	if w["start client c31"] == nil || w["start client c32"] != nil {
		t.Error("the first 32 have lines, or the next has")
	}
	if got := w["start client other"][0]; got != "2" {
		t.Errorf("other made %s calls, want 2", got)
	}
	clients[0].Close()
	c := b.Client("new", 0)
	b.open(t, c, "random", false).ReadAt(make([]byte, 8), 0)
	b.want(t, "start client new", "1 8 0 0 0 0 0")
	if got := b.words(t)["start client other"][0]; got != "3" {
		t.Errorf("other made %s calls, want 3", got)
	}
	// Two of one name share a line, which stays until both are gone.
	again := b.Client("new", 0)
	b.open(t, again, "random", false).ReadAt(make([]byte, 8), 0)
	c.Close()
	b.want(t, "start client new", "2 16 0 0 0 0 0")
	again.Close()
	if b.words(t)["start client new"] != nil {
		t.Error("both are gone and have a line")
	}
}

// Clients that come and go use the cells of those before.
func TestCellsAreUsedAgain(t *testing.T) {
	b := newBench()
	for i := range 100 {
		c := b.Client(fmt.Sprint(i), 0)
		b.open(t, c, "random", false)
		c.Close()
	}
	if len(b.spare) != 1 {
		t.Errorf("%d spare cells, want 1", len(b.spare))
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"":                        "?",
		"a b\tc\x00":              "a_b_c_",
		"[::1]:99":                "[::1]:99",
		"größe":                   "gr__e",
		strings.Repeat("x", 1000): strings.Repeat("x", 64),
		"\xff\xfe":                "__",
	} {
		if got := printable(name); got != want {
			t.Errorf("%q is written %q, want %q", name, got, want)
		}
	}
}

// Buckets follow each other without a gap, and none is wider than a quarter of what it holds.
func TestBuckets(t *testing.T) {
	last := -1
	for ns := uint64(0); ns < 1<<14; ns++ {
		b := bucket(ns)
		if b != last && b != last+1 {
			t.Fatalf("%d ns is in bucket %d, %d ns in %d", ns, b, ns-1, last)
		}
		last = b
		if m := middle(b); bucket(m) != b || max(m, ns)-min(m, ns) > ns/8 {
			t.Fatalf("the middle of the bucket of %d ns is %d", ns, m)
		}
	}
	if got := bucket(1<<longest - 1); got != buckets-1 {
		t.Errorf("the longest latency is in bucket %d, want the last, %d", got, buckets-1)
	}
	if got := bucket(1<<64 - 1); got != buckets-1 {
		t.Errorf("a latency beyond is in bucket %d, want the last, %d", got, buckets-1)
	}
}

// Quantiles are those of a sorted slice, to an eighth.
func TestQuantiles(t *testing.T) {
	var c cell
	var all []uint64
	random := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		ns := uint64(random.ExpFloat64() * 50000)
		all = append(all, ns)
		c.count(0, time.Duration(ns), 1)
	}
	slices.Sort(all)
	var got, recent tally
	c.sum(1, &got, &recent)
	for _, q := range []uint64{1, 50, 99, 100} {
		want := all[len(all)*int(q)/100-1]
		if v := got.quantile(q); max(v, want)-min(v, want) > want/8+1 {
			t.Errorf("the quantile of %d %% is %d, want %d", q, v, want)
		}
	}
	if got.most != all[len(all)-1] || got.calls != 10000 || got != recent {
		t.Errorf("most %d, %d calls", got.most, got.calls)
	}
}

func TestReadAllocates(t *testing.T) {
	b := newBench()
	h := b.open(t, b.Client("a", 0), "random", false)
	p := make([]byte, 16)
	if n := testing.AllocsPerRun(100, func() { h.ReadAt(p, 0) }); n != 0 {
		t.Errorf("a read allocates %v times", n)
	}
}
