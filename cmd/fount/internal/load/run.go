// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package load

// One run: callers, the clock, and the end.

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"fount/cmd/fount/internal/lab"
)

// Progress is how far a run is.
type Progress struct {
	Elapsed, Of time.Duration
	Counts
}

// A run is a Config at work.
type run struct {
	Config
	m     Mechanism
	tally *tally
	left  sync.WaitGroup // callers that have not returned
	over  atomic.Bool
	quiet bool // without probes, for tests whose time is not real

	start  time.Time
	cpu    time.Duration // used at the cut
	cutAt  time.Duration // when the cut was, on the clock
	window window
}

// A window is the part of a run that counts.
type window struct {
	elapsed             time.Duration
	cpu                 time.Duration
	finished            int64
	memory              Memory
	heartbeat, endpoint *Summary
	pool                *PoolFigures
}

func newRun(c Config, m Mechanism) *run { return &run{Config: c, m: m, tally: newTally(c)} }

// principals are how many clients the requests of an open loop come from, in turn.
const principals = 1000

// measure calls the mechanism for the configured time, and then, in an open loop, waits for answers until the last
// deadline.
func (r *run) measure(ctx context.Context, progress func(Progress)) error {
	resetPeak()
	r.window.memory.Base, _ = resident()
	var probes *probes
	if !r.quiet {
		var err error
		if probes, err = startProbes(r.Cut); err != nil {
			return err
		}
	}
	r.start = time.Now()
	clock := &clock{run: r, ctx: ctx, progress: progress}
	if r.Open() {
		r.openLoop(clock)
	} else {
		r.closedLoop()
	}
	clock.until(r.Duration)
	r.over.Store(true)
	if err := r.endWindow(probes); err != nil {
		return err
	}
	if r.Open() {
		r.grace(ctx)
	}
	r.tally.close(time.Since(r.start))
	return ctx.Err()
}

// openLoop starts a request at each arrival, whether or not others are answered.
func (r *run) openLoop(clock *clock) {
	n := 0
	for due := range arrivals(r.Rate, r.Seed, r.Duration) {
		if !clock.until(due) {
			return
		}
		n++
		principal := strconv.Itoa(n % principals)
		key := r.tally.begin(due) // here: one that never gets to run is one that is not answered
		r.left.Go(func() { r.request(key, due, principal) })
	}
}

// request is one request of an open loop. Its deadline counts from the intended start: a client's does.
func (r *run) request(key int64, due time.Duration, principal string) {
	ctx, cancel := context.WithDeadline(context.Background(), r.start.Add(due+r.Deadline))
	defer cancel()
	began := time.Since(r.start)
	spans, err := r.m.Compare(ctx, principal)
	ended := time.Since(r.start)
	r.tally.end(key, ended, ended-began, spans, err)
}

// closedLoop starts the callers, each of which asks again when it has its answer.
func (r *run) closedLoop() {
	for i := range r.Callers {
		r.left.Go(func() { r.caller("caller " + strconv.Itoa(i)) })
	}
}

func (r *run) caller(principal string) {
	for !r.over.Load() {
		began := time.Since(r.start)
		key := r.tally.begin(began)
		spans, err := r.m.Compare(context.Background(), principal)
		ended := time.Since(r.start)
		r.tally.end(key, ended, ended-began, spans, err)
		if after, refused := isRefusal(err); refused {
			time.Sleep(min(max(after, time.Millisecond), time.Second)) // or it would ask a million times a second
		}
	}
}

// atCut is called when the part of the run that counts begins.
func (r *run) atCut() {
	r.cutAt = time.Since(r.start)
	r.cpu = used()
	if p, ok := r.m.(*pool); ok {
		p.mark()
	}
}

// endWindow is called when no more requests come.
func (r *run) endWindow(probes *probes) error {
	w := &r.window
	w.elapsed = time.Since(r.start) - r.cutAt
	w.cpu = used() - r.cpu
	_, w.finished = r.tally.snapshot()
	_, w.memory.Peak = resident()
	if p, ok := r.m.(*pool); ok {
		w.pool = p.figures()
	}
	var err error
	w.heartbeat, w.endpoint, err = probes.stop()
	return err
}

// grace waits until all have their answers, or the last deadline is over.
func (r *run) grace(ctx context.Context) {
	answered := make(chan struct{})
	go func() {
		r.left.Wait()
		close(answered)
	}()
	last := time.NewTimer(r.Deadline)
	defer last.Stop()
	select {
	case <-answered:
	case <-last.C:
	case <-ctx.Done():
	}
}

func used() time.Duration {
	if lab.ProcessCPU == nil {
		return 0
	}
	return lab.ProcessCPU()
}

// A clock lets the run's own goroutine sleep, shows the progress, and notices the cut.
type clock struct {
	run      *run
	ctx      context.Context
	progress func(Progress)
	shown    time.Duration
	cut      bool // has been
}

// often is how often the progress is shown.
const often = time.Second / 5

// until sleeps to a time of the run. It returns false if the run is to end.
func (c *clock) until(at time.Duration) bool {
	for c.ctx.Err() == nil {
		now := time.Since(c.run.start)
		if !c.cut && now >= c.run.Cut {
			c.cut = true
			c.run.atCut()
		}
		if c.progress != nil && now >= c.shown {
			c.shown = now + often
			counts, _ := c.run.tally.snapshot()
			c.progress(Progress{Elapsed: min(now, c.run.Duration), Of: c.run.Duration, Counts: counts})
		}
		if now >= at {
			return true
		}
		next := min(at, now+often) // an interrupt is noticed as often
		if !c.cut {
			next = min(next, c.run.Cut)
		}
		time.Sleep(next - now)
	}
	return false
}
