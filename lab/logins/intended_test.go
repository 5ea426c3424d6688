// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what counts when the generator itself is late, and of figures that are made from others.

package logins

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
)

// fixed takes a time for each compare, and keeps the deadline it was given.
type fixed struct {
	service  time.Duration
	deadline time.Time
}

func (f *fixed) Compare(ctx context.Context, _ string) (Spans, error) {
	f.deadline, _ = ctx.Deadline()
	time.Sleep(f.service)
	return Spans{Service: f.service}, nil
}

func (*fixed) Close() error { return nil }

// A request that the generator could start only 1.5 s after it was due has waited 1.5 s: its latency and its
// deadline count from when it was due, and an answer that was quick from the call is late.
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
		rep := r.report()
		if rep.Late != 1 || rep.Good != 0 {
			t.Errorf("%+v, want one late", rep.Counts)
		}
		if ms := *rep.Latency.Max; ms < 1599 || ms > 1602 {
			t.Errorf("latency %v ms, want 1600", ms)
		}
	})
}

// The percentiles are of what came after the cut.
func TestSummaryOf(t *testing.T) {
	histogram := func(micro, second, eight uint64) password.Histogram {
		h := password.Histogram{Count: micro + second + eight, Counts: make([]uint64, password.HistogramBuckets)}
		h.Counts[0], h.Counts[-password.HistogramOffset], h.Counts[3*4-password.HistogramOffset] = micro, second, eight
		return h
	}
	before, now := histogram(1000, 0, 0), histogram(1000, 150, 50)
	s := summaryOf(before, now)
	if s.Count != 200 || *s.P50 != 1000 || *s.P99 != 8000 || *s.Max != 8000 || s.P999 != nil {
		t.Errorf("%d, %v, %v, %v; want 200, 1000, 8000, 8000", s.Count, *s.P50, *s.P99, *s.Max)
	}
	if s := summaryOf(now, now); s != nil {
		t.Errorf("nothing has percentiles: %+v", s)
	}
}
