// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// A race: processes wait at a gate until all are ready, start together, and are timed by one clock.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fount/cmd/internal/lab/child"
)

// readyLimit is for a process that hangs before the gate. On two busy cores 16 took 0.3 s.
const readyLimit = time.Minute

var (
	errLate       = errors.New("late") // stopped at the limit
	errNotReady   = errors.New("not ready in time")
	errFalseStart = errors.New("it passed the gate before that was open")
)

// An outcome counts and times the processes of a race. Times are in s.
type outcome struct {
	delays []float64 // from the opening of the gate to having the bytes; of late ones the limit
	execs  []float64 // from exec to being ready at the gate
	late   int
}

// A racer is one process of a race.
type racer struct {
	*child.Child
	launched int64 // clock's, before exec
	times    times
	err      error
}

// race starts the processes, opens the gate when all are ready, and returns when all have ended. At
// the limit it stops those that are left. Its error is that of the first process that fails.
func (e experiment) race(ctx context.Context, from *supply) (o outcome, err error) {
	track, stop := context.WithCancelCause(ctx)
	task := from.task
	task.Bytes = e.bytes

	racers, err := launch(track, e.procs, task)
	defer func() {
		stop(nil)
		for _, p := range racers {
			p.Close()
		}
	}()
	if err != nil {
		return o, err
	}

	hanging := time.AfterFunc(readyLimit, func() { stop(errNotReady) })
	for _, p := range racers {
		if err := p.Receive(&p.times); err != nil {
			return o, cause(track, err)
		}
	}
	hanging.Stop()

	if from.begin != nil {
		from.begin()
	}
	late := time.AfterFunc(e.limit, func() { stop(errLate) })
	defer late.Stop()
	opened := clock()
	letGo(racers)

	for _, p := range racers {
		if err := o.add(p, opened, e.limit, cause(track, p.err)); err != nil {
			return o, err
		}
	}
	return o, nil
}

// launch starts processes and gives them their task. With an error it returns those that run.
func launch(ctx context.Context, n int, t task) (racers []*racer, err error) {
	for range n {
		p := &racer{launched: clock()}
		if p.Child, err = child.Start(ctx, "files"); err != nil {
			return racers, fmt.Errorf("a process does not start: %w", err)
		}

		racers = append(racers, p)
		if err := p.Send(t); err != nil {
			return racers, err
		}
	}
	return racers, nil
}

// letGo opens the gate, and returns when all have ended.
func letGo(racers []*racer) {
	var ending sync.WaitGroup
	for _, p := range racers {
		p.err = p.Send(true)
		ending.Go(func() {
			if p.err == nil {
				p.err = p.Receive(&p.times)
			}
		})
	}
	ending.Wait()
}

// cause returns why processes were stopped, if they were, else err.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// add counts a process. One that did not wait for the gate would flatter its source.
func (o *outcome) add(p *racer, opened int64, limit time.Duration, err error) error {
	delay := limit.Seconds()
	switch {
	case errors.Is(err, errLate):
		o.late++
	case err != nil:
		return err
	case p.times.Passed < opened:
		return errFalseStart
	default:
		delay = seconds(p.times.Had - opened)
	}

	o.delays = append(o.delays, delay)
	o.execs = append(o.execs, seconds(p.times.Ready-p.launched))
	return nil
}

func seconds(ns int64) float64 { return time.Duration(ns).Seconds() }
