// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/game"
)

// Stages of the directed tests: a bcrypt that runs side by side, and one that holds a megabyte.
var (
	fast  = effort{kind: kindID{algorithm: 1, cost: [3]uint32{10}}, units: 50, batches: true}
	large = effort{kind: kindID{algorithm: 2, cost: [3]uint32{64}}, units: 80, memory: 1 << 20}
)

// A lab is a queue in a bubble, whose units take a millisecond.
type lab struct {
	*queue
	t     *testing.T
	rng   *rand.Rand
	speed float64

	mu    sync.Mutex
	order []uint64 // principals, as they were begun
	early *task    // which has its answer after the first stage
	left  atomic.Int32
}

func workers(n int) func() int { return func() int { return n } }

const notSet = -1 // MaxWait, where bubble sets none

// opened returns q, open, with what is the same in all tests.
func opened(q *queue, units map[Algorithm]float64) *queue {
	q.lanes, q.relative = max(q.lanes, 1), lanesTime
	q.open(units)
	return q
}

// bubble runs f with a lab in a bubble, and then all that it left behind.
func bubble(t *testing.T, c *queue, f func(t *testing.T, l *lab)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{t: t, rng: rand.New(rand.NewPCG(1, 2)), speed: 1}
		c.run, c.discard = l.work, func(*task) { l.left.Add(1) }
		c.maxWaiting = 1000
		if c.maxWait == 0 {
			c.maxWait = 300 * ms
		}
		l.queue = opened(c, map[Algorithm]float64{1: float64(ms), 2: float64(ms)})
		f(t, l)
		time.Sleep(time.Minute)
	})
}

func (l *lab) work(stage int, tasks []*task, answers []Outcome) {
	l.mu.Lock()
	for _, t := range tasks {
		l.order = append(l.order, t.principal)
	}
	s := tasks[0].stages[stage]
	n := float64(len(tasks))
	if s.batches {
		n = measured[len(tasks)]
	}
	d := time.Duration(s.units * n * float64(ms) / l.speed)
	l.mu.Unlock()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(ms) {
		gone := true
		for _, t := range tasks {
			gone = gone && t.isGone()
		}
		if gone {
			return
		}
	}
	for i, t := range tasks {
		if t == l.early || stage == len(t.stages)-1 {
			answers[i] = OutcomeMismatch
		}
	}
}

// do has somebody ask, with so much time; 0: no deadline.
func (l *lab) do(t *task, within time.Duration) error {
	ctx := l.t.Context()
	if within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, within)
		defer cancel()
	}
	return l.queue.do(ctx, t)
}

// asks does so on a goroutine of its own, and returns the refusal that it gets at once, or nil.
func (l *lab) asks(t *task, within time.Duration) *OverloadedError {
	answer := make(chan error, 1)
	go func() { answer <- l.do(t, within) }()
	synctest.Wait()
	select {
	case err := <-answer:
		if r, ok := errors.AsType[OverloadedError](err); ok {
			return &r
		} else if err != nil {
			return &OverloadedError{Reason: ReasonOf(err)}
		}
		return nil
	default:
		return nil
	}
}

// A load is an open loop of callers.
type load struct {
	rate   float64       // a second, Poisson
	within time.Duration // 0: a second
	make   func(i int) *task
	least  float64 // part to be served

	asked, good, late int // of those in the counted time
	outcomes          map[Outcome]int
}

// run has loads come for so long; what comes in the first quarter does not count.
func (l *lab) run(d time.Duration, loads ...*load) {
	game.Skip(l.t)
	var mu sync.Mutex
	var all sync.WaitGroup
	start := time.Now()
	for _, one := range loads {
		rng := rand.New(rand.NewPCG(l.rng.Uint64(), 3))
		one.outcomes = map[Outcome]int{}
		all.Go(func() {
			for i, at := 0, time.Duration(0); ; i++ {
				if at += time.Duration(rng.ExpFloat64() / one.rate * float64(time.Second)); at > d {
					return
				}
				time.Sleep(time.Until(start.Add(at)))
				t := one.make(i)
				all.Go(func() {
					err := l.do(t, cmp.Or(one.within, time.Second))
					mu.Lock()
					defer mu.Unlock()
					if at < d/4 {
						return
					}
					one.asked++
					one.outcomes[t.outcome]++
					switch {
					case err == nil:
						one.good++
					case t.outcome != OutcomeRefused:
						one.late++
					}
				})
			}
		})
	}
	all.Wait()
}

// crowd makes tasks of n principals in turn.
func crowd(from, n int, stages ...effort) func(i int) *task {
	return func(i int) *task { return &task{principal: uint64(from + i%n), stages: stages} }
}

// capacity is how many hashes a worker does in a second in full batches.
const capacity = 5 * 1000 / (50 * 1.44)

func TestGoodput(t *testing.T) {
	for factor, least := range map[float64]float64{0.5: 0.99, 1: 0.93, 3: 0.95} {
		bubble(t, &queue{workers: workers(2), estimates: estimates{lanes: 5}}, func(t *testing.T, l *lab) {
			a := &load{rate: factor * 2 * capacity, make: crowd(0, 1000, fast)}
			l.run(30*time.Second, a)
			if part := float64(a.good) / (22.5 * 2 * capacity) / min(factor, 1); part < least || a.late > 0 {
				t.Errorf("load %v: %.3f answered in time of what can be, %d late of those let in; want %v and none", factor, part, a.late, least)
			}
		})
	}
}

// upgrades makes an upgrade for each of many principals.
func upgrades(stage effort) func(i int) *task {
	return func(i int) *task {
		return &task{principal: uint64(1000 + i), upgrade: true, stages: []effort{stage}}
	}
}

// Who asks for less than the mean is served, whoever floods. Callers share the machine before their
// principals do: one that invents 1,000 principals a second takes nothing from one that asks for
// less than three quarters of its half, even if most of that is for one principal.
func TestFlood(t *testing.T) {
	by := func(caller uint64, make func(i int) *task) func(i int) *task {
		return func(i int) *task {
			t := make(i)
			t.caller = caller
			return t
		}
	}
	skewed := func(i int) *task { return &task{principal: uint64(max(i%10, 3)), stages: []effort{fast}} }
	slow := effort{kind: kindID{algorithm: 2}, units: 500} // half of what sign-ins may wait
	for name, c := range map[string]struct {
		maxWait time.Duration
		loads   []*load
	}{
		"one of 20": {0, []*load{
			{rate: 4 * capacity, make: crowd(0, 1, fast)}, {rate: 1.4 * capacity, make: crowd(1, 19, fast), least: 0.95},
			{rate: 300, within: 10 * time.Second, make: upgrades(fast)}, // which count for nothing here
		}},
		"while slow upgrades wait": {notSet, []*load{
			{rate: 4 * capacity, make: crowd(0, 1, fast)}, {rate: 1.4 * capacity, make: crowd(1, 19, fast), least: 0.95},
			{rate: 3, within: 10 * time.Second, make: upgrades(slow)},
		}},
		"newcomers beside 20 heavy": {0, []*load{
			{rate: 6 * capacity, make: crowd(0, 20, fast)},
			{rate: 0.2 * capacity, make: crowd(100, 1<<30, fast), least: 0.9},
		}},
		"an inventor of principals": {0, []*load{
			{rate: 1000, make: by(1, crowd(100, 1<<30, fast))}, {rate: 0.6 * capacity, make: by(2, skewed), least: 0.97},
		}},
		"an inventor, and one in another caller who has its half alone": {0, []*load{
			{rate: 2000, make: by(1, crowd(100, 1<<30, fast))}, {rate: 4 * capacity, make: by(2, crowd(0, 1, fast))},
			{rate: 0.5 * capacity, make: by(2, crowd(1, 200, fast)), least: 0.9},
		}},
		"within a heavy caller": {0, []*load{
			{rate: 4 * capacity, make: by(1, crowd(0, 1, fast))},
			{rate: capacity, make: by(1, crowd(1, 500, fast)), least: 0.9},
			{rate: 0.2 * capacity, make: by(2, crowd(0, 5, fast)), least: 0.97},
		}},
	} {
		bubble(t, &queue{workers: workers(2), estimates: estimates{lanes: 5}, maxWait: c.maxWait}, func(t *testing.T, l *lab) {
			l.run(20*time.Second, c.loads...)
			done := 0
			for i, one := range c.loads {
				if part := float64(one.good) / float64(one.asked); part < one.least {
					t.Errorf("%s: of load %d %.3f are served; want %v", name, i, part, one.least)
				}
				done += one.good
			}
			if used := float64(done) / (15 * 2 * capacity); c.maxWait == 0 && used < 0.95 {
				t.Errorf("%s: the machine is used for %.3f; want 0.95", name, used)
			}
		})
	}
}

// What a hash holds is bounded, and it gets its part of a mixed load where memory is for half of
// the workers.
func TestMemory(t *testing.T) {
	bubble(t, &queue{workers: workers(4), memory: 2 << 20}, func(t *testing.T, l *lab) {
		a, b := &load{rate: 40, make: crowd(0, 500, fast)}, &load{rate: 25, make: crowd(500, 500, large)}
		l.run(20*time.Second, a, b)
		if part := float64(b.good) / float64(b.asked); part < 0.5 || a.late+b.late > 0 {
			t.Errorf("%.2f of those that hold memory are served, %d and %d late", part, a.late, b.late)
		}
		if r := l.asks(&task{stages: []effort{{kind: large.kind, units: 80, memory: 3 << 20}}}, 0); r == nil || r.Reason != ReasonMemory {
			t.Errorf("more than all memory: %v", r)
		}
	})
}

// Those of one kind may hold different memory, as a wrapped hash says only its work: each counts by
// itself.
func TestMemoryOfEach(t *testing.T) {
	bubble(t, &queue{workers: workers(4), memory: 4 << 20}, func(t *testing.T, l *lab) {
		of := func(memory int64) *task {
			return &task{stages: []effort{{kind: large.kind, units: 80, memory: memory}}}
		}
		l.asks(of(1<<10), time.Second)
		time.Sleep(time.Second)
		for range 4 {
			l.asks(of(3<<20), time.Second)
		}
		if s := l.stats(); s.Busy != 1 || s.MemoryInUse != 3<<20 {
			t.Errorf("%d run at once and hold %d bytes", s.Busy, s.MemoryInUse)
		}
	})
}

// Nobody passes, whatever the deadlines are; a call without one hears by MaxWait.
func TestFirstComeFirstServed(t *testing.T) {
	bubble(t, &queue{workers: workers(1), maxWait: time.Hour}, func(t *testing.T, l *lab) {
		for i := range 6 {
			l.asks(&task{principal: uint64(i), stages: []effort{fast}}, []time.Duration{time.Hour, time.Second, 0}[i%3])
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := fmt.Sprint(l.order); got != "[0 1 2 3 4 5]" {
			t.Errorf("begun in the order %s", got)
		}
	})
	bubble(t, &queue{workers: workers(1)}, func(t *testing.T, l *lab) {
		l.asks(&task{stages: []effort{fast}}, 0)
		l.mu.Lock()
		l.speed = 0.001 // the machine stands nearly still
		l.mu.Unlock()
		l.asks(&task{stages: []effort{fast}}, 0)
		began, third := time.Now(), &task{stages: []effort{fast}}
		err := l.do(third, 0)
		if r, ok := errors.AsType[OverloadedError](err); !ok || r.Reason != ReasonLate || time.Since(began) > 500*ms || third.outcome != OutcomeDropped {
			t.Errorf("without a deadline: %v as %v after %v; want late within half a second", err, third.outcome, time.Since(began))
		}
	})
}

// A refusal says when to come back: not before what was missing has passed.
func TestRetryAfter(t *testing.T) {
	bubble(t, &queue{workers: workers(1), maxWait: 100 * ms}, func(t *testing.T, l *lab) {
		for range 2 {
			if r := l.asks(&task{stages: []effort{fast}}, 0); r != nil {
				t.Error(r)
			}
		}
		r := l.asks(&task{stages: []effort{fast}}, 0)
		if r == nil || r.Reason != ReasonDeadline || r.After < ms || r.After > 1100*ms {
			t.Errorf("%v; want deadline, and up to a second behind what was missing", r)
		}
	})
}

// Stages are done one after the other by one worker, side by side where they can be, until one has
// the answer; a call needs the time for all.
func TestStagesInTurn(t *testing.T) {
	both := []effort{large, fast}
	bubble(t, &queue{workers: workers(1), estimates: estimates{lanes: 5}, memory: 1 << 20, maxWait: time.Minute}, func(t *testing.T, l *lab) {
		began := time.Now()
		one := &task{stages: both}
		l.early = one
		if err := l.do(one, 0); err != nil || time.Since(began) != 80*ms || one.served != 80*ms {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		l.asks(&task{stages: []effort{fast}}, 0)
		var all [3]*task
		for i := range all {
			all[i] = &task{stages: both}
			l.asks(all[i], 0)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		for _, a := range all { // three times 80 ms, and three bcrypts side by side
			if a.outcome != OutcomeMismatch || a.served < 240*ms+50*ms || a.served > 240*ms+60*ms || a.together != 3 {
				t.Errorf("%v, served %v beside %d", a.outcome, a.served, a.together)
			}
		}
		l.asks(&task{stages: []effort{fast}}, 0)
		if r := l.asks(&task{stages: both}, 150*ms); r == nil || r.Reason != ReasonDeadline {
			t.Errorf("with time for the first stage alone, behind another: %v; want deadline", r)
		}
	})
	// Who leaves between two stages is not taken to the next.
	bubble(t, &queue{workers: workers(1), memory: 1 << 20}, func(t *testing.T, l *lab) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(40*ms, cancel)
		left := &task{stages: both}
		if err := l.queue.do(ctx, left); !errors.Is(err, context.Canceled) || left.outcome != OutcomeCanceled || left.reason != ReasonLeft {
			t.Errorf("%v, %v for %v", err, left.outcome, left.reason)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s := l.stats(); len(l.order) != 1 || l.left.Load() != 1 || s.Busy != 0 || s.MemoryInUse != 0 {
			t.Errorf("%d stages, told of %d, %d busy, %d bytes", len(l.order), l.left.Load(), s.Busy, s.MemoryInUse)
		}
	})
}

// Kinds beyond the table share one, and what they have in common is no reason to do them at once: a
// worker that took one's cost for all would refuse right passwords.
func TestManyKinds(t *testing.T) {
	bubble(t, &queue{workers: workers(1), estimates: estimates{lanes: 5}, maxWait: time.Minute}, func(t *testing.T, l *lab) {
		for i := range uint32(maxKinds) {
			one := effort{kind: kindID{algorithm: 2, cost: [3]uint32{i}}, batches: i == 0}
			l.submit(t.Context(), &task{stages: []effort{one}}, true)
		}
		var all [4]*task
		for i := range all {
			own := effort{kind: kindID{algorithm: 1, cost: [3]uint32{20 + uint32(i)}}, units: 50, batches: true}
			all[i] = &task{stages: []effort{own, {kind: kindID{algorithm: 2}, units: 50, batches: true}}}
			l.asks(all[i], 0)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		for i, a := range all {
			if a.outcome != OutcomeMismatch || a.together != 1 {
				t.Errorf("task %d: %v beside %d; want it done alone", i, a.outcome, a.together)
			}
		}
		if n := len(l.stats().Hashes); n > maxKinds+1 {
			t.Errorf("%d kinds are known", n)
		}
	})
}

// Close answers all that was let in, between stages, queued and upgrades too, and lets nothing in;
// if the context of the most patient Close ends, those left hear so.
func TestClose(t *testing.T) {
	for _, patient := range []bool{true, false} {
		bubble(t, &queue{workers: workers(1), maxWait: time.Minute, memory: 1 << 20}, func(t *testing.T, l *lab) {
			tasks := []*task{{stages: []effort{large, fast}}, {stages: []effort{fast}}, {upgrade: true, stages: []effort{fast}}}
			for _, task := range tasks {
				l.asks(task, 0)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if !patient {
				time.AfterFunc(20*ms, cancel)
			}
			closed := make(chan error)
			go func() { closed <- l.close(ctx) }()
			synctest.Wait()
			for range 2 {
				brief, cancel := context.WithTimeout(t.Context(), ms)
				defer cancel()
				if err := l.close(brief); err != context.DeadlineExceeded {
					t.Errorf("a Close beside it: %v; want %v", err, context.DeadlineExceeded)
				}
			}
			if c := l.stats().SignIns; c.Running != 1 || c.Queued != 1 {
				t.Errorf("a Close beside it ended calls: %d run, %d wait", c.Running, c.Queued)
			}
			late := &task{stages: []effort{fast}}
			if err := l.do(late, 0); !errors.Is(err, ErrClosed) || late.outcome != OutcomeRefused || late.reason != ReasonClosed {
				t.Errorf("after Close: %v, %v for %v", err, late.outcome, late.reason)
			}
			err := <-closed
			synctest.Wait()
			for i, task := range tasks {
				if want := map[bool]Outcome{true: OutcomeMismatch, false: OutcomeCanceled}[patient]; task.outcome != want {
					t.Errorf("patient %v, task %d: %v for %v", patient, i, task.outcome, task.reason)
				}
			}
			if patient != (err == nil) || !patient && !errors.Is(err, context.Canceled) {
				t.Errorf("patient %v: %v", patient, err)
			}
			if err := l.close(t.Context()); err != nil {
				t.Errorf("again: %v", err)
			}
		})
	}
}

// A context that ends without an error would be a match; and one whose deadline has no monotonic
// reading, or a wild one, is judged.
func TestContexts(t *testing.T) {
	bubble(t, &queue{workers: workers(1), maxWait: time.Hour}, func(t *testing.T, l *lab) {
		l.asks(&task{stages: []effort{fast}}, 0)
		task := &task{stages: []effort{fast}}
		if err := l.queue.do(lying{t.Context()}, task); !errors.Is(err, context.Canceled) || task.outcome != OutcomeCanceled {
			t.Errorf("a context that ends with nil: %v, %v", err, task.outcome)
		}
	})
	for _, deadline := range []time.Time{time.Unix(1, 0), time.Unix(1<<40, 0)} {
		bubble(t, &queue{workers: workers(1)}, func(t *testing.T, l *lab) {
			ctx, cancel := context.WithDeadline(t.Context(), deadline)
			defer cancel()
			if err := l.queue.do(ctx, &task{stages: []effort{fast}}); (err == nil) != (deadline.Unix() > 1) {
				t.Errorf("deadline %v: %v", deadline, err)
			}
		})
	}
}

type lying struct{ context.Context }

func (lying) Done() <-chan struct{} { c := make(chan struct{}); close(c); return c }
func (lying) Err() error            { return nil }

// Of upgrades that each second sign-in asks for, load .7 makes most and a lasting overload a
// hundredth of the machine; sign-ins lose no more than that. One client that asks for too much
// stops none.
func TestUpgrades(t *testing.T) {
	game.Skip(t)
	for _, c := range []struct {
		load, made, lost float64
		flood            bool
	}{{0.7, 0.78, 0.005, false}, {2, 0, 0.015, false}, {0.3, 0.8, 0.005, true}} {
		goodput := func(upgrade bool) (sign, up *load) {
			bubble(t, &queue{workers: workers(2), estimates: estimates{lanes: 5}}, func(t *testing.T, l *lab) {
				sign = &load{rate: c.load * 2 * capacity, make: crowd(0, 1000, fast)}
				up = &load{rate: c.load * capacity, within: 10 * time.Second, make: func(i int) *task {
					return &task{principal: uint64(i % 1000), upgrade: true, stages: []effort{fast}}
				}}
				loads := []*load{sign}
				if upgrade {
					loads = append(loads, up)
				}
				if c.flood {
					loads = append(loads, &load{rate: 0.6 * capacity, make: crowd(5000, 1, fast)})
				}
				l.run(40*time.Second, loads...)
			})
			return sign, up
		}
		without, _ := goodput(false)
		with, up := goodput(true)
		made := float64(up.good) / float64(up.asked)
		machine := float64(up.good) / (30 * 2 * capacity)
		t.Logf("load %v: %.3f of the upgrades made, %.4f of the machine; sign-ins %.3f, without %.3f", c.load, made, machine,
			float64(with.good)/float64(with.asked), float64(without.good)/float64(without.asked))
		if made < c.made || up.good == 0 || float64(without.good-with.good) > c.lost*30*2*capacity {
			t.Errorf("load %v: %.3f of the upgrades made, and %d sign-ins of %d lost; want %.2f and %.3f of the machine at most",
				c.load, made, without.good-with.good, without.good, c.made, c.lost)
		}
	}
}

// An upgrade that waits keeps no sign-in out, also one that takes longer than sign-ins may wait for
// each other.
func TestSlowUpgradeWaits(t *testing.T) {
	bubble(t, &queue{workers: workers(1), maxWait: notSet}, func(t *testing.T, l *lab) {
		slow := effort{kind: kindID{algorithm: 2}, units: 400}
		l.asks(&task{stages: []effort{fast}}, 0)
		l.asks(&task{upgrade: true, stages: []effort{slow}}, 0)
		if r := l.asks(&task{stages: []effort{fast}}, 0); r != nil {
			t.Error(r)
		}
	})
}

// What Ready refuses, Verify refuses, and what it lets in leaves nothing.
func TestAsk(t *testing.T) {
	bubble(t, &queue{workers: workers(1), maxWait: 100 * ms}, func(t *testing.T, l *lab) {
		refused := 0
		for i := range 40 {
			asked, done := &task{principal: uint64(i % 3), stages: []effort{fast}}, &task{principal: uint64(i % 3), stages: []effort{fast}}
			before := l.stats().SignIns.Of(OutcomeRefused)
			_, err := l.submit(t.Context(), asked, true)
			if n := l.stats().SignIns.Of(OutcomeRefused) - before; (n == 1) != (err != nil) {
				t.Errorf("call %d: %v is counted %d times", i, err, n)
			}
			if r := l.asks(done, 0); (r == nil) != (err == nil) {
				t.Errorf("call %d: asked, %v; done, %v", i, err, r)
			}
			if err != nil {
				refused++
			}
			time.Sleep(20 * ms)
		}
		if refused == 0 || refused == 40 {
			t.Errorf("%d of 40 are refused: the test can't tell", refused)
		}
	})
}

// The table of principals is bounded, however many come and go, and those who have nothing any more
// are forgotten.
func TestPrincipalsAreForgotten(t *testing.T) {
	bubble(t, &queue{workers: workers(1), maxWait: ms}, func(t *testing.T, l *lab) {
		for i := range 2 * maxShares {
			l.asks(&task{principal: uint64(i), stages: []effort{fast}}, 0)
		}
		if n := l.shares.known; n > maxShares+10 {
			t.Errorf("%d shares are known", n)
		}
		time.Sleep(time.Minute)
		l.do(&task{principal: 1, stages: []effort{fast}}, 0)
		if n := l.shares.known; n != 2 {
			t.Errorf("a minute later %d shares are known; want a caller's and a principal's", n)
		}
	})
}
