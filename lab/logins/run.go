// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// One run: callers, the clock, and the end.

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"fount/lab/measure"
)

// Progress is how far a run is.
type Progress struct {
	Elapsed, Of time.Duration
	Left        int64 // compares that began and have not ended, when the time is over
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
	answered            bool     // all compares have ended
	finished            *float64 // compares a second; nil: not known
	heartbeat, endpoint *Summary
	pool                *PoolFigures
}

func newRun(c Config, m Mechanism) *run { return &run{Config: c, m: m, tally: newTally(c)} }

// principals are how many clients the requests of an open loop come from, in turn.
const principals = 1000

// measure calls the mechanism for the configured time, and then waits for answers: in an open loop until the last
// deadline, in a closed one for all.
func (r *run) measure(ctx context.Context, progress func(Progress)) error {
	var probes *probes
	if !r.quiet {
		var err error
		if probes, err = startProbes(r.Cut); err != nil {
			return err
		}
	}
	r.start = time.Now()
	clock := &clock{run: r, ctx: ctx, progress: progress}
	if r.IsOpen() {
		r.openLoop(clock)
	} else {
		r.closedLoop()
	}
	clock.until(r.Duration)
	r.over.Store(true)
	if err := r.endWindow(probes); err != nil {
		return err
	}
	if r.IsOpen() {
		r.grace(ctx)
		r.tally.close(time.Since(r.start))
	} else {
		r.tally.close(time.Since(r.start))
		r.drain(clock)
	}
	return ctx.Err()
}

// openLoop starts a request at each arrival, whether or not others are answered.
func (r *run) openLoop(clock *clock) {
	n := 0
	for due := range arrivals(r.Rate, r.Duration) {
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

// closedLoop starts the callers, each of which asks again when it has its answer, or, where they fan in, when the
// channel has taken what it asked.
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

// feeder is a caller that fans in: the only thing it waits for is room in the channel.
func (r *run) feeder(to *buffered) {
	for !r.over.Load() {
		began := time.Since(r.start)
		key := r.tally.begin(began)
		r.left.Add(1)
		to.give(func(spans Spans, err error) {
			defer r.left.Done()
			ended := time.Since(r.start)
			r.tally.end(key, ended, ended-began, spans, err)
		})
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
	if r.IsOpen() {
		_, finished := r.tally.snapshot()
		rate := perSecond(finished, w.elapsed)
		w.finished = &rate
	}
	if p, ok := r.m.(*pool); ok {
		w.pool = p.figures()
	}
	var err error
	w.heartbeat, w.endpoint, err = probes.stop()
	return err
}

// answered is closed when all have their answers.
func (r *run) answered() <-chan struct{} {
	answered := make(chan struct{})
	go func() {
		r.left.Wait()
		close(answered)
	}()
	return answered
}

// grace waits until all have their answers, or the last deadline is over. What goroutines without a bound then have under
// way may be most of what they did, so that those which ended say nothing of the throughput.
func (r *run) grace(ctx context.Context) {
	last := time.NewTimer(r.Deadline)
	defer last.Stop()
	select {
	case <-r.answered():
		r.window.answered = true
	case <-last.C:
	case <-ctx.Done():
	}
	if r.Mechanism == MaxOut && !r.window.answered {
		r.window.finished = nil
	}
}

// drain waits until the last compare has ended. The cores work all that time but for the last moment, so all compares by
// all the time is the throughput, however the cores were shared.
func (r *run) drain(clock *clock) {
	answered := r.answered()
	look := time.NewTicker(often)
	defer look.Stop()
	for {
		select {
		case <-answered:
			ended, last := r.tally.drained()
			rate := perSecond(ended, last)
			r.window.answered, r.window.finished = true, &rate
			return
		case <-look.C:
			clock.show(r.Duration)
		case <-clock.ctx.Done():
			return
		}
	}
}

func used() time.Duration {
	if measure.ProcessCPU == nil {
		return 0
	}
	return measure.ProcessCPU()
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
		if now >= c.shown {
			c.shown = now + often
			c.show(min(now, c.run.Duration))
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

// show calls progress.
func (c *clock) show(elapsed time.Duration) {
	if c.progress == nil {
		return
	}
	p := Progress{Elapsed: elapsed, Of: c.run.Duration}
	p.Counts, _ = c.run.tally.snapshot()
	if elapsed == p.Of {
		p.Left = c.run.tally.left()
	}
	c.progress(p)
}
