// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// state is all that tasks leave behind in a scheduler, to 9 digits.
func (s *Scheduler) state() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := new(strings.Builder)
	fmt.Fprintln(b, s.counts, s.seq, s.waiting, s.over.since, s.over.last, s.strain, s.held, s.threads, s.top)
	for r, q := range s.queues {
		fmt.Fprintf(b, "%d: %.9g\n", r, s.rest[r])
		for _, t := range q.tasks {
			fmt.Fprintf(b, "\t%d %d %v %v %v %.9g %.9g\n", t.seq, t.Principal, t.due, t.latest, t.state, t.work, t.charge)
		}
	}
	for _, k := range s.rates.all {
		fmt.Fprintf(b, "%v %v %.9g %v %v %.9g %v %+v %.9g\n", k.Kind, k.queued, k.units, k.running, k.last, k.ratio, k.alone, k.doubt, k.spread)
	}
	of := &s.shares
	for _, id := range slices.Sorted(maps.Keys(of.of)) {
		m := of.of[id]
		fmt.Fprintf(b, "%d: %.9g %v %v %.9g %v %v %v\n", id, m.charge, m.tasks, m.total, m.served, m.at, m.begun, m.turn)
	}
	fmt.Fprintf(b, "%v %v %v %v %v\n", of.heaviest, of.found, of.denied, of.level, of.when)
	return b.String()
}

// In all states that random loads lead to, Ask's answer is Do's, and if that is nil, nothing is left of
// the question.
func TestAsk(t *testing.T) {
	var refused, let, evictions int
	for seed := range uint64(simulated(20)) {
		bubble(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 4))
			l := newLab(t, Config{Workers: 1 + rng.IntN(3), Memory: 2 << 20, Queue: 5 + rng.IntN(40), Lanes: 5, Relative: lanesTime})
			l.noise = l.lognormal(0.3)
			kinds := []Kind{hash, half, big, pair}[:1+rng.IntN(4)]
			for _, k := range kinds {
				l.Expect(task(k))
			}
			crowd, rate := 1+rng.IntN(20), 30+200*rng.Float64()
			for range 150 {
				time.Sleep(time.Duration(rng.ExpFloat64() / rate * float64(time.Second)))
				k := task(kinds[rng.IntN(len(kinds))])
				k.Principal, k.Class = uint64(rng.IntN(crowd))*uint64(rng.IntN(2)), rng.IntN(Classes)
				if rng.IntN(4) == 0 {
					k.Rest = []*Task{task(kinds[0])}
				}
				synctest.Wait()
				ctx := t.Context()
				within := time.Duration(0)
				if rng.IntN(2) == 0 {
					within = 20*ms + time.Duration(rng.Int64N(int64(time.Second)))
				}
				answer := func(do func(context.Context) error) error {
					if within == 0 {
						return do(ctx)
					}
					limited, cancel := context.WithTimeout(ctx, within)
					defer cancel()
					return do(limited)
				}
				before := l.state()
				asked := answer(func(ctx context.Context) error { return l.Ask(ctx, k.Class, k.Principal, k) })
				after := l.state()
				if asked == nil && before != after {
					t.Fatalf("seed %d: before\n%s\nafter\n%s", seed, before, after)
				}
				if asked != nil && before == after {
					t.Fatalf("seed %d: %v leaves nothing", seed, asked)
				}
				if asked == nil {
					let++
				} else {
					refused++
				}
				given := l.Stats().Classes
				told := l.asks(k, within)
				for c := range given {
					evictions += int(l.Stats().Classes[c].Evicted - given[c].Evicted)
				}
				if r, _ := errors.AsType[*Refusal](asked); (r == nil) != (told == nil) {
					t.Errorf("seed %d: asked %v, done %v", seed, asked, told)
				}
			}
		})
	}
	t.Logf("%d let in, %d refused, %d made way", let, refused, evictions)
	if let < 30 || refused < 30 || evictions == 0 {
		t.Error("the loads do not reach all answers")
	}
}

// What is closed, gone or impossible is said and counted as Do says and counts it.
func TestAskRefusals(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Memory: 1})
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := l.Ask(gone, 1, 1, task(hash)); err != context.Canceled {
			t.Errorf("a context that is done: %v", err)
		}
		if r, ok := errors.AsType[*Refusal](l.Ask(t.Context(), 1, 1, task(big))); !ok || r.Reason != Memory {
			t.Errorf("more than the memory: %v", r)
		}
		l.SetClass(2, false)
		if r, ok := errors.AsType[*Refusal](l.Ask(t.Context(), 2, 1, task(hash))); !ok || r.Reason != Off {
			t.Errorf("a class that is off: %v", r)
		}
		if err := l.Ask(t.Context(), 1, 1, task(hash)); err != nil {
			t.Errorf("an idle scheduler: %v", err)
		}
		l.Close(t.Context())
		if err := l.Ask(t.Context(), 1, 1, task(hash)); err != ErrClosed {
			t.Errorf("a closed one: %v", err)
		}
		c := l.Stats().Classes
		if c[1].Submitted != 2 || c[1].Canceled != 1 || c[1].Refused[Closed] != 1 || c[2].Submitted != 1 || c[2].Refused[Off] != 1 {
			t.Errorf("counted as %+v", c)
		}
	})
}

// Callers who all ask first, and go away when they are refused, are served as well as those who do not: an estimate that is too
// high heals, and a rehash is shed in an overload that only questions have met.
func TestAskersAreServed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		l.Seed(1, time.Second, 1) // of 50 units: a minute, where 50 ms are true
		good := 0
		for range 40 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if l.Ask(ctx, 1, 1, task(hash)) == nil && l.Do(ctx, task(hash)) == nil {
				good++
			}
			cancel()
			time.Sleep(100 * ms)
		}
		if good < 30 {
			t.Errorf("%d of 40 were answered; want an estimate that heals", good)
		}
		for i := range uint64(60) {
			go l.Do(t.Context(), principal(task(hash), i))
		}
		synctest.Wait()
		if l.Ask(t.Context(), 1, 100, task(hash)) == nil {
			t.Error("a full queue lets in")
		}
		if r, ok := errors.AsType[*Refusal](l.Ask(t.Context(), 2, 101, task(hash))); !ok || r.Reason != Shed {
			t.Errorf("a rehash in an overload: %v", r)
		}
	})
}

// A question, by the number of tasks that wait: one that is let in, and one that is refused.
func BenchmarkAsk(b *testing.B) {
	for _, n := range []int{0, 10, 100, 1000} {
		for answer, wait := range map[string]time.Duration{"nil": time.Hour, "refused": ms} {
			if n == 0 && answer == "refused" {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", answer, n), func(b *testing.B) {
				s := stuck(b, n)
				s.SetMaxWait(wait)
				k := task(hash)
				b.ReportAllocs()
				for b.Loop() {
					s.Ask(b.Context(), 1, 1<<40, k)
				}
			})
		}
	}
}
