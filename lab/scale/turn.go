// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// A turn: one worker, bound to a core, draws for a time that others know too.

import (
	"fmt"
	"runtime/debug"
	"time"

	"fount/internal/numa"
	"fount/lab/measure"
)

// A task is what a worker is to do in a turn. It goes to other processes as JSON.
type task struct {
	Method string        `json:"method"`
	Size   int           `json:"size"`
	Worker int           `json:"worker"` // its number among those that draw at once
	Cores  int           `json:"cores"`
	Nodes  int           `json:"nodes"`
	Turn   time.Duration `json:"turn_ns"`

	place *spot // where the thread is to be; nil: neither that nor how long it slept is looked at
}

func (t task) setting() Setting { return Setting{Size: t.Size, Cores: t.Cores, Nodes: t.Nodes} }

// A tally is what a worker did in a turn.
type tally struct {
	Values int           `json:"values"`
	From   int64         `json:"from_unix_ns"` // when it began, by a clock that all processes share
	To     int64         `json:"to_unix_ns"`
	CPU    time.Duration `json:"cpu_ns"` // of its thread meanwhile, 0 if not known
	Err    string        `json:"error,omitempty"`

	slept     time.Duration
	accounted bool // slept is known
	misplaced error
}

// warmup is the part of a turn that a worker draws before it.
const warmup = 4

// run makes the worker's state, warms up, calls arrive, which returns when all others are ready too, and draws until
// the time is over. The calling goroutine is bound to its thread.
func (t task) run(src measure.Source, arrive func()) (done tally) {
	arrived := false
	defer func() {
		if r := recover(); r != nil {
			done = tally{Err: fmt.Sprintf("panic: %v\n%s", r, debug.Stack())}
			if !arrived {
				arrive() // the others wait
			}
		}
	}()
	w := src.Worker(t.Worker)
	defer w.Close()
	draw := w.Draw
	n := measure.Batch(draw, t.Turn, t.Turn/warmup)
	var book *ledger
	if t.place != nil {
		book = openLedger()
		defer book.close()
	}
	epoch := time.Now()
	arrived = true
	arrive()
	before, _ := book.read()
	from, cpu := time.Since(epoch), threadCPU()
	to := from
	for to-from < t.Turn {
		draw(n)
		done.Values += n
		to = time.Since(epoch)
	}
	done.CPU = threadCPU() - cpu
	if t.place != nil {
		after, ok := book.read()
		done.slept, done.accounted = slept(before, after), ok
		done.misplaced = t.place.check(numa.Here())
	}
	done.From, done.To = epoch.UnixNano()+int64(from), epoch.UnixNano()+int64(to)
	return done
}

// A turned is what the tallies of one turn say together.
type turned struct {
	values  int
	elapsed time.Duration // from the first draw to the end of the last
	cpu     time.Duration // of all threads, 0 if not known

	slept     time.Duration // by all threads
	accounted bool          // slept is known of all
}

// sum adds the tallies up.
func sum(tallies []tally) (r turned, err error) {
	from, to := tallies[0].From, tallies[0].To
	r.accounted = true
	for _, t := range tallies {
		if t.Err != "" {
			return turned{}, fmt.Errorf("%s", t.Err)
		}
		if t.misplaced != nil {
			return turned{}, t.misplaced
		}
		r.values += t.Values
		r.cpu += t.CPU
		r.slept += t.slept
		r.accounted = r.accounted && t.accounted
		from, to = min(from, t.From), max(to, t.To)
	}
	r.elapsed = time.Duration(to - from)
	if r.elapsed <= 0 || r.values == 0 {
		return turned{}, fmt.Errorf("a turn drew %d values in %v", r.values, r.elapsed)
	}
	return r, nil
}

// rate is values a second.
func (r turned) rate() float64 { return float64(r.values) / r.elapsed.Seconds() }

// coreNS is CPU time a value in ns, of all threads.
func (r turned) coreNS() float64 { return float64(r.cpu) / float64(r.values) }

// cores is how many cores the threads had.
func (r turned) cores() float64 { return float64(r.cpu) / float64(r.elapsed) }
