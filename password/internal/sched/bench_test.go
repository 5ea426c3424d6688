// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// stuck is a scheduler whose workers never end, with so many tasks waiting.
func stuck(b *testing.B, waiting int) *Scheduler {
	stop := make(chan struct{})
	s := New(Config{
		Workers: 2, Queue: waiting + 10, MaxWait: time.Hour, Lanes: 5, Relative: lanesTime,
		Run:    func(int, []*Task) { <-stop },
		Jitter: func(n time.Duration) time.Duration { return n / 2 },
	})
	s.Seed(1, ms, 1)
	ctx, cancel := context.WithCancel(b.Context())
	for i := range waiting + 2 {
		k := task(hash)
		k.Principal = uint64(i)
		go s.Do(ctx, k)
	}
	for s.Stats().Classes[1].Queued < waiting {
		time.Sleep(ms)
	}
	b.Cleanup(func() {
		cancel()
		close(stop)
		s.Close(context.Background())
	})
	return s
}

// A refusal, by the number of tasks that wait.
func BenchmarkRefused(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := stuck(b, n)
			s.SetMaxWait(ms)
			b.ReportAllocs()
			for b.Loop() {
				s.Do(b.Context(), task(hash))
			}
		})
	}
}

// The same where the newcomer would go before all that wait.
func BenchmarkRefusedInFront(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := stuck(b, n)
			s.SetMaxWait(50 * time.Minute)
			for _, t := range s.queues[1].tasks {
				t.latest = t.submitted // no slack
			}
			s.queues[1].tasks[0].latest = time.Now().Add(time.Hour)
			b.ReportAllocs()
			for b.Loop() {
				s.Do(b.Context(), task(hash))
			}
		})
	}
}

// A task that is let in, run and answered, without its work.
func BenchmarkDo(b *testing.B) {
	s := New(Config{Workers: 2, Queue: 10, MaxWait: time.Hour,
		Run:    func(int, []*Task) {},
		Jitter: func(n time.Duration) time.Duration { return n / 2 },
	})
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Do(b.Context(), task(hash)); err != nil {
			b.Fatal(err)
		}
	}
}
