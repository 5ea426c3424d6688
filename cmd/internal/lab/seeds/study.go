// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package seeds measures how often two clients begin with the same seed. Seeds are of 31 bits, as
// math/rand keeps them, or taken from the clock by goroutines and processes that start together. It
// also measures how the retries of such clients spread. It tries the post "A Tale of Two rands"
// (2017).
package seeds

import (
	"fmt"
	"math"
	"math/rand"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fount"
	"fount/backoff"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/show"
)

const name = "seeds"

// Study is fount bench seeds.
var Study = lab.Study{Name: name, About: "clients whose seeds collide, and whose retries do (2017)", Time: 15 * time.Second, Run: run, Child: serve}

func run(r *lab.Run) {
	trials(r)
	clocks(r)
	retries(r)
}

// trials adds the group of clients that seed math/rand from crypto/rand, of which it keeps 31 bits.
func trials(r *lab.Run) {
	g := lab.Group{
		Name:    "Two of some clients begin alike: seeds of 31 bits, as math/rand keeps them",
		Columns: []lab.Column{{Name: "share tried"}, {Name: "computed"}, {Name: "trials"}},
	}

	seedings := 1_000_000
	if r.Quick {
		seedings /= 4
	}

	for i, clients := range []int{10_000, 54_600} { // the one that hurts, and the one for even odds
		name := show.Count(int64(clients)) + " clients"
		if r.Over() || !r.Wants(g.Name, name) {
			continue
		}

		r.Show("%s", name)
		count := max(1, seedings/clients)
		share := float64(try(r, clients, count)) / float64(count)
		low, high := lab.Wilson(share, float64(count))

		g.Rows = append(g.Rows, lab.Row{Name: name, Base: i, Figures: []*lab.Figure{
			{Value: share, Low: &low, High: &high},
			lab.Once(Collide(clients, states31)),
			lab.Once(float64(count)),
		}})
	}

	if !r.Over() {
		r.Add(g)
	}
}

// An origin is what a client draws first. Clients with the same origin have the same sequence.
type origin [2]int64

// try runs trials on all cores, and returns in how many of them two clients collided.
func try(r *lab.Run, clients, count int) int {
	var begun, collided atomic.Int64
	var workers sync.WaitGroup

	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			rng := rand.New(rand.NewSource(1)) // seeded anew
			seen := make(map[origin]bool, clients)
			for r.Context.Err() == nil {
				if begun.Add(1) > int64(count) {
					return
				}

				clear(seen)
				if collide(rng, seen, clients, entropy) {
					collided.Add(1)
				}
			}
		})
	}

	workers.Wait()
	return int(collided.Load())
}

// entropy returns a seed as the post draws it from crypto/rand. math/rand keeps 31 bits of it.
func entropy() int64 { return int64(fount.Uint64() >> 1) }

// collide seeds clients one after the other, and reports whether two begin alike.
func collide(r *rand.Rand, seen map[origin]bool, clients int, seed func() int64) bool {
	for range clients {
		r.Seed(seed())
		o := origin{r.Int63(), r.Int63()}
		if seen[o] {
			return true
		}
		seen[o] = true
	}
	return false
}

// clocks adds the group of clients that start together and seed from the clock. Its figures are the
// shares of clients whose seed another client has too.
func clocks(r *lab.Run) {
	n := 100
	if r.Quick {
		n = 25
	}

	g := lab.Group{
		Name:    fmt.Sprintf("Of %d that start together, the share whose seed of the clock is another's too", n),
		Columns: []lab.Column{{Name: "in ns"}, {Name: "in µs"}, {Name: "in ms"}, {Name: "31 bits"}, {Name: "in s"}, {Name: "span", Unit: "sec"}},
	}

	goroutines := func(int) ([]float64, error) { return shares(together(n)), nil }
	processes := func(int) ([]float64, error) {
		seeds, err := start(r.Context, n)
		if err != nil {
			return nil, err
		}
		return shares(seeds), nil
	}

	r.Turns(g, lab.MinRounds, []lab.Way{
		{Row: lab.Row{Name: "goroutines", Base: 0}, Turn: goroutines},
		{Row: lab.Row{Name: "processes, let go at once", Base: 1}, Turn: processes},
	})
}

// retries adds the group of clients that fail together. Its figures say how their retries spread:
// the clients in the fullest slot, divided by the mean.
func retries(r *lab.Run) {
	const clients, slots, base = 10_000, 10, 100 * time.Millisecond
	const started = 1480000000 // a second in which clients that seed from the clock were started
	policy := backoff.Policy{Base: base, Cap: 10 * time.Second}

	g := lab.Group{
		Name:    "10,000 clients fail together: the fullest slot of retries to the mean",
		Origin:  lab.Modelled,
		Columns: []lab.Column{{Name: "times the mean"}},
	}

	way := func(name string, own int, delay func() time.Duration) lab.Way {
		return lab.Way{Row: lab.Row{Name: name, Base: own}, Turn: func(int) ([]float64, error) {
			var counts [slots]int
			for range clients {
				counts[delay()*slots/base]++
			}
			return []float64{float64(slices.Max(counts[:])*slots) / clients}, nil
		}}
	}

	r.Turns(g, lab.MinRounds, []lab.Way{
		way("full jitter, all on one seed of math/rand, 10 slots", 0, func() time.Duration {
			return time.Duration(rand.New(rand.NewSource(started)).Int63n(int64(base)))
		}),
		way("full jitter of fount's backoff, 10 slots", 1, func() time.Duration {
			delays := policy.Delays()
			delay, _ := delays.Next()
			return delay
		}),
	})
}

// states31 is how many sequences math/rand has: it takes seeds modulo 2^31-1, and 0 as 89482311.
const states31 = 1<<31 - 2

// Collide returns the probability that two of the clients have the same state (the birthday
// problem). It is exact but for rounding: one less the product of 1 - i/states for all i below
// clients.
func Collide(clients int, states float64) float64 {
	all := 0.0
	for i := 1; i < clients; i++ {
		all += math.Log1p(-float64(i) / states)
	}
	return -math.Expm1(all)
}
