// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Two of one kind go together when both wait and no worker is idle; more as the
// queue grows; never two while a worker is idle.
func TestWidths(t *testing.T) {
	for _, c := range []struct {
		workers, tasks int
		want           []int
	}{
		{2, 1, []int{1}},
		{2, 2, []int{1, 1}},
		{2, 3, []int{1, 1, 1}},
		{2, 4, []int{1, 1, 2}},
		{1, 3, []int{1, 2}},
		{1, 6, []int{1, 5}},
		{1, 9, []int{1, 5, 3}},
		{1, 11, []int{1, 5, 5}},
	} {
		bubble(t, func(t *testing.T) {
			l := newLab(t, Config{Workers: c.workers, Lanes: 5, Relative: lanesTime, MaxWait: time.Hour})
			l.burst(several(c.tasks, hash)...)
			if !slices.Equal(l.wide, c.want) {
				t.Errorf("%d tasks on %d workers went %v at a time; want %v", c.tasks, c.workers, l.wide, c.want)
			}
			want := make([]uint64, 6)
			for _, n := range c.want {
				want[n]++
			}
			if got := l.Stats().Widths; !slices.Equal(got, want) {
				t.Errorf("Stats has widths %v; want %v", got, want)
			}
		})
	}
}

// Workers that become free together share what waits.
func TestFreeWorkersShare(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Lanes: 5, Relative: lanesTime, MaxWait: time.Hour})
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() { l.Do(t.Context(), task(hash)) })
			synctest.Wait()
		}
		l.SetWorkers(3) // two more, for four that wait
		synctest.Wait()
		if want := []int{1, 2, 2}; !slices.Equal(l.wide, want) {
			t.Errorf("%v at a time; want %v", l.wide, want)
		}
		wg.Wait()
	})
	bubble(t, func(t *testing.T) { // one of the two is needed for another kind
		l := newLab(t, Config{Workers: 1, Lanes: 5, Relative: lanesTime, MaxWait: time.Hour})
		var wg sync.WaitGroup
		l.SetMemory(1 << 20)
		for _, k := range append(several(5, hash), task(big)) {
			wg.Go(func() { l.Do(t.Context(), k) })
			synctest.Wait()
		}
		l.SetWorkers(3)
		synctest.Wait()
		slices.Sort(l.wide)
		if want := []int{1, 1, 4}; !slices.Equal(l.wide, want) {
			t.Errorf("%v at a time; want %v", l.wide, want)
		}
		wg.Wait()
	})
}

// Kinds do not mix, and one that may not run in company does not.
func TestBatchesAreOfOneKind(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Lanes: 5, Relative: lanesTime, MaxWait: time.Hour, Memory: 1 << 30})
		tasks := slices.Concat(several(1, hash), several(2, half), several(2, hash), several(2, big), several(1, half))
		for i, k := range tasks {
			k.Payload = i
		}
		l.burst(tasks...)
		if got := fmt.Sprint(l.wide, l.order); got != "[1 3 2 1 1] [0 1 2 7 3 4 5 6]" {
			t.Errorf("widths and order %s; want one, three halves, two, one, one", got)
		}
	})
}

// A batch is never so wide that one of it is late, even where times were
// misjudged before.
func TestWidthMindsDeadlines(t *testing.T) {
	for _, c := range []struct {
		left time.Duration // of the first that waits, when its turn comes
		want int
	}{{51 * ms, 1}, {52 * ms, 2}, {56 * ms, 3}, {63 * ms, 4}, {73 * ms, 5}} {
		bubble(t, func(t *testing.T) {
			l := newLab(t, Config{Workers: 1, Lanes: 5, Relative: lanesTime, MaxWait: time.Hour, Memory: 1 << 20})
			l.noise = func() float64 { l.noise = nil; return 2 }
			var wg sync.WaitGroup
			wg.Go(func() { l.within(task(big), 0) }) // 160 ms instead of 80
			synctest.Wait()
			tight := task(hash)
			tight.Principal = 99
			wg.Go(func() {
				if err := l.within(tight, 160*ms+c.left); err != nil {
					t.Errorf("%v left: %v", c.left, err)
				}
			})
			synctest.Wait()
			for i := range uint64(4) {
				k := task(hash)
				k.Principal = i
				wg.Go(func() { l.Do(t.Context(), k) })
				synctest.Wait()
			}
			wg.Wait()
			if l.wide[1] != c.want {
				t.Errorf("%v left: %d at once; want %d", c.left, l.wide[1], c.want)
			}
		})
	}
}

// Lanes that do not keep what the table promises are measured too: where five take
// as long as five times one, no more are let in than without lanes.
func TestWidthsAreMeasured(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Lanes: 5, Relative: lanesTime})
		l.actual = oneLane
		l.burst(several(60, hash)...)
		time.Sleep(time.Minute)
		before := l.Stats().Classes[1]
		l.burst(several(60, hash)...)
		after := l.Stats().Classes[1]
		if n := after.Completed - before.Completed; n < 8 || n > 20 {
			t.Errorf("%d of a burst were done; want what one does in a second, at most 20", n)
		}
		if after.Dropped != before.Dropped {
			t.Errorf("%d were let in and dropped", after.Dropped-before.Dropped)
		}
	})
}

// What is learned of lanes is put down to them, and what one takes by itself stays known.
func TestLanesAreTold(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Lanes: 5, Relative: lanesTime})
		l.actual = oneLane // 250 ms instead of 72
		for range 60 {
			l.burst(several(6, hash)...) // one, and then five at once
			time.Sleep(time.Second)
		}
		if err := l.within(task(hash), 60*ms); err != nil {
			t.Errorf("50 ms of work by itself, within 60: %v", err)
		}
		if got := l.Stats().Timings[0]; got.Alone > 55*ms || got.Drain < 45*ms || got.Drain > 55*ms {
			t.Errorf("one takes %v by itself, and %v of five; want about 50 ms", got.Alone, got.Drain)
		}
	})
}

// Where times vary, two in a row may take long: who has no time for that is refused.
func TestVaryingTimesCount(t *testing.T) {
	for within := 100 * ms; within <= 140*ms; within += 2 * ms {
		bubble(t, func(t *testing.T) {
			l := newLab(t, Config{Workers: 1})
			l.margin = 0
			long := false
			l.noise = func() float64 {
				if long = !long; long {
					return 1.2
				}
				return 0.8
			}
			for range 200 {
				l.Do(t.Context(), task(hash))
			}
			l.noise = func() float64 { return 1.2 }
			l.asks(task(hash), 0)
			began := time.Now()
			k := principal(task(hash), 1)
			err := l.within(k, within)
			switch {
			case time.Since(began) == 0 && within < 140*ms: // refused at once
			case err != nil:
				t.Errorf("60 ms of work behind 60 ms, within %v: %v after %v", within, err, time.Since(began))
			}
		})
	}
}

// What runs longer than it should is not expected to end at once.
func TestOverdue(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, MaxWait: time.Hour})
		l.noise = func() float64 { return 20 } // a second
		go l.Do(t.Context(), task(hash))
		synctest.Wait()
		for at, want := range map[time.Duration]time.Duration{20 * ms: 30 * ms, 450 * ms: 200 * ms, 850 * ms: 400 * ms} {
			func() {
				l.Scheduler.mu.Lock()
				defer l.Scheduler.mu.Unlock()
				began := l.Scheduler.running[0].began
				if got := time.Duration(l.residual(began.Add(at))); got != want {
					t.Errorf("50 ms of work, begun %v ago: %v to go; want %v", at, got, want)
				}
			}()
		}
	})
}

// A caller who goes away is told to the worker, and its lane's time not learned.
func TestGoneLane(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Lanes: 5, Relative: lanesTime, MaxWait: time.Hour})
		seen := 0
		l.Scheduler.run = func(_ int, tasks []*Task) {
			time.Sleep(30 * ms)
			for _, k := range tasks {
				if k.Gone() {
					seen++
				}
			}
		}
		k := l.rates.kind(task(hash))
		ctx, cancel := context.WithTimeout(t.Context(), 50*ms) // exactly what it takes
		defer cancel()
		gone, stop := context.WithCancel(ctx)
		time.AfterFunc(10*ms, stop)
		if err := l.Do(gone, task(hash)); err != context.Canceled {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if seen != 1 || k.unit() != float64(ms) {
			t.Errorf("%d lanes were told; want 1. A unit takes %v now; want 1 ms, as before", seen, time.Duration(k.unit()))
		}
	})
}

// Admission goes by what was measured: of a machine that turns out three times as
// slow it asks a third, and it finds that out by itself.
func TestDrainRateIsMeasured(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		slow := 1.0
		l.noise = func() float64 { return slow }
		places := func() int {
			for range 30 {
				l.Do(t.Context(), task(hash))
			}
			l.burst(several(60, hash)...)
			return int(l.Stats().Classes[1].Completed)
		}
		n := places()
		fast := n - 30
		slow = 3
		slower := places() - n - 30
		if fast < 16 || fast > 20 || slower < 5 || slower > 7 {
			t.Errorf("of a burst %d were let in and done, and %d when all took three times as long; want 18 and 6", fast, slower)
		}
		if s := l.Stats(); s.Classes[1].Dropped > 0 {
			t.Errorf("%d were let in and dropped", s.Classes[1].Dropped)
		}
	})
}

// One outlier moves an estimate by little, also where several batches were stopped
// together; what goes on replaces it.
func TestEstimate(t *testing.T) {
	at := func(n int) time.Time { return time.Unix(int64(n), 0) }
	for _, c := range []struct {
		name   string
		values []float64 // each begun a second after the one before, and done in half of one
		want   float64
	}{
		{"the first", []float64{30}, 30},
		{"like before", []float64{10, 11}, 10.125},
		{"an outlier", []float64{10, 400}, 10.75},
		{"an outlier, and as before", []float64{10, 400, 10.75}, 10.75},
		{"slower", []float64{10, 40, 41}, 41},
		{"faster", []float64{10, 1, 1.1}, 1.1},
		{"up and down", []float64{10, 40, 1}, 10.75 - (10.75-10.75/far)/8},
	} {
		e := estimate{value: 5}
		for i, v := range c.values {
			e.learn(v, at(2*i), at(2*i+1))
		}
		if math.Abs(e.value-c.want) > 1e-9 {
			t.Errorf("%s: %v is taken for %v; want %v", c.name, c.values, e.value, c.want)
		}
	}
	e := estimate{value: 10, known: true}
	for range 8 {
		e.learn(400, at(0), at(9)) // all stopped by one pause
	}
	if e.value != 10.75 {
		t.Errorf("after one pause of eight batches: %v; want 10.75, as after one", e.value)
	}
}

// What a batch took tells also where somebody left: as it was given up, that it would
// have taken longer; where only some left, that it lies between.
func TestGivenUpBatchesTeach(t *testing.T) {
	for _, c := range []struct {
		name       string
		took, left int
		least      float64 // of the estimate after two such batches; before it is 10
		most       float64
	}{
		{"all stayed", 29, 5, 17, 22},
		{"given up early", 5, 0, 10, 10},
		{"given up late", 30, 0, 20, 80},
		{"two left, on time", 14, 3, 10, 10},
		{"two left, and far too long", 60, 3, 30, 60},
		{"two left, and far too short", 2, 3, 1, 3},
	} {
		r := newRates(5, lanesTime)
		r.seed(1, 10)
		k := r.kind(&Task{Kind: hash, Units: 1, Batch: true})
		k.alone = estimate{value: 10, known: true}
		for i := range 2 {
			b := &batch{kind: k, began: time.Unix(int64(i), 0), tasks: make([]*Task, 5)}
			for j := range b.tasks {
				b.tasks[j] = &Task{Units: 1}
			}
			k.learn(b, c.left, b.began.Add(time.Duration(c.took)))
		}
		if got := k.unit(); got < c.least || got > c.most {
			t.Errorf("%s: the estimate of 10 became %v; want %v to %v", c.name, got, c.least, c.most)
		}
	}
}

// An idle scheduler that believes a task too long tries one, and then knows: at
// first not, then at once, and after a failure only longer ones.
func TestIdleTries(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 2})
		l.Seed(1, 30*ms, 1) // 1.5 s instead of 50 ms
		if err := l.within(task(hash), time.Second); err == nil {
			t.Error("tried at once; want a refusal first")
		}
		time.Sleep(patience)
		if err := l.within(task(hash), time.Second); err != nil {
			t.Errorf("after %v of refusals: %v; want it tried", patience, err)
		}
		for range 3 {
			if err := l.within(task(hash), 60*ms); err != nil {
				t.Errorf("now it is known to take 50 ms: %v", err)
			}
		}
	})
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 2})
		l.noise = func() float64 { return 100 } // 5 s
		l.Seed(1, 100*ms, 1)
		l.Scheduler.run = func(_ int, tasks []*Task) { // given up when nobody waits
			for range 5000 {
				if time.Sleep(ms); tasks[0].Gone() {
					return
				}
			}
		}
		refused, begun := 0, 0
		for range 200 {
			k := task(hash)
			if _, ok := errors.AsType[*Refusal](l.within(k, 40*ms)); ok {
				refused++
			}
			if k.Begun() {
				begun++
			}
			time.Sleep(10 * ms)
		}
		if begun < 2 || begun > 12 {
			t.Errorf("of 200 that can't be done %d were refused and %d tried; want a few tried", refused, begun)
		}
	})
}

// An algorithm that has not been seen is judged by its seed, and stored hashes
// can't make the table of kinds grow without bound.
func TestKinds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		for i := range uint32(1000) {
			k := task(big)
			k.Memory = 0
			k.Kind.Cost[0] = i + 1
			if err := l.Do(t.Context(), k); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(l.rates.all); n > maxKinds+1 {
			t.Errorf("%d kinds are kept; want %d", n, maxKinds+1)
		}
		s := l.Stats()
		if n := s.Timings[maxKinds].Service.Count(); n != 1000-maxKinds {
			t.Errorf("%d are counted together; want %d", n, 1000-maxKinds)
		}
	})
}

// Tasks that share a kind for want of places are not of one cost: they do not run
// side by side.
func TestSharedKindRunsAlone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Lanes: 5, Relative: lanesTime, MaxWait: time.Hour})
		tasks := several(maxKinds+6, hash)
		for i, k := range tasks {
			k.Kind.Cost[0] = uint32(i + 1)
		}
		l.burst(tasks...)
		if slices.Max(l.wide) != 1 {
			t.Errorf("%d of different cost ran at once", slices.Max(l.wide))
		}
	})
}

// A hash that takes no time by its clock, in a bubble of testing/synctest or where the clock is coarse, does not
// keep those out that come after it.
func TestNoTimePasses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Lanes: 5, Relative: lanesTime})
		l.Seed(1, 0, 1)
		run := l.Scheduler.run
		l.Scheduler.run = func(int, []*Task) {}
		for range 3 {
			for i, err := range l.burst(several(20, hash)...) {
				if err != nil {
					t.Fatalf("task %d, none of which takes any time: %v", i, err)
				}
			}
		}
		l.Scheduler.run = run
		for range 3 {
			if err := l.within(task(hash), time.Second); err != nil {
				t.Errorf("when time passes again: %v", err)
			}
		}
		if k := l.rates.all[0]; !(k.spread >= 0 && k.unit() > 0) {
			t.Errorf("a unit takes %v, with a spread of %v", k.unit(), k.spread)
		}
	})
}

// The estimates of a snapshot are of whole tasks: Workers/Drain is the rate at which
// they can be done, with lanes, memory and threads as they are.
func TestSnapshotIsOfTasks(t *testing.T) {
	for _, c := range []struct {
		kind  Kind
		lanes int
		alone time.Duration
		rate  float64
	}{
		{hash, 1, 50 * ms, 4 / 0.05},
		{hash, 5, 50 * ms, 4 * 5 / (0.05 * measured[5])},
		{pair, 1, 40 * ms, 2 / 0.04}, // two workers each
		{big, 1, 80 * ms, 3 / 0.08},  // memory for three
	} {
		bubble(t, func(t *testing.T) {
			l := newLab(t, Config{Workers: 4, Memory: 3 << 20, Lanes: c.lanes, Relative: lanesTime})
			if err := l.Do(t.Context(), task(c.kind)); err != nil {
				t.Fatal(err)
			}
			s := l.Stats()
			got := s.Timings[0]
			if rate := float64(s.Workers) / got.Drain.Seconds(); got.Alone != c.alone || math.Abs(rate/c.rate-1) > 1e-6 {
				t.Errorf("%+v with %d lanes: alone %v, %.2f a second; want %v and %.2f",
					c.kind, c.lanes, got.Alone, rate, c.alone, c.rate)
			}
		})
	}
}
