// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Who asks with less time than a task takes makes nobody late but himself: that one call
// is tried tells nothing to those that come meanwhile.
func TestImpatientHarmNobody(t *testing.T) {
	seconds := simulated(60)
	late := func(t *testing.T, impatient bool) (late, admitted int) {
		bubble(t, func(t *testing.T) {
			l := newLab(t, Config{Workers: 1, MaxWait: 2 * time.Second})
			l.Scheduler.run = func(_ int, tasks []*Task) { // 400 ms, given up when nobody waits
				for range 400 {
					if time.Sleep(ms); tasks[0].Gone() {
						return
					}
				}
			}
			l.Seed(1, 8*ms, 1)
			loops := []arrivals{{rate: 7, lasts: time.Duration(seconds) * time.Second,
				within: func() time.Duration { return 2 * time.Second },
				make:   func() *Task { return principal(task(hash), l.rng.Uint64N(1000)) }}}
			if impatient {
				loops = append(loops, arrivals{rate: 20, lasts: time.Duration(seconds) * time.Second,
					within: func() time.Duration { return 20 * ms },
					make:   func() *Task { return principal(task(hash), 5000) }})
			}
			for _, v := range l.open(l.Do, loops...) {
				if v.task.Principal == 5000 || v.err != nil && v.took == 0 {
					continue
				}
				if admitted++; !v.good() {
					late++
				}
			}
		})
		return late, admitted
	}
	if n, of := late(t, false); n > 0 {
		t.Errorf("%d of %d admitted were late with nobody else; want none", n, of)
	}
	n, of := late(t, true)
	t.Logf("%d of %d admitted were late", n, of)
	if n*100 > of {
		t.Errorf("beside an impatient caller %d of %d admitted were late; want at most 1 %%", n, of)
	}
}

func principal(t *Task, id uint64) *Task {
	t.Principal = id
	return t
}

// A chain that can't be done in time is refused before its first task, by an idle
// scheduler too.
func TestChainTooLong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Memory: 1 << 30})
		for _, c := range []struct {
			within time.Duration
			want   bool
		}{{125 * ms, false}, {150 * ms, true}} { // 50 and 80
			ctx, cancel := context.WithTimeout(t.Context(), c.within)
			first := task(hash)
			err := l.chained(ctx, first, big)
			cancel()
			if got := first.Begun(); got != c.want || c.want && err != nil {
				t.Errorf("130 ms of work in two parts within %v: begun %v, %v", c.within, got, err)
			}
			time.Sleep(time.Second)
		}
	})
}

// So is one that the others before it leave no time for its last task.
func TestChainTooLate(t *testing.T) {
	for _, c := range []struct {
		within time.Duration
		want   bool
	}{{175 * ms, false}, {185 * ms, true}} { // 50 of another, 50 and 80
		bubble(t, func(t *testing.T) {
			l := newLab(t, Config{Workers: 1, Memory: 1 << 30})
			l.margin = 0
			l.asks(task(hash), 0)
			ctx, cancel := context.WithTimeout(t.Context(), c.within)
			defer cancel()
			first := principal(task(hash), 1)
			if err := l.chained(ctx, first, big); first.Begun() != c.want || c.want && err != nil {
				t.Errorf("130 ms of work in two parts, behind 50 ms, within %v: begun %v, %v", c.within, first.Begun(), err)
			}
		})
	}
}

// What is believed of the later parts of a chain is put right like what is believed of its
// first: an idle scheduler lets one in to try.
func TestChainHeals(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Memory: 1 << 30})
		l.Seed(2, 30*ms, 1) // 2.4 s instead of 80 ms
		answered, asked := 0, 0
		for range 30 {
			ctx, cancel := context.WithTimeout(t.Context(), 500*ms)
			err := l.chained(ctx, task(hash), big)
			cancel()
			if time.Sleep(100 * ms); err == nil {
				answered++
			}
			asked++
		}
		if answered < asked-10 { // 1 s
			t.Errorf("%d of %d were answered; want all but the first 10", answered, asked)
		}
	})
}

// A busy scheduler, too, tries what it believes too long, and soon again after the first failure: that may
// have been the last of an old speed. Where it is right, trials take ever less.
func TestBusyTries(t *testing.T) {
	for _, c := range []struct {
		name        string
		takes       time.Duration // believed to take 2 s
		least, most int           // of the trials that begin within half a minute
	}{{"it is faster by now", 80 * ms, 60, 1000}, {"it is not", 2 * time.Second, 2, 8}} {
		bubble(t, func(t *testing.T) {
			l := newLab(t, Config{Workers: 1, Memory: 1 << 30})
			begun := 0
			l.Scheduler.run = func(_ int, tasks []*Task) {
				takes := 50 * ms
				if tasks[0].Kind == big {
					begun++
					takes = c.takes
				}
				for end := time.Now().Add(takes); !tasks[0].Gone() && time.Now().Before(end); {
					time.Sleep(ms)
				}
			}
			l.Seed(2, 25*ms, 1)
			l.rates.kind(task(big)).doubt.fail(time.Second, time.Now())
			l.open(l.Do, arrivals{rate: 18, lasts: 30 * time.Second,
				make: func() *Task { return principal(task(hash), l.rng.Uint64()) },
			}, arrivals{rate: 4, lasts: 30 * time.Second,
				make: func() *Task { return principal(task(big), l.rng.Uint64()) }})
			t.Logf("%s: %d were begun", c.name, begun)
			if begun < c.least || begun > c.most {
				t.Errorf("%s: %d were begun; want %d to %d", c.name, begun, c.least, c.most)
			}
		})
	}
}

// Where one kind has become faster the machine may have: what was tried in vain before, of any
// kind, is tried again at once.
func TestFasterTriesAll(t *testing.T) {
	for name, believe := range map[string]func(*lab){
		"measured": func(l *lab) {
			l.noise = func() float64 { return 8 }
			l.Do(l.t.Context(), task(hash))
			l.noise = nil
		},
		"guessed": func(l *lab) { l.Seed(1, 8*50*ms, unitsOf[hash]) },
	} {
		t.Run(name, func(t *testing.T) { bubble(t, func(t *testing.T) { fasterTriesAll(t, believe) }) })
	}
}

// fasterTriesAll has a kind become faster that was believed to take 8 times as long.
func fasterTriesAll(t *testing.T, believe func(*lab)) {
	l := newLab(t, Config{Workers: 1, Memory: 1 << 30})
	believe(l)
	l.Seed(2, 25*ms, 1) // 2 s instead of 80 ms
	l.within(task(big), time.Second)
	time.Sleep(patience)
	l.rates.kind(task(big)).doubt.fail(time.Second, time.Now())
	if err := l.within(task(big), time.Second); err == nil {
		t.Error("tried right after a failure; want a refusal")
	}
	for range 2 { // the first might be an outlier
		l.Do(t.Context(), task(hash))
	}
	if err := l.within(task(big), time.Second); err != nil {
		t.Errorf("after another kind has become faster: %v; want it tried", err)
	}
}

// What was let in as an estimate was too short, and given up, counts as a trial that failed: for
// a while an idle scheduler tries none that has no more time.
func TestGivenUpIsATrial(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		l.Scheduler.run = func(_ int, tasks []*Task) { // no end
			for !tasks[0].Gone() {
				time.Sleep(ms)
			}
		}
		begun := func(within time.Duration) bool {
			k := task(hash)
			l.within(k, within)
			time.Sleep(patience)
			return k.Begun()
		}
		if !begun(200 * ms) {
			t.Error("50 ms of work within 200 ms were not begun")
		}
		for range 3 { // 450 ms
			if begun(150 * ms) {
				t.Error("tried with less time than what was given up")
			}
		}
		if time.Sleep(shorter); !begun(150 * ms) {
			t.Errorf("not tried after %v", shorter)
		}
	})
}

// What takes longer than a time can say is refused like all that takes too long,
// with a time to come back.
func TestEndless(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		k := task(hash)
		k.Units = 1e30
		err := l.within(k, time.Second)
		if r, ok := errors.AsType[*Refusal](err); !ok || r.Reason != Deadline || r.RetryAfter <= 0 {
			t.Errorf("1e30 units within a second: %v; want it refused", err)
		}
		if got := l.Stats().Timings[0]; got.Alone <= 0 || got.Drain <= 0 {
			t.Errorf("the estimate is %v alone, %v with others; want more than nothing", got.Alone, got.Drain)
		}
	})
}
