// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of throughput where goroutines without a bound share the cores: what is under way when the
// clock stops is work done.

package logins

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// shared is a mechanism of cores that all callers share in slices, in turn: as Go's scheduler runs
// goroutines that never wait.
type shared struct {
	service, slice time.Duration
	ready          chan *turns
	end            context.CancelFunc
}

// turns is what one compare has left to do.
type turns struct {
	left time.Duration
	done chan struct{}
}

func newShared(ctx context.Context, cores int, service time.Duration) *shared {
	ctx, end := context.WithCancel(ctx)
	s := &shared{service, 10 * time.Millisecond, make(chan *turns, 10_000), end}
	for range cores {
		go s.core(ctx)
	}
	return s
}

func (s *shared) core(ctx context.Context) {
	for {
		select {
		case t := <-s.ready:
			slice := min(s.slice, t.left)
			time.Sleep(slice)
			if t.left -= slice; t.left == 0 {
				close(t.done)
			} else {
				s.ready <- t
			}
		case <-ctx.Done():
			return
		}
	}
}

func (s *shared) Compare(context.Context, string) error {
	t := &turns{s.service, make(chan struct{})}
	s.ready <- t
	<-t.done
	return nil
}

// Two cores that need 70 ms for a compare do 28.6 a second, however many callers and however short
// the run. Who counts those in time, the control, has none of 1,000 callers in 5 s.
func TestThroughputOfSharedCores(t *testing.T) {
	const cores, service = 2, 70 * time.Millisecond
	capacity := cores / service.Seconds()
	for _, test := range []struct {
		callers  int
		duration time.Duration
		most     float64 // part of the capacity that the control finds
	}{
		{64, 2 * time.Second, 0.3},
		{90, 5 * time.Second, 0.7},
		{1000, 5 * time.Second, 0},
		{1000, 60 * time.Second, 0.6},
		{2, 5 * time.Second, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newShared(t.Context(), cores, service)
			defer m.end()
			r, err := fake(t.Context(), Config{Callers: test.callers, Deadline: time.Second, Duration: test.duration}, m)
			if off := math.Abs(r.Hashes/capacity - 1); err != nil || off > 0.01 {
				t.Errorf("%d callers, %v: %.2f a second, %v; want %.2f", test.callers, test.duration, r.Hashes, err, capacity)
			}
			if control := float64(r.EndedByD) / test.duration.Seconds(); control > test.most*capacity {
				t.Errorf("%d callers, %v: %.2f a second ended, want at most %.2f: the test shows nothing",
					test.callers, test.duration, control, test.most*capacity)
			}
		})
	}
}
