// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

// One run: arrivals by the clock, each a client of its own.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"fount/cmd/internal/lab/logins"
	"fount/password"
)

// A config is one run.
type config struct {
	Service string // a mechanism of package logins
	Policy  string
	Obey    bool          // what Retry-After says, before the policy's delay
	Cost    int           // of bcrypt
	Unit    time.Duration // of the times below, and a client's timeout
	Seed    uint64        // of the arrivals
}

// The times of a run, in units; the run ends early where no client that begins has failed for calm.
const before, during, after, calm = 1, 4, 12, 2

// The rates of logins, in parts of the capacity.
const usualRate, overRate = 0.25, 2

const (
	give = time.Minute            // after which a client tries no more
	slot = 100 * time.Millisecond // in which attempts are counted
)

// A result is what one run gave.
type result struct {
	Clients    int
	Attempts   int
	Unanswered int // attempts without an answer in time, refusals apart

	// Recovered is the time from the end of the overload to the begin of the last new client whose
	// first attempt failed; nil if they still fail in the last seconds of the run.
	Recovered *float64

	// Peak is the most attempts in a slot after the overload, in multiples of the usual rate.
	Peak float64
}

// run measures once, in this process.
func (c config) run(ctx context.Context) (result, error) {
	load := logins.Post()
	load.Mechanism, load.Cost, load.Deadline = c.Service, c.Cost, c.Unit
	closed := load
	closed.Callers, closed.Duration = 8*runtime.GOMAXPROCS(0), c.Unit // enough for lanes
	found, err := closed.Run(ctx)
	if err != nil {
		return result{}, err
	}
	load.Rate = found.Hashes // the pool refuses only those of an open loop
	service, err := load.Open()
	if err != nil {
		return result{}, err
	}
	r := &run{config: c, service: service, capacity: found.Hashes}
	r.overload(ctx)
	return r.result(), ctx.Err()
}

// A run is one run under way.
type run struct {
	config
	service  logins.Mechanism
	capacity float64
	begin    time.Time

	mu     sync.Mutex
	ended  bool
	counts result
	slots  []int         // attempts
	trying int           // clients that have no answer yet
	failed time.Duration // begin of the last new client that failed; 0: none
	sent   time.Duration // clients have begun until then: the sender may starve too
}

// overload sends all clients, and returns when the run is over.
func (r *run) overload(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // clients that still try give up
	arrivals := rand.New(rand.NewPCG(r.Seed, 0))
	r.begin = time.Now()
	next := time.Duration(0)
	for ctx.Err() == nil {
		now := time.Since(r.begin)
		if r.over(now, next) {
			return
		}
		if next > now {
			time.Sleep(min(next-now, slot))
			continue
		}
		r.client(ctx, next)
		next += time.Duration(arrivals.ExpFloat64() / r.rate(next) * float64(time.Second))
	}
}

// rate is the logins that begin a second at that time.
func (r *run) rate(at time.Duration) float64 {
	if at >= before*r.Unit && at < r.end() {
		return overRate * r.capacity
	}
	return usualRate * r.capacity
}

// end is when the overload ends.
func (c config) end() time.Duration { return (before + during) * c.Unit }

// quiet is how long a run goes on after the last failure: the newest clients may still fail.
func (c config) quiet() time.Duration { return (calm + 1) * c.Unit }

// over reports whether the run is: at its end, or when nothing has failed for a while after the
// overload, and nobody tries again. The next client begins at next.
func (r *run) over(now, next time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = min(next, now)
	few := float64(r.trying) <= 1+usualRate*r.capacity*r.Unit.Seconds()
	r.ended = now >= r.end()+after*r.Unit || few && r.sent > max(r.failed, r.end())+r.quiet()
	return r.ended
}

// client starts a client that begins now, which is at in the run.
func (r *run) client(ctx context.Context, at time.Duration) {
	r.mu.Lock()
	r.counts.Clients++
	r.trying++
	name := fmt.Sprint("client ", r.counts.Clients)
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, give)
	go func() {
		defer cancel()
		first := true
		r.retry(ctx, func() error {
			err := r.attempt(name)
			if first && err != nil {
				r.fails(at)
			}
			first = false
			return err
		})
		r.mu.Lock()
		defer r.mu.Unlock()
		r.trying--
	}()
}

// attempt asks the service and counts what became of it, unless the run was over.
func (r *run) attempt(client string) error {
	r.count(func(c *result) {
		c.Attempts++
		at := int(time.Since(r.begin) / slot)
		r.slots = append(r.slots, make([]int, max(0, at+1-len(r.slots)))...)
		r.slots[at]++
	})
	err := r.ask(client)
	if _, refused := errors.AsType[password.OverloadedError](err); err != nil && !refused {
		r.count(func(c *result) { c.Unanswered++ })
	}
	return err
}

// fails counts a new client whose first attempt failed.
func (r *run) fails(began time.Duration) {
	if began >= r.end() {
		r.count(func(*result) { r.failed = max(r.failed, began) })
	}
}

func (r *run) count(f func(*result)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		f(&r.counts)
	}
}

func (r *run) result() result {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	found := r.counts
	if later := r.slots[min(len(r.slots), int(r.end()/slot)):]; len(later) > 0 {
		found.Peak = float64(slices.Max(later)) / slot.Seconds() / (usualRate * r.capacity)
	}
	if r.sent >= max(r.failed, r.end())+r.quiet() {
		took := max(0, r.failed-r.end()).Seconds()
		found.Recovered = &took
	}
	return found
}
