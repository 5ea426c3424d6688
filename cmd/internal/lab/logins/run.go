// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// One run: callers, the clock, and the end.

import (
	"context"
	"iter"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"fount/cmd/internal/lab/measure"
)

// A run is a Config at work.
type run struct {
	Config
	m     Mechanism
	tally *tally
	left  sync.WaitGroup // callers that have not returned
	start time.Time
	cores float64 // that an open loop used
}

func newRun(c Config, m Mechanism) *run {
	return &run{Config: c, m: m, tally: newTally(c), start: time.Now()}
}

// load calls the mechanism for the configured time, and in a closed loop until all is answered.
func (r *run) load(ctx context.Context) {
	if r.IsOpen() {
		used := measure.CPUSeconds()
		r.openLoop(ctx)
		r.until(ctx, r.Duration)
		r.cores = (measure.CPUSeconds() - used) / time.Since(r.start).Seconds()
		return
	}

	for i := range r.Callers {
		r.left.Go(func() { r.caller(ctx, "caller "+strconv.Itoa(i)) })
	}
	r.wait(ctx)
}

// rest waits for the answers of an open loop until the last deadline.
func (r *run) rest(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, r.Deadline)
	defer cancel()
	r.wait(ctx)
	r.tally.close(time.Since(r.start))
}

// principals are how many clients the requests of an open loop come from, in turn.
const principals = 1000

// openLoop starts a request at each arrival, whether or not others are answered.
func (r *run) openLoop(ctx context.Context) {
	n := 0
	for due := range r.arrivals() {
		if !r.until(ctx, due) {
			return
		}

		n++
		principal := strconv.Itoa(n % principals)

		key := r.tally.begin(due) // here: one that never gets to run is one that is not answered
		r.left.Go(func() { r.request(key, due, principal) })
	}
}

// arrivals yields the intended starts of independent requests: a Poisson process, with exponential
// gaps. It is the same for each run of a seed, rate and duration.
func (c Config) arrivals() iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		gaps := rand.New(rand.NewPCG(c.Seed, 0))
		for at := 0.0; ; {
			at += gaps.ExpFloat64() / c.Rate
			if at >= c.Duration.Seconds() || !yield(time.Duration(at*float64(time.Second))) {
				return
			}
		}
	}
}

// request calls the mechanism and counts what became of it. In an open loop it has a deadline, from
// its intended start: a client's counts so.
func (r *run) request(key int64, due time.Duration, principal string) {
	ctx := context.Background()
	if r.IsOpen() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, r.start.Add(due+r.Deadline))
		defer cancel()
	}

	began := time.Since(r.start)
	err := r.m.Compare(ctx, principal)
	ended := time.Since(r.start)
	r.tally.end(key, ended, ended-began, err)
}

// caller is one of a closed loop. All ask first at the start, and again when they have an answer,
// or, where they fan in, when the channel has taken what they asked.
func (r *run) caller(ctx context.Context, principal string) {
	for due := time.Duration(0); ; {
		key := r.tally.begin(due)
		if r.fansIn() {
			r.feed(key, due)
		} else {
			r.request(key, due, principal)
		}

		due = time.Since(r.start)
		if due >= r.Duration || ctx.Err() != nil {
			return
		}
	}
}

// feed waits for room in the channel alone.
func (r *run) feed(key int64, began time.Duration) {
	r.left.Add(1)
	r.m.(*buffered).tasks <- func(err error) {
		defer r.left.Done()
		ended := time.Since(r.start)
		r.tally.end(key, ended, ended-began, err)
	}
}

// until sleeps to a time of the run. It returns false if the run is to end.
func (r *run) until(ctx context.Context, at time.Duration) bool {
	select {
	case <-time.After(at - time.Since(r.start)):
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

// wait waits until all callers have returned.
func (r *run) wait(ctx context.Context) {
	answered := make(chan struct{})
	go func() {
		r.left.Wait()
		close(answered)
	}()
	select {
	case <-answered:
	case <-ctx.Done():
	}
}
