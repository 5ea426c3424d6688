// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package live

// The load: an open loop, in which clients come whether or not those before them were answered.

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// every is the time of a sample.
const every = 500 * time.Millisecond

// learning is how long the pool is asked as fast as it answers.
const learning = 2 * time.Second

// capacity returns how many sign-ins a second the service answers when some clients for each processor ask one after the other.
func capacity(ctx context.Context, s *service) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, learning)
	defer cancel()
	var clients sync.WaitGroup
	var answered atomic.Int64
	for i := range 8 * processors() {
		clients.Go(func() {
			for ctx.Err() == nil {
				if s.login(ctx, i) == http.StatusOK {
					answered.Add(1)
				} else {
					pause(ctx, every/10)
				}
			}
		})
	}
	clients.Wait()
	if answered.Load() == 0 {
		return 0, errors.New("live: nobody could sign in")
	}
	return float64(answered.Load()) / learning.Seconds(), nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// run sends load, and shows what comes of it, until ctx is done or a service has ended.
func (s *show) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	for _, one := range s.services {
		all.Go(func() { one.ordinary(ctx) })
	}
	all.Go(func() { s.watchTime(ctx) })
	due := time.Now()
	next := time.NewTimer(0)
	for user := 0; ; user++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.services[0].ended:
			return s.services[0].err
		case <-s.services[1].ended:
			return s.services[1].err
		case <-next.C:
		}
		for _, one := range s.services {
			all.Go(func() { one.visit(ctx, user) })
		}
		s.came.Add(1)
		if now := time.Now(); now.Sub(due) > patience { // this machine slept: nobody came meanwhile
			due = now
		}
		due = due.Add(time.Duration(rand.ExpFloat64() / s.rate(due) * float64(time.Second)))
		next.Reset(time.Until(due))
	}
}

// watchTime makes the samples.
func (s *show) watchTime(ctx context.Context) {
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	last := time.Now()
	for _, one := range s.services {
		one.used, _ = one.cpu()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		now := time.Now()
		d := now.Sub(last)
		x := sample{Time: float64(now.UnixMilli()) / 1000, Demand: float64(s.came.Swap(0)) / d.Seconds()}
		for i, one := range s.services {
			x.Services[i] = one.tally.take(now, d)
			if used, known := one.cpu(); known {
				x.Services[i].CPU = new((used - one.used).Seconds() / d.Seconds())
				one.used = used
			}
		}
		last = now
		s.tell(x)
	}
}

// visit is a client who signs in, and leaves if that takes too long.
func (s *service) visit(ctx context.Context, user int) {
	begin := time.Now()
	status := s.login(ctx, user)
	s.tally.login(status, time.Since(begin))
}

// ordinary does what a user does who is signed in, ten times a second.
func (s *service) ordinary(ctx context.Context) {
	ticks := time.NewTicker(every / 5)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			s.tally.begin(time.Now())
			if s.me(ctx) {
				s.tally.end(time.Now())
			}
		}
	}
}
