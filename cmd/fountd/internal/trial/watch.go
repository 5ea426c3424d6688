// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package trial

// A trial's figures while it runs.

import (
	"context"
	"slices"
	"sync"
	"syscall"
	"time"
)

// A Frame is what a fleet did in an interval. Rates are calls or requests a second, times of calls that ended in it.
type Frame struct {
	At       float64 `json:"at_s"` // the interval's end
	Asked    float64 `json:"asked_per_s"`
	Answered float64 `json:"answered_per_s"`
	Refused  float64 `json:"refused_per_s"`
	Expired  float64 `json:"expired_per_s"`

	AnswerP50  float64 `json:"answer_p50_ms"` // 0: there were none
	AnswerP99  float64 `json:"answer_p99_ms"`
	RefusalP50 float64 `json:"refusal_p50_ms"`
	RefusalP99 float64 `json:"refusal_p99_ms"`

	Broker      State         `json:"broker"`
	BrokerCores float64       `json:"broker_cores"`
	ClientCores float64       `json:"client_cores"` // this process, with its clients
	Workers     []WorkerFrame `json:"workers"`
}

// A WorkerFrame is a worker's part of a Frame. Its rates are 0 where it gave no answer about itself.
type WorkerFrame struct {
	Name     string  `json:"name"`
	State    State   `json:"state"`
	Quota    float64 `json:"quota_cores"`
	Used     float64 `json:"used_cores"`
	Asked    float64 `json:"asked_per_s"` // requests, also second ones
	Answered float64 `json:"answered_per_s"`
	Refused  float64 `json:"refused_per_s"`
	InFlight uint64  `json:"in_flight"`
}

// A Watch makes frames. One goroutine uses it.
type Watch struct {
	fleet  *Fleet
	ledger *Ledger

	at        time.Duration
	submitted int
	ended     int
	broker    time.Duration
	client    time.Duration
	reports   []Report
}

// Watch begins to watch the fleet's calls in a ledger.
func (f *Fleet) Watch(l *Ledger) *Watch {
	w := &Watch{fleet: f, ledger: l, at: l.Now(), client: ownTime(), reports: make([]Report, len(f.Workers))}
	_, w.broker = f.Broker()
	for i, r := range f.reports(context.Background()) {
		if r != nil {
			w.reports[i] = *r
		}
	}
	return w
}

// askTime is how long a worker may take to say how it is: one that stands still says nothing.
const askTime = 500 * time.Millisecond

// reports asks all workers at once; nil for one that gives no answer.
func (f *Fleet) reports(ctx context.Context) []*Report {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	all := make([]*Report, len(f.Workers))
	var asked sync.WaitGroup
	for i, w := range f.Workers {
		asked.Go(func() {
			if r, err := w.Report(ctx); err == nil {
				all[i] = &r
			}
		})
	}
	asked.Wait()
	return all
}

// Next is what happened since the last one.
func (w *Watch) Next(ctx context.Context) Frame {
	reports := w.fleet.reports(ctx)
	now := w.ledger.Now()
	span := (now - w.at).Seconds()
	w.at = now
	rate := func(n uint64) float64 { return float64(n) / span }

	submitted := w.ledger.Counts().Submitted
	f := Frame{At: now.Seconds(), Asked: float64(submitted-w.submitted) / span}
	w.submitted = submitted
	w.calls(&f, span)
	state, used := w.fleet.Broker()
	own := ownTime()
	f.Broker, f.BrokerCores, f.ClientCores = state, max(0, (used-w.broker).Seconds()/span), (own-w.client).Seconds()/span
	w.broker, w.client = used, own
	for i, x := range w.fleet.Workers {
		part := WorkerFrame{Name: x.Name, State: x.State(), Quota: x.Cores}
		if r := reports[i]; r != nil {
			d := r.since(w.reports[i])
			part.Used, part.Asked, part.Answered = d.Time.Seconds()/span, rate(d.Received()), rate(d.Answered)
			part.Refused = rate(d.Overloaded + d.Busy + d.Late)
			part.InFlight = r.InFlight
			w.reports[i] = *r
		}
		f.Workers = append(f.Workers, part)
	}
	return f
}

// calls adds what the callers got.
func (w *Watch) calls(f *Frame, span float64) {
	var answered, refused []time.Duration
	calls := w.ledger.Ended(w.ended)
	w.ended += len(calls)
	for _, c := range calls {
		switch c.Outcome {
		case Answered:
			answered = append(answered, c.Took)
		case Refused:
			refused = append(refused, c.Took)
		case Expired, Late:
			f.Expired += 1 / span
		}
	}
	slices.Sort(answered)
	slices.Sort(refused)
	f.Answered, f.Refused = float64(len(answered))/span, float64(len(refused))/span
	f.AnswerP50, f.AnswerP99 = ms(Quantile(answered, 0.5)), ms(Quantile(answered, 0.99))
	f.RefusalP50, f.RefusalP99 = ms(Quantile(refused, 0.5)), ms(Quantile(refused, 0.99))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// ownTime is the processor time that this process has used.
func ownTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
