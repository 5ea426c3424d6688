// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

// Other ways to run a queue, to compare with.

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"time"
)

// A discipline is which task of a rival's queue is next.
type discipline int

const (
	fifo      discipline = iota
	lifo                 // newest first
	codel                // first come first served, with the controlled delay of Facebook's "Fail at Scale"
	codelTop             // the same, newest first while it is overloaded: "adaptive LIFO"
	ours                 // the scheduler
	oursShort            // the scheduler with a MaxWait as short as CoDel's interval
)

var disciplines = [...]string{
	"first come, first served", "newest first", "CoDel", "CoDel, adaptive newest first",
	"admission, earliest deadline", "the same, MaxWait 100 ms",
}

// A rival is a bounded number of workers behind a queue without admission.
// Callers whose context is done leave the queue.
type rival struct {
	*lab
	workers int
	how     discipline

	mu    sync.Mutex
	busy  int
	queue []*entry
	empty time.Time // the queue was last empty
	waste int       // tasks run to the end for nobody
}

type entry struct {
	task  *Task
	came  time.Time
	done  chan error
	state int // 0 waits, 1 runs, 2 answered
}

// The controlled delay of B. Maurer, Fail at Scale, ACM Queue 13(8), 2015: a
// task may wait for the target while the queue has not been empty for an
// interval, and for the interval otherwise.
const (
	codelTarget   = 5 * ms
	codelInterval = 100 * ms
)

var errShed = errors.New("shed")

func newRival(l *lab, workers int, how discipline) *rival {
	return &rival{lab: l, workers: workers, how: how, empty: time.Now()}
}

func (r *rival) do(ctx context.Context, t *Task) error {
	e := &entry{task: t, came: time.Now(), done: make(chan error, 1)}
	r.mu.Lock()
	r.queue = append(r.queue, e)
	r.next()
	r.mu.Unlock()
	select {
	case err := <-e.done:
		return err
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.state == 0 {
		r.drop(e)
	}
	e.state = 2
	return ctx.Err()
}

func (r *rival) drop(e *entry) {
	for i := range r.queue {
		if r.queue[i] == e {
			r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
			break
		}
	}
	r.noteEmpty()
}

func (r *rival) noteEmpty() {
	if len(r.queue) == 0 {
		r.empty = time.Now()
	}
}

// next starts tasks while workers are free.
func (r *rival) next() {
	for r.busy < r.workers && len(r.queue) > 0 {
		e := r.pick()
		if e == nil {
			return
		}
		e.state = 1
		r.busy++
		go r.work(e)
	}
}

func (r *rival) pick() *entry {
	for len(r.queue) > 0 {
		overloaded := time.Since(r.empty) > codelInterval
		i := 0
		if r.how == lifo || r.how == codelTop && overloaded {
			i = len(r.queue) - 1
		}
		e := r.queue[i]
		r.queue = append(r.queue[:i:i], r.queue[i+1:]...)
		allowed := codelInterval
		if overloaded {
			allowed = codelTarget
		}
		stale := (r.how == codel || r.how == codelTop) && time.Since(e.came) > allowed
		r.noteEmpty()
		if !stale {
			return e
		}
		e.state = 2
		e.done <- errShed
	}
	return nil
}

func (r *rival) work(e *entry) {
	r.lab.run(0, []*Task{e.task})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy--
	if e.state == 2 {
		r.waste++
	}
	e.done <- nil
	r.next()
}

// An outcome is one line of the experiment.
type outcome struct {
	name    string
	goodput float64       // of capacity
	p50     time.Duration // of the good
	p99     time.Duration
	refused time.Duration // p99 until a caller who gets nothing knows it
	waste   float64       // part of the work done for nobody
}

// tried runs an open loop on a way to run a queue.
func tried(t *testing.T, how discipline, rate, sigma float64, within func(*lab) time.Duration) (o outcome) {
	bubble(t, func(t *testing.T) {
		const capacity = 40
		seconds := simulated(60)
		l := newLab(t, Config{})
		l.noise = l.lognormal(sigma)
		do := newRival(l, 2, how).do
		switch how {
		case ours:
			do = l.Do
		case oursShort:
			l.SetMaxWait(codelInterval)
			do = l.Do
		}
		all := l.open(do, arrivals{rate: rate * capacity, lasts: time.Duration(seconds) * time.Second,
			within: func() time.Duration { return within(l) },
			make: func() *Task {
				k := task(hash)
				k.Principal = l.rng.Uint64N(1000)
				return k
			}})
		var good, bad []time.Duration
		for _, v := range all {
			if v.good() {
				good = append(good, v.took)
			} else {
				bad = append(bad, v.took)
			}
		}
		quantile := func(d []time.Duration, q float64) time.Duration {
			slices.Sort(d)
			if len(d) == 0 {
				return 0
			}
			return d[int(q*float64(len(d)-1))].Round(ms)
		}
		begun := l.begun()
		mean := math.Exp(sigma * sigma / 2)
		o = outcome{disciplines[how], float64(len(good)) / (float64(seconds) * capacity / mean),
			quantile(good, 0.5), quantile(good, 0.99), quantile(bad, 0.99), 1 - float64(len(good))/float64(begun)}
	})
	return o
}

func oneSecond(*lab) time.Duration { return time.Second }

func mixed(l *lab) time.Duration { return 100*ms + time.Duration(l.rng.Int64N(int64(900*ms))) }

// The experiment that decides which discipline the scheduler has: at three times
// the capacity, what is done in time, how soon the others know, and what is done for
// nobody.
func TestDisciplines(t *testing.T) {
	for _, deadlines := range []struct {
		name   string
		within func(*lab) time.Duration
	}{{"1 s", oneSecond}, {"0.1 to 1 s", mixed}} {
		t.Logf("%-32s %8s %8s %8s %12s %6s   deadlines %s",
			"", "goodput", "p50", "p99", "refusal p99", "waste", deadlines.name)
		all := map[discipline]outcome{}
		for how := range disciplines {
			o := tried(t, discipline(how), 3, 0.2, deadlines.within)
			all[discipline(how)] = o
			t.Logf("%-32s %8.2f %8v %8v %12v %6.2f", o.name, o.goodput, o.p50, o.p99, o.refused, o.waste)
		}
		we := all[ours]
		if we.goodput < 0.95 || we.waste > 0.03 {
			t.Errorf("deadlines %s: goodput %.2f with %.2f wasted; want at least 0.95 and at most 0.03",
				deadlines.name, we.goodput, we.waste)
		}
		for how, o := range all {
			if o.goodput > we.goodput+0.01 {
				t.Errorf("deadlines %s: %s has a goodput of %.2f, more than %.2f",
					deadlines.name, disciplines[how], o.goodput, we.goodput)
			}
		}
	}
}
