// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// One run: callers, the clock, and the end.

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"fount"
)

// A run is a Config at work.
type run struct {
	Config
	m        Mechanism
	tally    *tally
	progress func(line string)
	left     sync.WaitGroup // callers that have not returned
	over     atomic.Bool

	start time.Time
	shown time.Duration // when the progress was
	took  time.Duration // until no more requests came
}

func newRun(c Config, m Mechanism, progress func(line string)) *run {
	return &run{Config: c, m: m, tally: newTally(c), progress: progress}
}

// load calls the mechanism for the configured time.
func (r *run) load(ctx context.Context) {
	r.start = time.Now()
	if r.IsOpen() {
		r.openLoop(ctx)
	} else {
		r.closedLoop()
	}
	r.until(ctx, r.Duration)
	r.over.Store(true)
	r.took = time.Since(r.start)
}

// rest waits for answers, and reports whether all came: in an open loop until the last deadline, in
// a closed one, whose count ends before, for all.
func (r *run) rest(ctx context.Context) (answered bool) {
	if r.IsOpen() {
		ctx, cancel := context.WithTimeout(ctx, r.Deadline)
		defer cancel()
		answered = r.wait(ctx)
		r.tally.close(time.Since(r.start))
		return answered
	}
	r.tally.close(time.Since(r.start))
	return r.wait(ctx)
}

// principals are how many clients the requests of an open loop come from, in turn.
const principals = 1000

// openLoop starts a request at each arrival, whether or not others are answered.
func (r *run) openLoop(ctx context.Context) {
	n := 0
	for due := range arrivals(r.Rate, r.Duration) {
		if !r.until(ctx, due) {
			return
		}
		n++
		principal := strconv.Itoa(n % principals)
		key := r.tally.begin(due) // here: one that never gets to run is one that is not answered
		r.left.Go(func() { r.request(key, due, principal) })
	}
}

// arrivals are the intended starts of independent requests, rate a second on average: a Poisson
// process, whose gaps are exponential.
func arrivals(rate float64, until time.Duration) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		for at := 0.0; ; {
			at += fount.ExpFloat64() / rate
			if at >= until.Seconds() || !yield(time.Duration(at*float64(time.Second))) {
				return
			}
		}
	}
}

// request is one of an open loop. Its deadline counts from the intended start: a client's does.
func (r *run) request(key int64, due time.Duration, principal string) {
	ctx, cancel := context.WithDeadline(context.Background(), r.start.Add(due+r.Deadline))
	defer cancel()
	r.call(ctx, key, principal)
}

// call calls the mechanism and counts what became of it.
func (r *run) call(ctx context.Context, key int64, principal string) error {
	began := time.Since(r.start)
	err := r.m.Compare(ctx, principal)
	ended := time.Since(r.start)
	r.tally.end(key, ended, ended-began, err)
	return err
}

// closedLoop starts the callers, each of which asks again when it has its answer, or, where they
// fan in, when the channel has taken what it asked.
func (r *run) closedLoop() {
	for i := range r.Callers {
		if r.fansIn() {
			r.left.Go(func() { r.feeder(r.m.(*buffered)) })
			continue
		}
		r.left.Go(func() { r.caller("caller " + strconv.Itoa(i)) })
	}
}

func (r *run) caller(principal string) {
	for !r.over.Load() {
		err := r.call(context.Background(), r.tally.begin(time.Since(r.start)), principal)
		if after, refused := isRefusal(err); refused {
			time.Sleep(min(max(after, time.Millisecond), time.Second)) // no million times a second
		}
	}
}

// feeder is a caller that fans in: the only thing it waits for is room in the channel.
func (r *run) feeder(to *buffered) {
	for !r.over.Load() {
		began := time.Since(r.start)
		key := r.tally.begin(began)
		r.left.Add(1)
		to.tasks <- func(err error) {
			defer r.left.Done()
			ended := time.Since(r.start)
			r.tally.end(key, ended, ended-began, err)
		}
	}
}

// often is how often the progress is shown, and an interrupt noticed.
const often = time.Second / 5

// until sleeps to a time of the run. It returns false if the run is to end.
func (r *run) until(ctx context.Context, at time.Duration) bool {
	for ctx.Err() == nil {
		now := time.Since(r.start)
		if now >= r.shown {
			r.shown = now + often
			r.show(now)
		}
		if now >= at {
			return true
		}
		time.Sleep(min(at-now, often))
	}
	return false
}

// wait waits until all callers have returned.
func (r *run) wait(ctx context.Context) bool {
	answered := make(chan struct{})
	go func() {
		r.left.Wait()
		close(answered)
	}()
	look := time.NewTicker(often)
	defer look.Stop()
	for {
		select {
		case <-answered:
			return true
		case <-ctx.Done():
			return false
		case <-look.C:
			r.show(r.Duration)
		}
	}
}

// show shows how far the run is.
func (r *run) show(elapsed time.Duration) {
	switch {
	case r.progress == nil:
	case r.over.Load():
		r.progress(fmt.Sprintf("%v are over; waiting for compares under way", r.Duration))
	default:
		r.progress(fmt.Sprintf("%.0f of %.0f s", elapsed.Seconds(), r.Duration.Seconds()))
	}
}
