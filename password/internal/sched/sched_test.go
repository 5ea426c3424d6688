// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A queue that is one second long keeps the goodput at three times the capacity,
// and nearly all that it lets in are answered in time, though no two hashes take
// equally long. Without admission nothing useful is done: every task waits its
// second in vain.
func TestGoodputUnderOverload(t *testing.T) {
	const capacity = 40 // 2 workers, 50 ms
	seconds := simulated(60)
	load := func(l *lab) arrivals {
		return arrivals{rate: 3 * capacity, lasts: time.Duration(seconds) * time.Second, make: func() *Task {
			k := task(hash)
			k.Principal = uint64(l.rng.IntN(1000)) // no one is over his share
			return k
		}}
	}
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{})
		l.noise = l.lognormal(0.2)
		all := l.open(l.Do, load(l))
		good, admitted := count(all, verdict.good), count(all, verdict.admitted)
		mean := math.Exp(0.2 * 0.2 / 2)
		if share := float64(good) / (float64(seconds) * capacity / mean); share < 0.9 {
			t.Errorf("goodput is %.2f of capacity; want at least 0.9", share)
		}
		if share := float64(good) / float64(admitted); share < 0.99 {
			t.Errorf("%.3f of the admitted were answered in time; want at least 0.99", share)
		}
		t.Logf("good %d, admitted %d of %d", good, admitted, len(all))
	})
}

// The same with lanes, where the drain rate is not that of single hashes.
func TestGoodputWithLanes(t *testing.T) {
	seconds := simulated(20)
	capacity := 2 * 5 / (0.050 * measured[5]) // 139 a second
	for name, deadline := range map[string]func(r *rand.Rand) time.Duration{
		"1 s":          func(*rand.Rand) time.Duration { return time.Second },
		"0.2 to 1 s":   func(r *rand.Rand) time.Duration { return 200*ms + time.Duration(r.Int64N(int64(800*ms))) },
		"60 ms to 1 s": func(r *rand.Rand) time.Duration { return 60*ms + time.Duration(r.Int64N(int64(940*ms))) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				l := newLab(t, Config{Lanes: 5, Relative: lanesTime})
				l.noise = l.lognormal(0.1)
				all := l.open(l.Do, arrivals{rate: 3 * capacity, lasts: time.Duration(seconds) * time.Second,
					within: func() time.Duration { return deadline(l.rng) },
					make: func() *Task {
						k := task(hash)
						k.Principal = uint64(l.rng.IntN(1000))
						return k
					}})
				good, admitted := count(all, verdict.good), count(all, verdict.admitted)
				t.Logf("good %.3f of capacity, %.4f of admitted, widths %v", float64(good)/(float64(seconds)*capacity),
					float64(good)/float64(admitted), l.Stats().Widths)
				if share := float64(good) / (float64(seconds) * capacity); share < 0.9 {
					t.Errorf("goodput is %.2f of capacity; want at least 0.9", share)
				}
				if share := float64(good) / float64(admitted); share < 0.99 {
					t.Errorf("%.4f of the admitted were answered in time; want at least 0.99", share)
				}
			})
		})
	}
}

// With times that are known exactly and no margin, no admitted task of the highest
// class in use is late, whatever comes, where no principal is heavier than others: deadlines in any order, kinds of different
// length, tasks that hold memory or several workers, lanes.
func TestAdmittedKeepTheirDeadlines(t *testing.T) {
	for seed := range uint64(simulated(40)) {
		bubble(t, func(t *testing.T) { property(t, seed) })
	}
}

func property(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	c := Config{Workers: 1 + rng.IntN(5), Memory: 3 << 20}
	lanes := rng.IntN(2) == 0
	if lanes {
		c.Lanes, c.Relative = 5, lanesTime
	}
	l := newLab(t, c)
	l.margin = 0
	kinds := []Kind{hash}
	switch mix := rng.IntN(3); {
	case mix == 1:
		kinds = append(kinds, half)
	case mix == 2:
		kinds = append(kinds, half, big, pair)
	}
	capacity := float64(c.Workers) / 0.05
	principal := uint64(0)
	all := l.open(l.Do, arrivals{rate: (0.5 + 8*rng.Float64()) * capacity, lasts: 5 * time.Second,
		within: func() time.Duration { return 20*ms + time.Duration(rng.Int64N(int64(1500*ms))) },
		make: func() *Task {
			k := task(kinds[rng.IntN(len(kinds))])
			principal++
			k.Principal = principal
			return k
		}})
	for _, v := range all {
		if v.admitted() && !v.good() && !v.task.probe {
			t.Errorf("seed %d: %v workers, lanes %v, %d kinds: admitted with %v, ended after %v: %v",
				seed, c.Workers, lanes, len(kinds), v.within, v.took, v.err)
		}
	}
}

// Of those that wait the earliest due goes first, of equals the first come, and
// before all of them a higher class.
func TestOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, MaxWait: time.Minute})
		var wg sync.WaitGroup
		send := func(name string, class int, within time.Duration) {
			k := task(hash)
			k.Class, k.Payload, k.Principal = class, name, uint64(len(name))
			wg.Go(func() {
				if err := l.within(k, within); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
			synctest.Wait()
		}
		l.favor = math.Inf(1)
		send("running", 1, 0)
		send("last class", 2, 2*time.Second)
		send("10 s", 1, 10*time.Second)
		send("5 s", 1, 5*time.Second)
		send("10 s again", 1, 10*time.Second)
		send("3 s", 1, 3*time.Second)
		send("first class", 0, 20*time.Second)
		wg.Wait()
		want := []any{"running", "first class", "3 s", "5 s", "10 s", "10 s again", "last class"}
		if !slices.Equal(l.order, want) {
			t.Errorf("order %v; want %v", l.order, want)
		}
	})
}

// A newcomer that could be in time itself is refused when it would make an
// admitted one late.
func TestNewcomerMakesNoneLate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		l.margin = 0
		var wg sync.WaitGroup
		wg.Go(func() { l.within(task(hash), 0) })
		synctest.Wait()
		wg.Go(func() {
			if err := l.within(task(hash), 101*ms); err != nil { // just in time, after the first
				t.Errorf("the admitted: %v", err)
			}
		})
		synctest.Wait()
		k := task(half)
		k.Principal = 2
		r, ok := errors.AsType[*Refusal](l.within(k, 80*ms)) // could go between
		if !ok || r.Reason != Deadline {
			t.Errorf("who would make another late got %v; want a refusal for the deadline", r)
		}
		wg.Wait()
	})
}

// What can't be in time is refused at once, and told when to come back.
func TestRefusalIsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		if r, ok := errors.AsType[*Refusal](l.within(task(hash), 49*ms)); !ok || r.Reason != Deadline {
			t.Errorf("50 ms of work in 49: %v; want a refusal, though nothing runs", r)
		}
		if l.Stats().Overload != 0 {
			t.Error("a deadline too short for anyone counts as an overload")
		}
		if err := l.within(task(hash), 51*ms); err != nil {
			t.Errorf("50 ms of work in 51, alone: %v", err)
		}
		var wg sync.WaitGroup
		for i := range uint64(40) {
			k := task(hash)
			k.Principal = i
			wg.Go(func() { l.Do(t.Context(), k) })
			synctest.Wait()
		}
		began := time.Now()
		r, ok := errors.AsType[*Refusal](l.Do(t.Context(), task(hash)))
		if !ok || r.Reason != Deadline || time.Since(began) != 0 {
			t.Errorf("beyond MaxWait: %v after %v; want a refusal at once", r, time.Since(began))
		}
		if r.RetryAfter < 500*ms || r.RetryAfter > 3*time.Second {
			t.Errorf("retry after %v; want about half of what waits", r.RetryAfter)
		}
		s := l.Stats()
		if n := s.Classes[1].Queued; n < 15 || n > 19 {
			t.Errorf("%d of 50 ms each wait for one worker, with 1 s and a margin of an eighth; want 15 to 19", n)
		}
		if s.Overload == 0 {
			t.Error("a refusal for want of time is no overload")
		}
		wg.Wait()
	})
}

// Who is refused may come back when the time that was missing has passed, and is told a
// time that is spread over that in which the queue is worked off.
func TestRetryAfter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var spread time.Duration
		l := newLab(t, Config{Workers: 1, MaxWait: 10 * time.Second, Jitter: func(n time.Duration) time.Duration {
			spread = n
			return 0
		}})
		for i := range uint64(100) { // one after the other, 5 s
			first := principal(task(hash), i)
			first.Class = 0
			if r := l.asks(first, 0); r != nil {
				t.Errorf("with ten seconds for it: %v", r)
			}
		}
		r := l.asks(principal(task(hash), 100), 2*time.Second)
		if r == nil || r.Reason != Deadline || spread != 5*time.Second {
			t.Errorf("5 s of work before it, and 2 s: %v, spread over %v; want a refusal spread over 5 s", r, spread)
			return
		}
		time.Sleep(r.RetryAfter)
		if again := l.asks(principal(task(hash), 100), 2*time.Second); again != nil {
			t.Errorf("after %v: %v; want it let in", r.RetryAfter, again)
		}
	})
}

// A MaxWait bounds the wait also where the context gives more time, and not the
// work.
func TestMaxWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, MaxWait: 30 * ms})
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := l.within(task(hash), time.Minute); err != nil {
				t.Errorf("work longer than MaxWait: %v; want it done", err)
			}
		})
		synctest.Wait()
		if err := l.within(task(hash), time.Minute); err == nil {
			t.Error("a wait of 50 ms was let in; MaxWait is 30 ms")
		}
		l.SetMaxWait(100 * ms)
		if err := l.within(task(hash), time.Minute); err != nil {
			t.Errorf("a wait of 50 ms with a MaxWait of 100 ms: %v", err)
		}
		wg.Wait()
	})
}

// What turns out to be late while it waits is dropped when it could not begin
// any more, not when its caller has given up.
func TestLateIsDropped(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, MaxWait: 100 * ms})
		slow := 10.0
		l.noise = func() float64 { return slow }
		var wg sync.WaitGroup
		wg.Go(func() { l.within(task(hash), 0) }) // 500 ms instead of 50
		synctest.Wait()
		began := time.Now()
		r, ok := errors.AsType[*Refusal](l.within(task(hash), 90*time.Second))
		if !ok || r.Reason != Late {
			t.Errorf("got %v; want it to be dropped", r)
		}
		if d := time.Since(began); d < 100*ms || d > 120*ms {
			t.Errorf("dropped after %v; want MaxWait, 100 ms", d)
		}
		if n := l.Stats().Classes[1]; n.Dropped != 1 || n.Queued != 0 {
			t.Errorf("counted as %+v", n)
		}
		if l.Stats().Overload == 0 {
			t.Error("one that is dropped for want of time is no overload")
		}
		wg.Wait()
	})
}

func TestCanceledCallers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		ctx, cancel := context.WithCancel(t.Context())
		runs, waits := task(hash), task(hash)
		var wg sync.WaitGroup
		for _, k := range []*Task{runs, waits} {
			wg.Go(func() {
				if err := l.Do(ctx, k); err != context.Canceled {
					t.Errorf("got %v; want context.Canceled", err)
				}
			})
			synctest.Wait()
		}
		cancel()
		wg.Wait()
		if !runs.Gone() || !runs.Begun() || waits.Begun() {
			t.Error("the running task is not told that its caller is gone, or the other was begun")
		}
		if n := l.Stats().Classes[1]; n.Canceled != 1 || n.Running != 1 || n.Queued != 0 {
			t.Errorf("one running and one dropped are counted as %+v", n)
		}
		time.Sleep(time.Second)
		if n := l.Stats().Classes[1]; n.Canceled != 2 || n.Running != 0 || n.Completed != 0 {
			t.Errorf("later they are counted as %+v", n)
		}
		if err := l.Do(ctx, task(hash)); err != context.Canceled {
			t.Errorf("with a context that is done: %v; want context.Canceled", err)
		}
		if len(l.order) != 1 {
			t.Errorf("%d tasks were run; want 1", len(l.order))
		}
	})
}
