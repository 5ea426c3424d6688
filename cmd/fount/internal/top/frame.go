// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

// What happened between two samples.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"fount/password"
)

// A Frame is what a process did in an interval. Rates are per second of that interval, quantiles those of the calls that ended
// in it. A pointer is nil, null in JSON, for what is not known: a rate before a second sample, a quantile without calls.
type Frame struct {
	Time     time.Time `json:"time"`             // of the answer, or of the failure
	Address  string    `json:"address"`          //
	Source   string    `json:"source"`           // "expvar" or "prometheus"
	Interval float64   `json:"interval_seconds"` // over which rates are; 0: unknown

	Restarted bool   `json:"restarted"` // counters began anew in the interval
	Error     string `json:"error"`     // why there are no figures; "" if there are

	Random  Random  `json:"random"`
	Process Process `json:"process"`
	Pools   []Pool  `json:"pools"` // by name
}

// Random is how random values are made.
type Random struct {
	Mode    string   `json:"mode"`
	Window  float64  `json:"window_bytes"`
	Reseeds float64  `json:"reseeds"` // counter
	Rate    *float64 `json:"reseeds_per_second"`
	Redone  float64  `json:"redone"` // counter
	CutOff  []string `json:"sources_cut_off"`
}

// Process is about all of the process. Lateness is how long goroutines were ready before they ran.
type Process struct {
	GOMAXPROCS  float64  `json:"gomaxprocs"` // 0: unknown
	Goroutines  float64  `json:"goroutines"` // 0: unknown
	LatenessP50 *float64 `json:"lateness_p50_seconds"`
	LatenessP99 *float64 `json:"lateness_p99_seconds"`
}

// Calls are rates of calls, and how long the answered ones took.
type Calls struct {
	Demand    *float64 `json:"demand_per_second"`
	Goodput   *float64 `json:"goodput_per_second"`
	Queued    float64  `json:"queued"`
	Running   float64  `json:"running"`
	InFlight  float64  `json:"in_flight"`
	WaitP50   *float64 `json:"wait_p50_seconds"`
	WaitP99   *float64 `json:"wait_p99_seconds"`
	AnswerP50 *float64 `json:"answer_p50_seconds"`
	AnswerP99 *float64 `json:"answer_p99_seconds"`
}

// A Pool is a password pool.
type Pool struct {
	Name string `json:"name"`
	Calls
	Refused  Reasons  `json:"refused_per_second"`
	Dropped  Reasons  `json:"dropped_per_second"`
	Expired  *float64 `json:"expired_per_second"`
	Canceled *float64 `json:"canceled_per_second"`
	Invalid  *float64 `json:"invalid_per_second"`

	Workers     float64 `json:"workers"`
	Busy        float64 `json:"workers_busy"`
	Memory      float64 `json:"memory_bytes"`
	MemoryInUse float64 `json:"memory_in_use_bytes"`
	MaxWait     float64 `json:"max_wait_seconds"`
	Backlog     float64 `json:"backlog_seconds"`

	Overloaded bool     `json:"overloaded"`
	Overload   *float64 `json:"overload_seconds"` // since it began
	Overloads  float64  `json:"overloads"`        // counter
	Throttled  *float64 `json:"cpu_throttled"`    // seconds a second
	Steal      *float64 `json:"cpu_steal"`        // seconds a second
	Pressure   *float64 `json:"cpu_pressure"`     // seconds a second

	Classes map[string]Calls `json:"classes"`
}

// Reasons are rates by reason, nil before a second sample.
type Reasons map[string]float64

// sum is the rate of all.
func (r Reasons) sum() *float64 {
	if r == nil {
		return nil
	}
	sum := 0.0
	for _, rate := range r {
		sum += rate
	}
	return &sum
}

// A Watch makes frames of what a source says. It is used by one goroutine at a time.
type Watch struct {
	source *Source
	last   *sample
}

// NewWatch reads a first sample. Its frame has no rates.
func NewWatch(ctx context.Context, source *Source) (*Watch, Frame, error) {
	w := &Watch{source: source}
	s, err := source.read(ctx)
	if err != nil {
		return nil, Frame{}, err
	}
	w.last = s
	return w, w.frame(between(nil, s)), nil
}

// Next reads a sample. A failure is a frame too: the process may come back.
func (w *Watch) Next(ctx context.Context) Frame {
	s, err := w.source.read(ctx)
	if err != nil {
		return w.frame(Frame{Time: time.Now(), Error: err.Error(), Random: Random{CutOff: []string{}}, Pools: []Pool{}})
	}
	f := between(w.last, s)
	w.last = s
	return w.frame(f)
}

// Each calls f with a frame every interval, count times, or until f fails if count is 0. It returns the last frame.
func (w *Watch) Each(ctx context.Context, interval time.Duration, count int, f func(Frame) error) (last Frame, err error) {
	due := time.Now()
	for i := 0; (i < count || count == 0) && err == nil; i++ {
		due = after(due, interval)
		time.Sleep(time.Until(due))
		last = w.Next(ctx)
		err = f(last)
	}
	return last, err
}

// after is the first of the moments due, due + interval and so on that has not come yet: a slow answer leaves some out.
func after(due time.Time, interval time.Duration) time.Time {
	missed := max(0, time.Since(due)/interval)
	return due.Add((missed + 1) * interval)
}

// Signaled is the error of a view that a signal ended.
type Signaled int

func (s Signaled) Error() string { return fmt.Sprintf("ended by signal %d", int(s)) }

func (w *Watch) frame(f Frame) Frame {
	f.Address, f.Source = w.source.Address(), w.source.kind()
	return f
}

// between is what happened from one sample to the next; was is nil for the first.
func between(was, is *sample) Frame {
	f := Frame{
		Time:    is.at,
		Random:  Random{Mode: is.mode, Window: is.window, Reseeds: is.reseeds, Redone: is.redone, CutOff: append([]string{}, is.cutOff...)},
		Process: Process{GOMAXPROCS: is.procs, Goroutines: is.goroutine},
		Pools:   make([]Pool, 0, len(is.pools)),
	}
	if was != nil {
		f.Interval = elapsed(was, is)
		f.Restarted = restarted(was, is)
	}
	if f.Interval > 0 {
		before := was
		if f.Restarted {
			before = &sample{}
		}
		f.Random.Rate = rate(is.reseeds-before.reseeds, f.Interval)
		late := is.lateness.minus(before.lateness)
		f.Process.LatenessP50, f.Process.LatenessP99 = late.quantile(0.5), late.quantile(0.99)
	}
	for _, p := range is.pools {
		f.Pools = append(f.Pools, f.pool(was, &p))
	}
	return f
}

// pool is what happened in a pool. One that was made anew, or is seen for the first time after another sample, began with 0.
func (f *Frame) pool(was *sample, p *pool) Pool {
	before := &pool{}
	if i := slices.IndexFunc(was.of(), func(o pool) bool { return o.name == p.name }); i >= 0 && !f.Restarted {
		if before = &was.pools[i]; p.anew(before) {
			before = &pool{}
			f.Restarted = true
		}
	}
	whole, wholeBefore := p.whole(), before.whole()
	o := Pool{
		Name: p.name, Calls: f.calls(whole, wholeBefore),
		Workers: p.workers, Busy: p.busy, Memory: p.memory, MemoryInUse: p.memoryInUse, MaxWait: p.maxWait, Backlog: p.backlog,
		Overloaded: p.overloaded, Overload: p.overload, Overloads: p.overloads,
		Throttled: f.share(p.throttled, before.throttled), Steal: f.share(p.steal, before.steal), Pressure: f.share(p.pressure, before.pressure),
		Classes: make(map[string]Calls),
	}
	for name, c := range p.classes {
		o.Classes[name] = f.calls(c, before.of(name))
	}
	if f.Interval > 0 {
		ended := func(outcome password.Outcome) Reasons {
			r := make(Reasons)
			for e, n := range whole.ended {
				if e.outcome == outcome.String() {
					r[e.reason] = *rate(n-wholeBefore.ended[e], f.Interval)
				}
			}
			return r
		}
		o.Refused, o.Dropped = ended(password.OutcomeRefused), ended(password.OutcomeDropped)
		o.Expired, o.Canceled = ended(password.OutcomeExpired).sum(), ended(password.OutcomeCanceled).sum()
		o.Invalid = ended(password.OutcomeInvalid).sum()
	}
	return o
}

// of returns the pools of s, which may be nil.
func (s *sample) of() []pool {
	if s == nil {
		return nil
	}
	return s.pools
}

func (f *Frame) calls(c, was *class) Calls {
	o := Calls{Queued: c.queued, Running: c.running, InFlight: c.inFlight}
	if f.Interval == 0 {
		return o
	}
	good := 0.0
	for e, n := range c.ended {
		if answered[e.outcome] {
			good += n - was.ended[e]
		}
	}
	o.Demand, o.Goodput = rate(c.started-was.started, f.Interval), rate(good, f.Interval)
	wait, answer := c.wait.minus(was.wait), c.answer.minus(was.answer)
	o.WaitP50, o.WaitP99 = wait.quantile(0.5), wait.quantile(0.99)
	o.AnswerP50, o.AnswerP99 = answer.quantile(0.5), answer.quantile(0.99)
	return o
}

// share is the rate of a counter of seconds, nil if it is not known now or was not before.
func (f *Frame) share(is, was *float64) *float64 {
	if f.Interval == 0 || is == nil || was == nil {
		return nil
	}
	return rate(math.Max(*is-*was, 0), f.Interval)
}

func rate(n, seconds float64) *float64 {
	r := bound(n / seconds)
	return &r
}

// elapsed is the seconds between two samples, by the process's clock if that ran as ours did: its answers may have been late.
func elapsed(was, is *sample) float64 {
	ours := is.at.Sub(was.at).Seconds()
	theirs := is.clock - was.clock
	if is.clock > 0 && was.clock > 0 && ours/2 < theirs && theirs < ours*2 {
		return theirs
	}
	return ours
}

// restarted reports whether a process began anew between two samples.
func restarted(was, is *sample) bool {
	const drift = 2 // seconds: it is computed from the time of boot, which moves with the clock
	return anew(was.start, is.start, drift) || is.reseeds < was.reseeds || is.redone < was.redone || is.lateness.fell(was.lateness)
}

// anew reports whether p is another pool than was, of the same name.
func (p *pool) anew(was *pool) bool {
	if anew(was.start, p.start, 0) || p.overloads < was.overloads {
		return true
	}
	for name, c := range was.classes {
		if p.of(name).fell(c) {
			return true
		}
	}
	return false
}

// anew reports whether what started at was has started again; 0 is unknown.
func anew(was, is, drift float64) bool { return was > 0 && is > 0 && math.Abs(was-is) > drift }

// classNames are the names of the classes, the library's own first.
func (p *Pool) classNames() []string {
	own := []string{password.ClassSignIn.String(), password.ClassChangePassword.String(), password.ClassRehash.String()}
	place := func(name string) int {
		if i := slices.Index(own, name); i >= 0 {
			return i
		}
		return len(own)
	}
	var names []string
	for name := range p.Classes {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b)) })
	return names
}
