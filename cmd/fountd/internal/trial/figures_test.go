// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package trial_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"fount/cmd/fountd/internal/trial"
	"fount/remote"
)

// The figures of docs/results/fleet.md. It says what they are.

// appendFigures adds lines in Go's benchmark format to the file that FOUNT_FIGURES names.
func appendFigures(t *testing.T, format string, a ...any) {
	t.Helper()
	f, err := os.OpenFile(os.Getenv("FOUNT_FIGURES"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, format+"\n", a...); err != nil {
		t.Fatal(err)
	}
}

func wantFigures(t *testing.T) {
	t.Helper()
	if os.Getenv("FOUNT_FIGURES") == "" {
		t.Skip("FOUNT_FIGURES names no file to write")
	}
}

// How long a load runs before it is judged, and for how long.
const (
	warm   = 2 * time.Second
	judged = 8 * time.Second
)

// A measured is what a load came to.
type measured struct {
	trial.Counts
	perSecond          float64 // answered in time
	inTime             float64
	answers, refusals  []time.Duration
	unadmitted         []time.Duration // refusals, without the longest, as many as workers dropped
	requests           float64         // a call
	broker, client     float64         // cores
	workers, throttled []float64       // cores; seconds a second
}

// measure has clients make a load, and judges it after a while.
func measure(t *testing.T, f *trial.Fleet, c *trial.Clients, rate float64) (m measured) {
	t.Helper()
	r := begin(t, c, trial.Load{Rate: rate, Deadline: time.Second, Policy: policy})
	time.Sleep(warm)
	watch, before, stats := f.Watch(r.ledger), sum(t, f), c.Stats()
	var throttled []time.Duration
	for _, w := range f.Workers {
		throttled = append(throttled, w.Total().Throttled)
	}
	from := r.ledger.Now()
	time.Sleep(judged)
	until := r.ledger.Now()
	frame, after := watch.Next(t.Context()), sum(t, f)
	span := (until - from).Seconds()
	m.requests = float64(c.Stats().Attempts-stats.Attempts) / float64(c.Stats().Submitted-stats.Submitted)
	m.broker, m.client = frame.BrokerCores, frame.ClientCores
	for i, w := range frame.Workers {
		m.workers = append(m.workers, w.Used)
		m.throttled = append(m.throttled, (f.Workers[i].Total().Throttled-throttled[i]).Seconds()/span)
	}
	if _, err := r.end(); err != nil {
		t.Log(err) // deadlines of 1 s
	}
	m.Counts, m.answers, m.refusals = r.ledger.Between(from, until)
	dropped := int(after.Dropped - before.Dropped)
	m.perSecond = float64(m.Answered) / span
	m.inTime = float64(m.Answered) / float64(m.Answered+m.Late+m.Expired+dropped)
	m.unadmitted = m.refusals[:max(0, len(m.refusals)-dropped)]
	return m
}

func (m measured) String() string {
	text := fmt.Sprintf("%d calls %.1f answered/s %.4f in-time %.1f answer-p50-ms %.1f answer-p99-ms %.2f refusal-p50-ms %.2f refusal-p99-ms %.2f unadmitted-p99-ms %.2f requests/call %.4f expired %.3f broker-cores %.3f client-cores",
		m.Submitted, m.perSecond, m.inTime, inMS(m.answers, 0.5), inMS(m.answers, 0.99), inMS(m.refusals, 0.5), inMS(m.refusals, 0.99), inMS(m.unadmitted, 0.99),
		m.requests, float64(m.Expired+m.Late)/float64(m.Submitted), m.broker, m.client)
	for i := range m.workers {
		text += fmt.Sprintf(" %.3f worker%d-cores %.3f worker%d-throttled", m.workers[i], i+1, m.throttled[i], i+1)
	}
	return text
}

func inMS(d []time.Duration, q float64) float64 {
	return float64(trial.Quantile(d, q)) / float64(time.Millisecond)
}

// TestFigures measures what each worker does alone, and then the fleet at its capacity and at three times that, with two ways to find a worker.
func TestFigures(t *testing.T) {
	wantFigures(t)
	perCore, err := trial.PerCore(t.Context(), policy)
	if err != nil {
		t.Fatal(err)
	}
	capacity := 0.0
	for i, cores := range unequal {
		f := open(t, trial.Options{Cores: []float64{cores}})
		c := connect(t, f, remote.NATSOptions{})
		m := measure(t, f, c, 3*perCore*cores)
		c.Close()
		f.Close()
		capacity += m.perSecond
		appendFigures(t, "BenchmarkFleetProcesses/scenario=alone-%d/cores=%v 1 %v", i+1, cores, m)
	}
	for _, way := range []struct {
		name string
		remote.Route
	}{{"news", remote.ByNews}, {"queue", remote.QueueGroup}} {
		f := open(t, trial.Options{Cores: unequal})
		c := connect(t, f, remote.NATSOptions{Route: way.Route})
		for _, load := range []float64{1, 3} {
			m := measure(t, f, c, load*capacity)
			appendFigures(t, "BenchmarkFleetProcesses/scenario=load-%v/route=%s 1 %.3f goodput %v", load, way.name, m.perSecond/min(capacity, load*capacity), m)
		}
		c.Close()
		f.Close()
	}
}

// TestFigureFaults measures for how long faults are felt, at 0.7 of what the fleet can do.
func TestFigureFaults(t *testing.T) {
	wantFigures(t)
	perCore, err := trial.PerCore(t.Context(), policy)
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, trial.Options{Cores: unequal, Network: true})
	c := connect(t, f, remote.NATSOptions{})
	const share = 0.94 // of its quota, that a worker hashes with
	capacity := perCore * share * f.Cores()
	for _, x := range faults {
		left := capacity - perCore*share*unequal[x.worker]
		if x.whole {
			left = capacity
		}
		r := begin(t, c, trial.Load{Rate: 0.7 * capacity, Deadline: time.Second, Policy: policy})
		time.Sleep(warm)
		began := r.ledger.Now()
		if err := x.begin(f); err != nil {
			t.Fatal(err)
		}
		lasts := 3 * time.Second
		if x.whole {
			lasts = 500 * time.Millisecond
		}
		time.Sleep(lasts)
		ended := r.ledger.Now()
		if err := x.end(f); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if _, err := r.end(); err != nil {
			t.Log(x.name, err)
		}
		felt, _ := r.ledger.Back(began, left)
		whole, _ := r.ledger.Back(ended, capacity)
		n := r.ledger.Counts()
		appendFigures(t, "BenchmarkFleetFault/fault=%s 1 %d calls %d answered %d refused %d expired %d canceled %.2f back-with-it-s %.2f back-after-it-s",
			x.name, n.Submitted, n.Answered, n.Refused, n.Expired+n.Late, n.Canceled, felt.Seconds(), whole.Seconds())
	}
}
