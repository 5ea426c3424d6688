// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The experiment.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// Run makes the experiment. It skips a source that this machine does not have, and says why; it counts and names a
// process that fails. When ctx ends it kills the processes, takes down what it has set up, and returns ctx's error.
//
// Its processes are Options.Program, which must call Reader.
func Run(ctx context.Context, o Options) (Result, error) {
	if err := o.setDefaults(); err != nil {
		return Result{}, err
	}
	r := Result{Procs: o.Procs, Bytes: o.Bytes, Ring: o.Ring, TickMS: o.Tick.Seconds() * 1e3, LimitS: o.Limit.Seconds(),
		Count: o.Count, More: o.More, Published: published}
	begin := time.Now()
	for _, p := range places {
		if o.Measure != nil && !o.Measure(p.name) {
			continue
		}
		s, err := o.measure(ctx, p)
		if err != nil {
			return r, err
		}
		r.Sources = append(r.Sources, s)
	}
	r.Seconds = time.Since(begin).Seconds()
	r.compare()
	r.Conclusion = r.conclude()
	return r, nil
}

// measure opens a source, makes its runs, and closes it.
func (o *Options) measure(ctx context.Context, p place) (s Source, err error) {
	s = Source{Name: p.name, About: p.about, Runs: []Round{}}
	dir, err := os.MkdirTemp("", "fount-bench-")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(dir)
	o.Progress(p.name + ": opening it")
	d, err := p.open(ctx, o, dir)
	switch {
	case err == nil:
		s.StartS = d.took.Seconds()
		return s, errors.Join(o.race(ctx, p, d, &s), d.close())
	case ctx.Err() != nil:
		return s, ctx.Err()
	}
	s.Skipped = err.Error()
	return s, nil
}

// race makes the runs for the delay, and one for the rate.
func (o *Options) race(ctx context.Context, p place, d *door, s *Source) error {
	count := o.Count
	if p.once {
		count = 1
	}
	for run := range count {
		r, err := o.start(p, d, run, count).run(ctx, d.task(o.Bytes))
		if err != nil {
			return err
		}
		s.add(run, r)
		if d.made != nil {
			s.BytesPerS = r.clockRate(d.made())
		}
	}
	s.finish(o.Limit.Seconds() * 1e3)
	if p.once || s.Failed > 0 {
		return nil
	}
	r, err := o.start(p, d, count, count).run(ctx, d.task(o.More))
	if err != nil {
		return err
	}
	s.BytesPerS = r.rate(o.More)
	return nil
}

// start is the start of one run.
func (o *Options) start(p place, d *door, run, count int) start {
	what := fmt.Sprintf("run %d of %d", run+1, count)
	if run == count {
		what = "the rate"
	}
	return start{program: o.Program, procs: o.Procs, limit: o.Limit, ready: readyLimit, opening: d.begin,
		show: func(ended int) {
			o.Progress(fmt.Sprintf("%s, %s: %d of %d processes have ended", p.name, what, ended, o.Procs))
		}}
}

// rate is in bytes per second, of all processes together, from the gate until the last one had its bytes. It is 0 if one
// did not get them.
func (r *race) rate(bytes int) float64 {
	last := r.opened
	for _, p := range r.racers {
		if p.had == 0 {
			return 0
		}
		last = max(last, p.had)
	}
	return float64(len(r.racers)) * float64(bytes) / (float64(last-r.opened) / 1e9)
}

// clockRate is the rate of a device that has made that many bytes since the gate opened, 0 if they are too few to tell
// because the ring held enough.
func (r *race) clockRate(made int64) float64 {
	if made < 8 {
		return 0
	}
	return float64(made) / (float64(r.closed-r.opened) / 1e9)
}
