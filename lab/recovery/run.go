// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

// One run: arrivals by the clock, each a client of its own.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"fount/lab/logins"
)

// Run measures once, in this process. What it leaves behind disturbs the next run: give each a process of its own.
func Run(ctx context.Context, c Config) (Result, error) {
	m, err := logins.Config{Mechanism: c.Service, Policy: logins.Bcrypt, Cost: c.Cost, Deadline: c.Timeout}.Open()
	if err != nil {
		return Result{}, err
	}
	capacity, err := capacityOf(ctx, m, c.Probe)
	if err != nil {
		return Result{}, err
	}
	r := &run{Config: c, gate: m, capacity: capacity, slots: make([]Slot, (c.Before+c.During+c.After+slot-1)/slot)}
	r.overload(ctx)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	return r.result(), nil
}

// capacityOf is the compares a second of callers that for a while always have the next one ready.
func capacityOf(ctx context.Context, m logins.Mechanism, spell time.Duration) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, spell)
	defer cancel()
	var group sync.WaitGroup
	var n atomic.Int64
	var failure atomic.Value
	begin := time.Now()
	for i := range 8 * runtime.GOMAXPROCS(0) { // enough for lanes
		group.Go(func() {
			for ctx.Err() == nil {
				if _, err := m.Compare(context.Background(), fmt.Sprint("caller ", i)); err != nil {
					failure.Store(err)
					return
				}
				n.Add(1)
			}
		})
	}
	group.Wait()
	if err, ok := failure.Load().(error); ok {
		return 0, err
	}
	if n.Load() == 0 {
		return 0, fmt.Errorf("no compare ended in %v; probe for longer", spell)
	}
	return float64(n.Load()) / time.Since(begin).Seconds(), nil
}

// A run is one run under way.
type run struct {
	Config
	gate     logins.Mechanism
	capacity float64
	begin    time.Time

	mu       sync.Mutex
	clients  int
	trying   int // clients that have no answer yet
	loggedIn int
	refused  int
	timedOut int
	wasted   int
	left     int // attempts that the service still works for, whose clients have left
	slots    []Slot
	failed   time.Duration // begin of the last client, after the overload, whose first attempt failed; 0: none
	sent     time.Duration // clients that were to begin until then have begun: where goroutines starve, so does the one that sends
	ended    time.Duration
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
		if now >= r.Before+r.During+r.After || r.calm() {
			break
		}
		r.mu.Lock()
		r.sent = min(next, now)
		r.mu.Unlock()
		if next > now {
			time.Sleep(min(next-now, slot))
			continue
		}
		r.client(ctx, next)
		gap := arrivals.ExpFloat64() / r.rate(next) * float64(time.Second)
		next += time.Duration(gap)
	}
	r.mu.Lock()
	r.ended = time.Since(r.begin)
	r.mu.Unlock()
}

// rate is the logins that begin a second at that time.
func (r *run) rate(at time.Duration) float64 {
	if at >= r.Before && at < r.Before+r.During {
		return r.Over * r.capacity
	}
	return r.Usual * r.capacity
}

// quiet is how long a run goes on after the last client that failed. A client that began less than a timeout ago may still fail.
func (c Config) quiet() time.Duration { return min(c.Calm+c.Timeout, c.After) }

// calm reports whether nothing has failed for a while after the overload, and nobody tries again.
func (r *run) calm() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	since := max(r.failed, r.Before+r.During)
	return r.sent > since+r.quiet() && float64(r.trying) <= 1+r.Usual*r.capacity*r.Timeout.Seconds()
}

// client starts a client that begins now, which is at in the run.
func (r *run) client(ctx context.Context, at time.Duration) {
	r.mu.Lock()
	r.clients++
	r.trying++
	r.slots[at/slot].Attempts++ // here, as the run may end before the goroutine begins
	name := fmt.Sprint("client ", r.clients)
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, r.Give)
	go func() {
		defer cancel()
		first := true
		err := r.retry(ctx, func() error {
			err := r.attempt(name, at, first)
			first = false
			return err
		})
		r.mu.Lock()
		defer r.mu.Unlock()
		r.trying--
		if err == nil {
			r.loggedIn++
		}
	}()
}

// attempt makes one attempt of a client that began at a time of the run, and counts it.
func (r *run) attempt(name string, began time.Duration, first bool) error {
	at := int(began / slot)
	if !first {
		at = int(time.Since(r.begin) / slot)
		r.count(at, func(s *Slot) { s.Attempts++ })
	}
	over, left := false, false // the service's part and the client's
	got, err := attempt(r.gate, name, r.Timeout, func(wasted bool) {
		r.count(at, func(*Slot) {
			over = true
			if wasted {
				r.wasted++
			}
			if left {
				r.left--
			}
		})
	})
	r.count(at, func(s *Slot) {
		if !over && got == timedOut {
			left = true
			r.left++
		}
		switch got {
		case good:
			s.Good++
		case refused:
			r.refused++
		case timedOut:
			r.timedOut++
		}
		if got != good && first && began >= r.Before+r.During {
			r.failed = max(r.failed, began)
		}
	})
	return err
}

// count counts something of an attempt that began in that slot, unless the run was over.
func (r *run) count(at int, f func(*Slot)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at < len(r.slots) && r.ended == 0 {
		f(&r.slots[at])
	}
}

func (r *run) result() Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	result := Result{Config: r.Config, Capacity: r.capacity, Clients: r.clients, LoggedIn: r.loggedIn,
		GaveUp: r.clients - r.loggedIn, Refused: r.refused, TimedOut: r.timedOut, Wasted: r.wasted + r.left,
		Slots: r.slots[:min(len(r.slots), int((r.ended+slot-1)/slot))]}
	end := r.Before + r.During
	for i, s := range result.Slots {
		result.Attempts += s.Attempts
		if time.Duration(i)*slot >= end {
			result.Peak = max(result.Peak, float64(s.Attempts)/slot.Seconds()/(r.Usual*r.capacity))
		}
	}
	if r.sent >= max(r.failed, end)+r.quiet() {
		took := max(0, r.failed-end).Seconds()
		result.Recovery = &took
	}
	return result
}
