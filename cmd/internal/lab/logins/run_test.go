// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the loops in simulated time.

package logins

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// single is a mechanism in whose bubble of time one compare takes service, on one core, first come,
// first served.
type single struct {
	service time.Duration
	calls   atomic.Int64
	core    chan struct{}
}

func newSingle(service time.Duration) *single {
	return &single{service: service, core: make(chan struct{}, 1)}
}

func (s *single) Compare(ctx context.Context, _ string) error {
	s.calls.Add(1)
	s.core <- struct{}{}
	time.Sleep(s.service)
	<-s.core
	return nil
}

// fake runs c against m in a bubble, without probes.
func fake(ctx context.Context, c Config, m Mechanism) (r Report, err error) {
	run := newRun(c, m)
	run.load(ctx)
	run.rest(ctx)
	run.left.Wait()
	return run.report(0, 0), ctx.Err()
}

// conserved reports whether no request was lost or counted twice.
func conserved(c Counts) bool {
	return c.Asked == c.InTime+c.Late+c.Refused+c.GivenUp+c.Failed
}

// An open loop does not wait: requests come at the rate whatever becomes of them, and their latency
// is from the intended start.
func TestOpenLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config{Mechanism: "single", Rate: 30, Deadline: time.Second, Duration: 60 * time.Second,
			Cut: 5 * time.Second}
		m := newSingle(100 * time.Millisecond) // 10 a second
		r, err := fake(t.Context(), c, m)
		if err != nil {
			t.Fatal(err)
		}
		// Of 1,800 arrivals on average, 5 standard deviations are 212.
		if got := m.calls.Load(); got < 1800-212 || got > 1800+212 {
			t.Errorf("%d calls, want about 1,800", got)
		}
		if !conserved(r.Counts) {
			t.Errorf("%+v: some are lost", r.Counts)
		}
		// The queue has a second's work long before the cut: whoever comes then is late, and
		// whoever comes in the last two thirds has no answer when the run ends.
		if r.InTime != 0 || r.Late != r.Asked || r.InProgressAtDuration < r.Asked/2 {
			t.Errorf("%+v, want none in time, and most in progress", r.Counts)
		}
		if *r.Latency.P50 < 15000 { // at 3 times capacity half wait 20 s or more
			t.Errorf("median latency %.0f ms, want that of the queue", *r.Latency.P50)
		}
	})
}

// A semaphore lets in what it answers in time, and no less than it can do.
func TestOpenLoopSemaphore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config{Workers: 2, Rate: 60, Deadline: time.Second, Cut: time.Second, Duration: 20 * time.Second}
		m, _ := c.openSemaphore(func() error { time.Sleep(100 * time.Millisecond); return nil })
		r, err := fake(t.Context(), c, m)
		if err != nil || !conserved(r.Counts) || r.InTime != r.Asked-r.Refused || r.InTimeRate < 19 {
			t.Errorf("%+v, %v in time a second, %v; want 20 a second, and the rest refused", r.Counts, r.InTimeRate, err)
		}
		if r.Refused == 0 || r.Refusal.Count != r.Refused || r.Latency.Count != r.InTime {
			t.Errorf("%d refusals timed of %d, %d latencies of %d", r.Refusal.Count, r.Refused, r.Latency.Count, r.InTime)
		}
	})
}

// The closed loop follows all that was asked in its time, and says when the last was answered.
func TestClosedLoop(t *testing.T) {
	for d, want := range map[time.Duration]Counts{
		4*time.Second + 50*time.Millisecond: {Asked: 43, InTime: 43, EndedByDuration: 40, InProgressAtDuration: 3},
		0:                                   {Asked: 3, InTime: 3, InProgressAtDuration: 3}, // each asks once
	} {
		synctest.Test(t, func(t *testing.T) {
			c := Config{Callers: 3, Deadline: time.Second, Duration: d}
			r, err := fake(t.Context(), c, newSingle(100*time.Millisecond))
			if err != nil || r.Counts != want || math.Abs(r.LastAnswer-float64(want.Asked)/10)+math.Abs(r.Hashes-10) > 1e-6 {
				t.Errorf("%+v, last after %v s, %v/s, %v; want %+v", r.Counts, r.LastAnswer, r.Hashes, err, want)
			}
		})
	}
}

// Callers that fan in keep the channel full: when the clock stops, each has one compare that found
// no room, and channel and workers have theirs. The rate counts all of them.
func TestFanIn(t *testing.T) {
	const callers, workers, buffer = 8, 2, 4 // an even number is left
	synctest.Test(t, func(t *testing.T) {
		c := Config{Mechanism: Buffered, Callers: callers, Workers: workers, Buffer: buffer,
			Deadline: time.Second, Duration: 5*time.Second + 50*time.Millisecond}
		m := newBuffered(func() error { time.Sleep(100 * time.Millisecond); return nil }, workers, buffer)
		defer close(m.tasks)
		r, err := fake(t.Context(), c, m)
		if err != nil {
			t.Fatal(err)
		}
		left := int64(callers)
		left += workers + buffer
		if r.EndedByDuration != 100 || r.InProgressAtDuration != left || r.Asked != 100+left || r.Hashes != 20 {
			t.Errorf("%+v, %v/s; want 100 compares at 20/s, and %d in progress", r.Counts, r.Hashes, left)
		}
	})
}

// A run that is cancelled ends at once.
func TestRunCancelled(t *testing.T) {
	for _, rate := range []float64{0, 10} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			c := Config{Rate: rate, Callers: 1, Deadline: time.Second, Duration: time.Hour}
			if _, err := fake(ctx, c, newSingle(time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("rate %v: %v, want the context's error", rate, err)
			}
		})
	}
}

// Gaps of a Poisson process have mean and standard deviation 1/rate.
func TestArrivals(t *testing.T) {
	var gaps []float64
	last := time.Duration(0)
	for at := range (Config{Rate: 100, Duration: 1000 * time.Second}).arrivals() {
		if at < last {
			t.Fatalf("an arrival at %v after one at %v", at, last)
		}
		gaps = append(gaps, (at - last).Seconds())
		last = at
	}
	n, sum, squares := float64(len(gaps)), 0.0, 0.0
	for _, g := range gaps {
		sum += g
		squares += g * g
	}
	mean := sum / n
	deviation := math.Sqrt(squares/n - mean*mean)
	// The mean of 100,000 lies within 5 standard errors (1.6 %) but once in 2 million times, the
	// deviation within 5 of its own (2.2 %, as an exponential's kurtosis is 9).
	if math.Abs(mean*100-1) > 0.016 || math.Abs(deviation*100-1) > 0.025 {
		t.Errorf("mean gap %.5f s, deviation %.5f s, want 0.01", mean, deviation)
	}
}

// fixed takes a time for each compare, and keeps the deadline it was given.
type fixed struct {
	service  time.Duration
	deadline time.Time
}

func (f *fixed) Compare(ctx context.Context, _ string) error {
	f.deadline, _ = ctx.Deadline()
	time.Sleep(f.service)
	return nil
}

// A request that could start only 1.5 s after it was due has waited 1.5 s: latency and deadline
// count from when it was due, and an answer that was quick from the call is late.
func TestIntendedStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &fixed{service: 100 * time.Millisecond}
		r := newRun(Config{Rate: 1, Deadline: time.Second, Duration: 10 * time.Second}, m)
		r.start = time.Now().Add(-2 * time.Second)
		const due = 500 * time.Millisecond
		r.request(r.tally.begin(due), due, "")
		if want := r.start.Add(due + time.Second); !m.deadline.Equal(want) {
			t.Errorf("the deadline is %v after the start, want %v", m.deadline.Sub(r.start), want.Sub(r.start))
		}
		rep := r.report(0, 0)
		if rep.Late != 1 || rep.InTime != 0 {
			t.Errorf("%+v, want one late", rep.Counts)
		}
		if ms := *rep.Latency.Max; ms < 1599 || ms > 1602 {
			t.Errorf("latency %v ms, want 1600", ms)
		}
	})
}
