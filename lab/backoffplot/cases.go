// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The three cases, simulated.

import (
	"math"
	mathrand "math/rand"
	"slices"
	"time"

	"fount/backoff"
)

const (
	clients = 10000
	base    = 100 * time.Millisecond
	limit   = 10 * time.Second // the policies' Cap

	// clock is a second in which clients that seed from the clock were started.
	clock = 1480000000
)

// A spread is the delays of all clients before one retry, counted in slots: equal
// parts of the range that the delay may have.
type spread struct {
	name      string // in the text file
	title     string // in the plot
	axis      string // what the delay is counted from
	low, high time.Duration
	counts    []int
	expected  []float64 // of the counts, for perfect draws
	allowed   float64   // a count, in multiples of the mean; 0 if it is the negative control
}

func (s *spread) width() time.Duration { return (s.high - s.low) / time.Duration(len(s.counts)) }
func (s *spread) mean() float64        { return clients / float64(len(s.counts)) }
func (s *spread) peak() int            { return slices.Max(s.counts) }

// draw counts the delay of each client.
func (s *spread) draw(delay func() time.Duration) {
	for range clients {
		s.counts[(delay()-s.low)/s.width()]++
	}
}

func simulate() []*spread {
	seed := &spread{
		name: "seed", title: "Full jitter, all clients on one math/rand seed",
		axis: "time from the common failure to the first retry (ms)",
		high: base, counts: make([]int, 10), expected: even(10),
	}
	seed.draw(func() time.Duration {
		client := mathrand.New(mathrand.NewSource(clock))
		return time.Duration(client.Int63n(int64(base)))
	})

	full := &spread{
		name: "full", title: "Full jitter from fount/backoff",
		axis: "time from the common failure to the first retry (ms)",
		high: base, counts: make([]int, 10), expected: even(10), allowed: 1.15,
	}
	full.draw(func() time.Duration { return nth(1, backoff.Policy{Base: base, Cap: limit}) })

	decorrelated := &spread{
		name: "decorrelated", title: "Decorrelated jitter from fount/backoff",
		axis: "time from a client's second failure to its second retry (ms)",
		low:  base, high: 9 * base, counts: make([]int, 8), expected: second(8), allowed: 2,
	}
	decorrelated.draw(func() time.Duration {
		return nth(2, backoff.Policy{Base: base, Cap: limit, Jitter: backoff.Decorrelated})
	})
	return []*spread{seed, full, decorrelated}
}

// nth returns a new client's nth delay.
func nth(n int, p backoff.Policy) (delay time.Duration) {
	delays := p.Delays()
	for range n {
		delay, _ = delays.Next()
	}
	return delay
}

// even is the counts expected of a uniform delay.
func even(n int) []float64 {
	return slices.Repeat([]float64{clients / float64(n)}, n)
}

// second is the counts expected of the second decorrelated delay, in n slots of
// [1, 9) times Base. Its density is ln(8/max(2, y-1))/6: TestDecorrelatedJitterSpreads
// in package fount/backoff derives it.
func second(n int) []float64 {
	// below is the integral of the density from 1 to 1+u.
	below := func(u float64) float64 {
		if u <= 2 {
			return u * math.Log(4) / 6
		}
		return (u*math.Log(8/u) + u - 2) / 6
	}
	counts := make([]float64, n)
	for i := range counts {
		from, to := 8*float64(i)/float64(n), 8*float64(i+1)/float64(n)
		counts[i] = clients * (below(to) - below(from))
	}
	return counts
}
