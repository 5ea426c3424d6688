// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package seeds

// Clients that really seed math/rand.

import (
	"context"
	"fmt"
	"math/rand"
	"runtime"
	"sync"
	"sync/atomic"

	"fount"
	"fount/internal/judge"
	"fount/lab/show"
)

// A Trial is a number of clients, tried some times.
type Trial struct {
	Clients  int     `json:"clients"`
	Computed float64 `json:"computed"` // probability that two of them collide
	Count    int     `json:"count"`    // trials
	Collided int     `json:"collided"` // trials in which two did
	Low      float64 `json:"low"`      // of the 95 % interval of the trials' share (Wilson)
	High     float64 `json:"high"`
}

// An origin is what a client draws first. Two clients with the same have the same sequence.
type origin [2]int64

// try seeds on all cores.
func try(ctx context.Context, clients, count int, progress func(string)) (Trial, error) {
	t := Trial{Clients: clients, Computed: Collide(clients, states31), Count: count}
	var begun, collided atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			r, seen := rand.New(rand.NewSource(1)), make(map[origin]bool, clients) // each client seeds it anew
			for ctx.Err() == nil {
				n := begun.Add(1)
				if n > int64(count) {
					return
				}
				progress(fmt.Sprintf("trial %d of %d with %s clients", n, count, show.Count(int64(clients))))
				clear(seen)
				if collide(r, seen, clients, entropy) {
					collided.Add(1)
				}
			}
		})
	}
	workers.Wait()
	t.Collided = int(collided.Load())
	t.Low, t.High = judge.Wilson(float64(t.Collided)/float64(count), float64(count))
	return t, ctx.Err()
}

// entropy is a seed as the post draws it from crypto/rand, of which math/rand keeps 31 bits.
func entropy() int64 { return int64(fount.Uint64() >> 1) }

// collide seeds client after client and reports whether one begins as another did.
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
