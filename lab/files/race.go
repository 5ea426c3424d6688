// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// A race: processes wait at a gate until all are ready, start together, and are timed by one clock.

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A race is one run of processes.
type race struct {
	opened int64 // clock, when the gate was
	closed int64 // when all had ended
	racers []*racer
}

// A start says how to start processes.
type start struct {
	program []string
	procs   int
	limit   time.Duration   // from the opening of the gate
	ready   time.Duration   // limit for getting ready
	opening func()          // called just before the gate opens; nil: nothing
	show    func(ended int) // called at the start, and five times a second while they run
}

// readyLimit is for a process that hangs before the gate. On two busy cores 16 took 0.3 s.
const readyLimit = time.Minute

var (
	errLate       = errors.New("late") // stopped at the limit
	errNotReady   = errors.New("not ready in time")
	errFalseStart = errors.New("it passed the gate before that was open")
)

// run starts the processes with a task, opens the gate when each is ready or dead, and returns when all have ended. At
// the limit, and when ctx ends, it kills those that are left. The error of one process is in its racer; run returns that
// of the race.
func (s start) run(ctx context.Context, t task) (*race, error) {
	s.show(0)
	track, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	r := new(race)
	var err error
	for len(r.racers) < s.procs && err == nil {
		p := newRacer()
		if err = p.start(track, s.program, t); err == nil {
			r.racers = append(r.racers, p)
		}
	}
	if err != nil {
		stop(err)
	}
	hanging := time.AfterFunc(s.ready, func() { stop(errNotReady) })
	for _, p := range r.racers {
		<-p.isReady
	}
	hanging.Stop()
	if track.Err() != nil { // all are killed, and none may pass the gate
		r.wait(s.show)
	}
	late := time.AfterFunc(s.limit, func() { stop(errLate) })
	defer late.Stop()
	if s.opening != nil {
		s.opening()
	}
	r.opened = clock()
	for _, p := range r.racers {
		p.openGate()
	}
	r.wait(s.show)
	r.closed = clock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("process %d of %d does not start: %w", len(r.racers)+1, s.procs, err)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	for _, p := range r.racers {
		p.judge(r.opened)
	}
	return r, nil
}

// wait waits for the end of all.
func (r *race) wait(show func(ended int)) {
	often := time.NewTicker(time.Second / 5)
	defer often.Stop()
	for _, p := range r.racers {
		for !p.ended() {
			select {
			case <-p.hasEnded:
			case <-often.C:
				show(r.ended())
			}
		}
	}
}

func (r *race) ended() (n int) {
	for _, p := range r.racers {
		if p.ended() {
			n++
		}
	}
	return n
}
