// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

// Tests of the figures, on a clock of their own.

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// words are the figures in stats by the two words that their line begins with.
func (b *bench) words(t testing.TB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, l := range strings.Split(strings.TrimSuffix(b.Tree.stats(true), "\n"), "\n")[1:] {
		w := strings.Fields(l)
		if len(w) != 6 {
			t.Fatalf("%d words, want 6: %s", len(w), l)
		}
		all[strings.Join(w[:2], " ")] = w[2:]
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
	b.step = time.Millisecond
	for range 1000 {
		a.ReadAt(make([]byte, 100), 0)
	}
	for range 250 {
		r.ReadAt(make([]byte, 100), 0)
		s.Write(make([]byte, 10))
	}
	b.step = 3 * time.Millisecond
	r.ReadAt(nil, 0)
	b.step = 0
	b.want(t, "what name", "calls bytes mean_ns max_ns")
	b.want(t, "file random", "1000 100000 1000000 1000000")
	b.want(t, "file urandom", "251 25000 1007968 3000000")
	b.want(t, "file seed", "250 2500 1000000 1000000")
	b.want(t, "file stats", "0 0 0 0")
	b.want(t, "client alice", "1000 100000 1000000 1000000")
	b.want(t, "client bob_bob_", "501 27500 1003992 3000000")
	b.want(t, "client other", "0 0 0 0")

	// When she is gone, what she did is with "other".
	a.Close()
	alice.Close()
	alice.Close()
	if w := b.words(t); w["client alice"] != nil {
		t.Error("alice is gone and has a line")
	}
	b.want(t, "client other", "1000 100000 1000000 1000000")
	b.want(t, "file random", "1000 100000 1000000 1000000")
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
	if w["client c31"] == nil || w["client c32"] != nil {
		t.Error("the first 32 have lines, or the next has")
	}
	if got := w["client other"][0]; got != "2" {
		t.Errorf("other made %s calls, want 2", got)
	}
	clients[0].Close()
	c := b.Client("new", 0)
	b.open(t, c, "random", false).ReadAt(make([]byte, 8), 0)
	b.want(t, "client new", "1 8 0 0")
	if got := b.words(t)["client other"][0]; got != "3" {
		t.Errorf("other made %s calls, want 3", got)
	}
	// Two of one name share a line, which stays until both are gone.
	again := b.Client("new", 0)
	b.open(t, again, "random", false).ReadAt(make([]byte, 8), 0)
	c.Close()
	b.want(t, "client new", "2 16 0 0")
	again.Close()
	if b.words(t)["client new"] != nil {
		t.Error("both are gone and have a line")
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

func TestReadAllocates(t *testing.T) {
	b := newBench()
	h := b.open(t, b.Client("a", 0), "random", false)
	p := make([]byte, 16)
	if n := testing.AllocsPerRun(100, func() { h.ReadAt(p, 0) }); n != 0 {
		t.Errorf("a read allocates %v times", n)
	}
}
