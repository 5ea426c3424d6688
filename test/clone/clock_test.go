// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// Seeds of the clock in clones of one snapshot: how many have a seed that another clone has too.

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/test/clone/wire"
	"fount/test/internal/guest"
)

// clockClones is how many clones are made at once, and how many one after the other.
const clockClones = 10

// A clockTwin is a clone that seeds from the clock.
type clockTwin struct {
	wire.ClockDump
	away time.Duration // from the snapshot's instant to its resumption
}

// TestClockSeeds clones a machine while it seeds from the clock. The clock goes on from the snapshot's in all clones: how
// long ago that was, and that they were resumed at different times, keeps no seeds apart. Two controls: the seed kept since
// before the snapshot is the same in all, and what fount draws after the word has moved is in one clone only.
func TestClockSeeds(t *testing.T) {
	laboratory(t)
	s := save(t, guest.Kernel(t, meta612, "6.12"), guest.Initrd(t), original, wire.ClockDraws)
	if got := mode(t, s.Status).Mode; got != verified {
		t.Fatalf("mode is %q, want %q", got, verified)
	}
	var mark wire.ClockMark
	s.read(t, &mark)
	var b strings.Builder
	b.WriteString(s.describe())
	for _, way := range []struct {
		name  string
		group int // of clones that run at the same time
	}{{"at once", clockClones}, {"one after the other", 1}} {
		var all []*clockTwin
		for len(all) < clockClones {
			all = append(all, s.clocks(t, &mark, way.group)...)
		}
		addClocks(&b, way.name, all, mark.Seed)
		kept := seedsOf(all, func(c *clockTwin) int64 { return c.Kept })
		if n := shared(kept, inNS); n != len(all) {
			t.Errorf("%s: %d of %d clones share the seed kept since before the snapshot, want all", way.name, n, len(all))
		}
		if n := shared(all, func(c *clockTwin) [16]byte { return c.Moved.Nonce }); n > 0 {
			t.Errorf("%s: %d clones share a draw of fount that began when the word had moved", way.name, n)
		}
		// One is enough: a busy machine may let another wait for its first draw for as long as it was away.
		if !slices.ContainsFunc(all, func(c *clockTwin) bool { return c.First.Seed-mark.Seed < int64(c.away) }) {
			t.Errorf("%s: the clocks of all clones counted the time that they were away", way.name)
		}
		for i, c := range all {
			if c.First.Seed < mark.Seed || c.Moved.Before <= s.Word {
				t.Errorf("%s: clone %d: the clock went from %d to %d, the word from %d to %d", way.name, i, mark.Seed, c.First.Seed, s.Word, c.Moved.Before)
			}
		}
	}
	t.Log("\n" + b.String() + "\n" + clockLegend)
}

const clockLegend = `A cell counts the clones whose seed another clone has too, in that unit or as math/rand keeps it (31 bits).
The last column counts those whose draw of fount beside the seed another clone has too.
  kept: taken before the snapshot.
  first: the first that a goroutine took after it, which takes seeds all the time.
  asked: taken when the clone has received its order, as a server's on a request.
  word moved: taken when the kernel has told the clone that it is one.
`

// clocks resumes so many clones at once.
func (s *snapshot) clocks(t *testing.T, mark *wire.ClockMark, n int) (all []*clockTwin) {
	var machines []*machine
	for range n {
		machines = append(machines, s.restore(t, own))
	}
	var away []time.Duration
	for _, m := range machines {
		away = append(away, time.Since(s.stopped))
		m.resume(&wire.Resume{Word: s.Word, From: [wire.Workers]uint64{mark.Begun}})
	}
	for i, m := range machines {
		c := &clockTwin{away: away[i]}
		noticed, ok := s.end(m, &c.ClockDump)
		if !ok {
			continue
		}
		if !noticed {
			t.Errorf("clone %d: the kernel did not notice", i)
		}
		all = append(all, c)
	}
	return all
}

func seedsOf(all []*clockTwin, seed func(*clockTwin) int64) (seeds []int64) {
	for _, c := range all {
		seeds = append(seeds, seed(c))
	}
	return seeds
}

// shared is how many of these, cut, are another's too.
func shared[E any, K comparable](all []E, cut func(E) K) (n int) {
	count := map[K]int{}
	for _, e := range all {
		count[cut(e)]++
	}
	for _, c := range count {
		if c > 1 {
			n += c
		}
	}
	return n
}

func inNS(ns int64) int64 { return ns }

// source is what math/rand draws first with a seed: it keeps 31 bits.
func source(ns int64) [2]int64 {
	r := rand.New(rand.NewSource(ns))
	return [2]int64{r.Int63(), r.Int63()}
}

func in(unit time.Duration) func(int64) int64 {
	return func(ns int64) int64 { return ns / int64(unit) }
}

func TestShared(t *testing.T) {
	const m = 1<<31 - 1
	seeds := []int64{1_000_007, 1_000_007, 1_000_999, 1_001_000, 1_999_999, 2_000_000, 2_000_000 + m}
	got := [4]int{shared(seeds, inNS), shared(seeds, source), shared(seeds, in(time.Microsecond)), shared(seeds, in(time.Millisecond))}
	if want := [4]int{2, 4, 3, 5}; got != want {
		t.Errorf("in ns, 31 bits, µs and ms %v are shared, want %v", got, want)
	}
}

// addClocks adds a way's table.
func addClocks(b *strings.Builder, way string, all []*clockTwin, last int64) {
	away := make([]time.Duration, len(all))
	for i, c := range all {
		away[i] = c.away
	}
	fmt.Fprintf(b, "\n%d clones, %s, resumed %.1f to %.1f s after the snapshot; clock source %s\n", len(all), way,
		slices.Min(away).Seconds(), slices.Max(away).Seconds(), all[0].Source)
	fmt.Fprintf(b, "  %-12s  %22s  %3s %8s %3s %3s %3s  %s\n", "seed", "ms after the snapshot's", "ns", "31 bits", "µs", "ms", "s", "draw of fount")
	for _, row := range []struct {
		name string
		draw func(*clockTwin) wire.ClockDraw
	}{
		{"kept", func(c *clockTwin) wire.ClockDraw { return wire.ClockDraw{Seed: c.Kept} }},
		{"first", func(c *clockTwin) wire.ClockDraw { return c.First }},
		{"asked", func(c *clockTwin) wire.ClockDraw { return c.Asked }},
		{"word moved", func(c *clockTwin) wire.ClockDraw { return c.Moved }},
	} {
		seeds := seedsOf(all, func(c *clockTwin) int64 { return row.draw(c).Seed })
		nonces := fmt.Sprint(shared(all, func(c *clockTwin) [16]byte { return row.draw(c).Nonce }))
		if row.name == "kept" {
			nonces = "-"
		}
		span := fmt.Sprintf("%.3f to %.3f", float64(slices.Min(seeds)-last)/1e6, float64(slices.Max(seeds)-last)/1e6)
		fmt.Fprintf(b, "  %-12s  %23s  %3d %8d %3d %3d %3d  %13s\n", row.name, span, shared(seeds, inNS), shared(seeds, source),
			shared(seeds, in(time.Microsecond)), shared(seeds, in(time.Millisecond)), shared(seeds, in(time.Second)), nonces)
	}
}
