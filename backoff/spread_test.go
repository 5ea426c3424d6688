// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

// What a server sees of many clients that fail together: the promise of the package.

import (
	"math/rand"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const clients = 10000

// delaysOf lets all clients fail together and returns the delay that each waits
// before its nth retry, on the way that Retry takes. They run on a fake clock, and
// in groups, since the race detector can't keep more than 8128 goroutines.
func delaysOf(t *testing.T, p Policy, n int) []time.Duration {
	p.Attempts = n + 1
	delays := make([]time.Duration, clients)
	for group := range slices.Chunk(delays, clients/10) {
		synctest.Test(t, func(t *testing.T) {
			var wg sync.WaitGroup
			for i := range group {
				wg.Go(func() {
					var c calls
					Retry(t.Context(), p, func() error { c.add(); return errBoom })
					group[i] = c.at[n] - c.at[n-1]
				})
			}
			wg.Wait()
		})
	}
	return delays
}

// slots counts the delays in n equal slots of [low, high).
func slots(t *testing.T, delays []time.Duration, n int, low, high time.Duration) []int {
	t.Helper()
	counts := make([]int, n)
	for _, d := range delays {
		if d < low || d >= high {
			t.Fatalf("delay of %v; want in [%v, %v)", d, low, high)
		}
		counts[(d-low)*time.Duration(n)/(high-low)]++
	}
	return counts
}

// The first retry with full jitter, in 10 equal slots of [0, Base): a slot ideally
// holds 1000, and the fullest may hold 1150. Each slot is binomial (10000, 0.1),
// its standard deviation is 30, so 1150 is 5 of them: that any of 10 slots is above
// has odds of 4.4·10^-6 for a perfect generator (union bound over exact tails).
func TestFullJitterSpreads(t *testing.T) {
	const base = 100 * time.Millisecond
	counts := slots(t, delaysOf(t, Policy{Base: base}, 1), 10, 0, base)
	t.Log(counts)
	if peak := slices.Max(counts); peak > 1150 {
		t.Errorf("%d of %d clients in one of 10 slots: %v; want at most 1150, 1.15 times the mean", peak, clients, counts)
	}
}

// The second delay with decorrelated jitter, in 8 equal slots of its range, which
// is [Base, 9·Base): a slot is as long as Base. The fullest may hold twice the mean
// of 1250.
//
// This delay is not uniform. Take Base as 1. The first delay x is uniform in [1, 3),
// and the second, y, uniform in [1, 3x), so that y has the density
//
//	f(y) = ∫ 1/2 · 1/(3x−1) dx = 1/6 · ln(8 / max(2, y−1)), for x from max(1, y/3) to 3.
//
// It is greatest for y up to 3: ln(4)/6 = 0.231, where the mean over the range is
// 1/8. So no slot is expected to hold more than 8·ln(4)/6 = 1.848 times the mean,
// however the slots are cut. (A Cap below 9·Base shortens the range to [1, c), and
// the ratio to (c−1)/6·ln((c−1)/2) + (9−c)/6, or 1 if c < 3.)
//
// The first two slots expect 2310 each, with a standard deviation of 42: 2500 is
// 4.5 of them, with odds of 7.9·10^-6 for a perfect generator. (Ten slots would
// have odds of 10^-4: their mean is smaller, and chance weighs more.)
//
// All this is about the delay. Counted from the common failure, the second retry
// comes at x+y in [2, 12), densest at 4 with the same 0.231: 2.31 times the mean.
func TestDecorrelatedJitterSpreads(t *testing.T) {
	const base = 100 * time.Millisecond
	counts := slots(t, delaysOf(t, Policy{Base: base, Jitter: Decorrelated}, 2), 8, base, 9*base)
	t.Log(counts)
	if peak := slices.Max(counts); peak > 2500 {
		t.Errorf("%d of %d clients in one of 8 slots: %v; want at most 2500, twice the mean", peak, clients, counts)
	}
	// The shares that follow from f, so that the derivation is tested too. 211 is 5
	// standard deviations of the fullest slots: odds of 10^-6.
	for i, share := range []float64{0.23105, 0.23105, 0.19498, 0.13835, 0.09624, 0.06268, 0.03477, 0.01088} {
		if want := int(share * clients); counts[i] < want-211 || counts[i] > want+211 {
			t.Errorf("slot %d holds %d; want %d ± 211 by the density", i, counts[i], want)
		}
	}
}

// The negative control: clients that draw from math/rand with one seed, such as the
// second they were started in, fall into one slot together.
func TestOneSeedFallsIntoOneSlot(t *testing.T) {
	const base = 100 * time.Millisecond
	delays := make([]time.Duration, clients)
	for i := range delays {
		client := rand.New(rand.NewSource(1480000000))
		delays[i] = time.Duration(client.Int63n(int64(base)))
	}
	counts := slots(t, delays, 10, 0, base)
	if peak := slices.Max(counts); peak != clients {
		t.Errorf("%d of %d clients in one of 10 slots: %v; want all of them", peak, clients, counts)
	}
}

// Clients that have retried for long, and then fail together once more (a server
// that was stuck answers all of them at once), still spread. With the minimum taken
// after the draw, as in the original formula, a third of them wait exactly Cap.
func TestDecorrelatedJitterSpreadsAtCap(t *testing.T) {
	const (
		base  = 100 * time.Millisecond
		limit = 10 * time.Second
		n     = 50
	)
	var ours, theirs [clients]time.Duration
	for i := range clients {
		delays := Policy{Base: base, Cap: limit, Jitter: Decorrelated}.Delays()
		theirs[i] = base
		for range n {
			ours[i], _ = delays.Next()
			theirs[i] = min(limit, between(base, 3*theirs[i]))
		}
	}
	// 10000 delays spread over 10^10 ns, most of them over 10^9: a pair of equal ones
	// is no surprise, four are (odds below 10^-9).
	if most := together(ours[:]); most > 3 {
		t.Errorf("%d of %d clients wait equally long; want at most 3", most, clients)
	}
	if most := together(theirs[:]); most < clients/4 {
		t.Errorf("control: %d of %d clients wait equally long; want at least a quarter", most, clients)
	}
	t.Logf("equal: %d and %d; mean delay: %.2f and %.2f of Cap", together(ours[:]), together(theirs[:]),
		float64(mean(ours[:]))/float64(limit), float64(mean(theirs[:]))/float64(limit))
}

// together returns how many delays share the most frequent value, to the nanosecond.
func together(delays []time.Duration) (most int) {
	n := make(map[time.Duration]int)
	for _, d := range delays {
		n[d]++
		most = max(most, n[d])
	}
	return most
}

func mean(delays []time.Duration) (m time.Duration) {
	for _, d := range delays {
		m += d / time.Duration(len(delays))
	}
	return m
}
