// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Callers and workers read the clock before they get the lock, so one may act on a time before the other's. No duration
// is negative for that: a sum of durations must not fall.
func TestTimesNeverFall(t *testing.T) {
	walk := func(l *lab, now time.Time) {
		l.Scheduler.mu.Lock()
		defer l.Scheduler.mu.Unlock()
		l.workers = 2
		l.walk(now)
	}
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		first, second := task(hash), task(hash)
		var wg sync.WaitGroup
		wg.Go(func() { l.Do(t.Context(), first) })
		synctest.Wait()
		wg.Go(func() { l.Do(t.Context(), second) })
		synctest.Wait()
		walk(l, time.Now().Add(-ms)) // of a worker that read the clock before second came
		wg.Wait()
		if sum := l.Stats().Timings[0].Wait.Sum; second.Waited != 0 || sum != 0 {
			t.Errorf("waited %v, in sum %v; want 0", second.Waited, sum)
		}
	})
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		first, second := task(hash), task(hash)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { l.Do(t.Context(), first) })
		synctest.Wait()
		wg.Go(func() { l.Do(ctx, second) })
		synctest.Wait()
		walk(l, time.Now().Add(ms)) // of a worker that read the clock after second's caller did
		cancel()
		wg.Wait()
		if second.Served != 0 {
			t.Errorf("served for %v; want 0", second.Served)
		}
	})
}
