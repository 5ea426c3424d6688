// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// balance returns what is missing from the identity of Counts, by class.
func balance(s Stats) (missing [Classes]int64) {
	for c, n := range s.Classes {
		sum := n.Completed + n.Canceled + n.Expired + n.Dropped + uint64(n.Queued) + uint64(n.Running)
		for _, r := range n.Refused {
			sum += r
		}
		missing[c] = int64(n.Submitted) - int64(sum)
	}
	return missing
}

// No task is ever lost: callers that go away, tasks that are late, classes that are
// switched, workers, memory and MaxWait that change, and Close at the end, while
// snapshots are taken all the time. On real goroutines, so that the race detector
// sees them.
func TestNoTaskIsLost(t *testing.T) {
	l := newLab(t, Config{Workers: 4, Memory: 3 << 20, Queue: 50, MaxWait: 5 * ms, Lanes: 5, Relative: lanesTime})
	l.Scheduler.run = func(int, []*Task) { runtime.Gosched() }
	stop := make(chan struct{})
	var watch, callers sync.WaitGroup
	samples := 0
	watch.Go(func() {
		for {
			s := l.Stats()
			samples++
			if missing := balance(s); missing != [Classes]int64{} {
				t.Errorf("sample %d: by class, %v tasks are missing: %+v", samples, missing, s.Classes)
				return
			}
			queued, running := 0, 0
			for _, n := range s.Classes {
				queued, running = queued+n.Queued, running+n.Running
			}
			if queued > 0 && running == 0 { // Close would not hear of their end
				t.Errorf("sample %d: %d wait while nothing runs", samples, queued)
				return
			}
			select {
			case <-stop:
				return
			default:
				runtime.Gosched()
			}
		}
	})
	watch.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			l.SetWorkers(i % 5)
			l.SetMemory(int64(i%3) << 20)
			l.SetMaxWait(time.Duration(i%7) * ms)
			l.SetClass(i%Classes, i%4 > 0)
			runtime.Gosched()
		}
	})
	var mu sync.Mutex
	got := map[string]int{}
	impossible := uint64(0) // not counted
	for g := range 32 {
		callers.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(g)))
			for range 300 {
				k := task([]Kind{hash, half, big, pair}[rng.IntN(4)])
				k.Class, k.Principal = rng.IntN(Classes), uint64(rng.IntN(3))
				ctx, cancel := context.WithCancel(t.Context())
				if rng.IntN(3) == 0 {
					ctx, cancel = context.WithTimeout(t.Context(), time.Duration(rng.IntN(200))*time.Microsecond)
				}
				if rng.IntN(8) == 0 {
					go cancel()
				}
				err := l.Do(ctx, k)
				cancel()
				mu.Lock()
				got[fmt.Sprintf("%T", err)]++
				if r, ok := errors.AsType[*Refusal](err); ok && r.Reason == Memory {
					impossible++
				}
				mu.Unlock()
			}
		})
	}
	callers.Wait()
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
	close(stop)
	watch.Wait()
	s := l.Stats()
	if missing := balance(s); missing != [Classes]int64{} {
		t.Errorf("at the end, by class, %v tasks are missing", missing)
	}
	var sum Counts
	for _, n := range s.Classes {
		sum.Submitted += n.Submitted
		sum.Completed += n.Completed
		if n.Queued+n.Running != 0 {
			t.Errorf("%+v after Close", n)
		}
	}
	if sum.Submitted+impossible != 32*300 || int(sum.Completed) != got["<nil>"] {
		t.Errorf("%d submitted, %d not counted and %d completed; callers made %d calls and got %v",
			sum.Submitted, impossible, sum.Completed, 32*300, got)
	}
	if s.Held != 0 || s.Busy != 0 || l.queuing() != 0 {
		t.Errorf("left over: %d bytes, %d workers, %d principals", s.Held, s.Busy, l.queuing())
	}
	t.Logf("%d samples, answers %v", samples, got)
}

func TestCloseDrains(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if err := l.Do(t.Context(), task(hash)); err != nil {
					t.Errorf("let in before Close: %v", err)
				}
			})
			synctest.Wait()
		}
		began := time.Now()
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if d := time.Since(began); d != 200*ms {
			t.Errorf("Close took %v; want 200 ms, for four tasks", d)
		}
		if err := l.Do(t.Context(), task(hash)); err != ErrClosed {
			t.Errorf("after Close: %v; want ErrClosed", err)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Errorf("the second Close: %v", err)
		}
		wg.Wait()
	})
}

func TestCloseGivesUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		errs := make(chan error, 4)
		for range 4 {
			go func() { errs <- l.Do(t.Context(), task(hash)) }()
			synctest.Wait()
		}
		ctx, cancel := context.WithTimeout(t.Context(), 60*ms)
		defer cancel()
		if err := l.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close: %v; want one that wraps the context's", err)
		}
		done, closed := 0, 0
		for range 4 { // all have their answers now
			select {
			case err := <-errs:
				if err == nil {
					done++
				} else if err == ErrClosed {
					closed++
				}
			default:
			}
			synctest.Wait()
		}
		if done != 1 || closed != 3 {
			t.Errorf("%d done and %d closed; want 1 and 3 of 4", done, closed)
		}
		if n := l.Stats().Classes[1]; n.Running != 1 || n.Canceled != 2 {
			t.Errorf("with one still in a worker's hand: %+v", n)
		}
		time.Sleep(time.Second)
		if n := l.Stats().Classes[1]; n.Running != 0 || n.Canceled != 3 || n.Completed != 1 {
			t.Errorf("later: %+v", n)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Errorf("Close when nothing is left: %v", err)
		}
	})
}

// Close waits for a chain that is between two tasks, until its caller comes with the next, is
// refused it, or says that none comes.
func TestCloseBetweenTwoTasks(t *testing.T) {
	canceled := func(l *lab) context.Context {
		ctx, cancel := context.WithCancel(l.t.Context())
		cancel()
		return ctx
	}
	for _, c := range []struct {
		name   string
		goesOn func(l *lab, next *Task) error
		want   error
		closes time.Duration // this long after that
	}{
		{"it comes", func(l *lab, next *Task) error { return l.Do(l.t.Context(), next) }, nil, 80 * ms},
		{"it does not", func(l *lab, next *Task) error { l.End(next.Chain); return nil }, nil, 0},
		{"its caller has left", func(l *lab, next *Task) error { return l.Do(canceled(l), next) }, context.Canceled, 0},
		{"its memory has", func(l *lab, next *Task) error {
			l.SetMemory(0)
			if _, ok := errors.AsType[*Refusal](l.Do(l.t.Context(), next)); !ok {
				return errors.New("it was let in")
			}
			return nil
		}, nil, 0},
		{"Close gives up", func(l *lab, next *Task) error {
			if err := l.Close(canceled(l)); !errors.Is(err, context.Canceled) {
				t.Errorf("Close gives up a chain and returns %v; want the context's error", err)
			}
			return l.Do(l.t.Context(), next)
		}, ErrClosed, 0},
	} {
		bubble(t, func(t *testing.T) {
			l := newLab(t, Config{Workers: 1, Memory: 1 << 30})
			var chain Chain
			defer l.End(&chain)
			first, next := task(hash), task(big)
			first.Rest, first.Chain = []*Task{next}, &chain
			next.Continues, next.Chain = true, &chain
			if err := l.Do(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			closed := make(chan time.Time, 1)
			go func() {
				if err := l.Close(context.Background()); err != nil {
					t.Errorf("%s: Close: %v", c.name, err)
				}
				closed <- time.Now()
			}()
			if synctest.Wait(); len(closed) > 0 {
				t.Errorf("%s: Close has returned before that", c.name)
			}
			if err := l.Do(t.Context(), task(hash)); err != ErrClosed {
				t.Errorf("%s: one that begins: %v; want ErrClosed", c.name, err)
			}
			began := time.Now()
			if err := c.goesOn(l, next); err != c.want {
				t.Errorf("%s: %v; want %v", c.name, err, c.want)
			}
			if d := (<-closed).Sub(began); d != c.closes {
				t.Errorf("%s: Close took %v more; want %v", c.name, d, c.closes)
			}
			if n := l.between; n != 0 {
				t.Errorf("%s: %d chains are between two tasks at the end", c.name, n)
			}
		})
	}
}

// A caller that dies while a worker has its task, of a context that panics, has ended its chain before the task
// is done: Close waits for nothing more.
func TestCloseAfterACallerDied(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Memory: 1 << 30})
		var chain Chain
		first, next := task(hash), task(big)
		first.Rest, first.Chain = []*Task{next}, &chain
		func() {
			defer func() {
				if recover() == nil {
					t.Error("control: the caller lives")
				}
			}()
			defer l.End(&chain)
			l.Do(deadly{t.Context()}, first)
		}()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		began := time.Now()
		if err := l.Close(ctx); err != nil || time.Since(began) != 50*ms {
			t.Errorf("Close: %v after %v; want it when the task of 50 ms is done", err, time.Since(began))
		}
	})
}

// A deadly context panics when somebody waits for it.
type deadly struct{ context.Context }

func (deadly) Done() <-chan struct{} { panic("deadly") }

// A context is its caller's own code: one that is slow, or asks the scheduler something, is no one else's affair.
func TestContextsAreAskedUnlocked(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		ctx := curious{t.Context(), l}
		l.Do(ctx, task(hash))
		go l.Do(t.Context(), task(hash))
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), 20*ms)
		defer cancel()
		ctx.Context = short
		l.Do(ctx, task(hash))
		for range 2 {
			l.Close(ctx)
		}
	})
}

// A curious context wants the scheduler's lock.
type curious struct {
	context.Context
	l *lab
}

func (c curious) look(asked string) {
	if !c.l.Scheduler.mu.TryLock() {
		c.l.t.Errorf("%s is asked under the lock", asked)
		return
	}
	c.l.Scheduler.mu.Unlock()
}

func (c curious) Err() error {
	c.look("Err")
	return c.Context.Err()
}

func (c curious) Deadline() (time.Time, bool) {
	c.look("Deadline")
	return c.Context.Deadline()
}

func (c curious) Done() <-chan struct{} {
	c.look("Done")
	return c.Context.Done()
}

// burst sends tasks at once and waits for them.
func (l *lab) burst(tasks ...*Task) (errs []error) {
	errs = make([]error, len(tasks))
	var wg sync.WaitGroup
	for i, k := range tasks {
		k.Principal = uint64(i)
		wg.Go(func() { errs[i] = l.Do(l.t.Context(), k) })
		synctest.Wait()
	}
	wg.Wait()
	return errs
}

func several(n int, k Kind) []*Task {
	tasks := make([]*Task, n)
	for i := range tasks {
		tasks[i] = task(k)
	}
	return tasks
}

// 1,000 callers with 64 MiB each, a budget of 192 MiB and 8 workers: three at a
// time, and none lost.
func TestMemoryBudget(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 8, Memory: 192 << 20})
		tasks := several(1000, big)
		for _, k := range tasks {
			k.Memory = 64 << 20
		}
		errs := l.burst(tasks...)
		done, refused := 0, 0
		for _, err := range errs {
			if err == nil {
				done++
			} else if _, ok := errors.AsType[*Refusal](err); ok {
				refused++
			}
		}
		if l.peak != 3 || l.held != 192<<20 {
			t.Errorf("%d ran at once with %d MiB; want 3 with 192", l.peak, l.held>>20)
		}
		if done+refused != 1000 || done < 30 {
			t.Errorf("%d done and %d refused of 1000; want all, and at least 30 done in a second", done, refused)
		}
		k := task(big)
		k.Memory = 193 << 20
		if r, ok := errors.AsType[*Refusal](l.Do(t.Context(), k)); !ok || r.Reason != Memory {
			t.Errorf("more than the budget: %v; want a refusal for memory", r)
		}
	})
}

// When one that stood in the way goes, what is behind it begins.
func TestCanceledMakesWay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 2, Memory: 1 << 20})
		l.margin = 0
		first, blocks, behind := task(big), task(big), task(hash)
		blocks.Principal, behind.Principal = 2, 3
		var wg sync.WaitGroup
		wg.Go(func() { l.within(first, 0) })
		synctest.Wait()
		wg.Go(func() { l.within(blocks, 161*ms) })
		synctest.Wait()
		wg.Go(func() { l.within(behind, 0) })
		synctest.Wait()
		if behind.Begun() {
			t.Error("passed one without time to lose")
		}
		l.abandon(blocks, context.Canceled)
		synctest.Wait()
		if !behind.Begun() {
			t.Error("still waits for one that has gone")
		}
		wg.Wait()
	})
}

// What needs two workers waits for the second of them while the first is idle. That
// counts, for its own deadline and for those behind it, also when it comes after
// them.
func TestIdleWorkersCount(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 2})
		l.margin = 0
		var wg sync.WaitGroup
		for _, k := range []*Task{task(hash), task(half)} {
			wg.Go(func() { l.within(k, 0) })
			synctest.Wait()
		}
		// Half of 75 ms from now both would be idle, but the second ends after 50.
		if _, ok := errors.AsType[*Refusal](l.within(task(pair), 88*ms)); !ok {
			t.Error("one that can't begin within 48 ms was let in")
		}
		if err := l.within(task(pair), 110*ms); err != nil {
			t.Errorf("one that can begin within 70 ms: %v", err)
		}
		wg.Wait()
	})
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 2})
		l.margin = 0
		var wg sync.WaitGroup
		for i, k := range []*Task{task(pair), task(pair)} { // one runs, one waits 40 ms and has 42
			k.Principal = uint64(i)
			wg.Go(func() {
				if err := l.within(k, 82*ms); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		k := task(hash) // behind, but then the second may wait for a worker that it keeps
		k.Principal = 3
		if r, ok := errors.AsType[*Refusal](l.within(k, 0)); !ok || r.Reason != Deadline {
			t.Errorf("one that mixes: %v; want a refusal for the deadline of another", r)
		}
		wg.Wait()
	})
}

// A task with more threads than there are workers takes all of them.
func TestThreads(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 3})
		wide := task(pair)
		wide.Threads = 8
		if err := l.Do(t.Context(), wide); err != nil {
			t.Fatal(err)
		}
		for _, err := range l.burst(wide, task(hash), task(hash)) {
			if err != nil {
				t.Error(err)
			}
		}
		if l.peak != 2 {
			t.Errorf("%d at once; want the wide one alone, and then two", l.peak)
		}
	})
}

// Without a number of workers there are as many as GOMAXPROCS, also after it has
// changed.
func TestWorkersFollowGOMAXPROCS(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{})
		l.SetWorkers(0)
		for _, n := range []int{3, 5, 1} {
			runtime.GOMAXPROCS(n)
			l.peak = 0
			l.burst(several(10, hash)...)
			if l.peak != n || l.Stats().Workers != n {
				t.Errorf("%d ran at once, Stats says %d workers; want %d", l.peak, l.Stats().Workers, n)
			}
		}
	})
}

// What is set takes effect on what waits.
func TestSetWhileRunning(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Memory: 1 << 20, MaxWait: time.Minute})
		var wg sync.WaitGroup
		for i := range uint64(8) {
			k := task(hash)
			k.Principal = i
			wg.Go(func() { l.Do(t.Context(), k) })
			synctest.Wait()
		}
		l.SetWorkers(4)
		synctest.Wait()
		if n := l.Stats().Classes[1]; n.Running != 4 {
			t.Errorf("%d run after one worker has become four", n.Running)
		}
		l.SetWorkers(1)
		time.Sleep(60 * ms)
		if n := l.Stats().Classes[1]; n.Running != 1 {
			t.Errorf("%d run after four workers have become one", n.Running)
		}
		wg.Wait()

		l.SetClass(2, false)
		k := task(hash)
		k.Class = 2
		if r, ok := errors.AsType[*Refusal](l.Do(t.Context(), k)); !ok || r.Reason != Off {
			t.Errorf("a class that is off: %v", r)
		}
		l.SetClass(2, true)
		if err := l.Do(t.Context(), k); err != nil {
			t.Errorf("a class that is on again: %v", err)
		}
		l.SetMemory(0)
		if r, ok := errors.AsType[*Refusal](l.Do(t.Context(), task(big))); !ok || r.Reason != Memory {
			t.Errorf("with no memory: %v", r)
		}
	})
}

// Of what can't run any more, all is dropped at once, however much it is.
func TestManyAreDropped(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Memory: 1 << 20, MaxWait: time.Hour})
		var wg sync.WaitGroup
		for i, k := range append(several(3*scan, big), task(hash)) {
			k.Principal = uint64(i)
			wg.Go(func() { l.Do(t.Context(), k) })
			synctest.Wait()
		}
		l.SetMemory(0)
		if n := l.Stats().Classes[1]; n.Queued != 1 || n.Dropped != 3*scan-1 {
			t.Errorf("%d are left and %d dropped; want the one that needs no memory", n.Queued, n.Dropped)
		}
		wg.Wait()
	})
}

// An overload begins with the first task refused for want of time, is over when
// none has been for a while, and is told of once each time. Meanwhile the last
// class is shed.
func TestOverload(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var told []bool
		var at []time.Time
		l := newLab(t, Config{Workers: 1, MaxWait: 200 * ms, Overload: func(began bool, s Stats) {
			told, at = append(told, began), append(at, time.Now())
			if s.Overload == 0 {
				t.Error("the snapshot knows of no overload")
			}
		}})
		l.burst(several(3, hash)...)
		if synctest.Wait(); len(told) != 0 {
			t.Fatal("an overload though nothing was refused")
		}
		began := time.Now()
		l.burst(several(20, hash)...)
		last := task(hash)
		last.Class = 2
		if r, ok := errors.AsType[*Refusal](l.Do(t.Context(), last)); !ok || r.Reason != Shed {
			t.Errorf("the last class during an overload: %v; want it shed", r)
		}
		time.Sleep(4 * time.Second)
		l.burst(several(20, hash)...)
		again := time.Now()
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(told) != 2 || !told[0] || told[1] {
			t.Fatalf("told %v; want once that it began, and once that it ended", told)
		}
		if !at[0].Equal(began) {
			t.Errorf("told %v after it began", at[0].Sub(began))
		}
		if d := at[1].Sub(again); d < calm-time.Second || d > calm {
			t.Errorf("over %v after the second burst; want %v after its last refusal", d, calm)
		}
		if l.Stats().Overload != 0 {
			t.Error("Stats says that it is not over")
		}
		if err := l.Do(t.Context(), last); err != nil {
			t.Errorf("the last class after the overload: %v", err)
		}
	})
}

// A class that comes later and goes first may make others late: they are dropped,
// the last class at the first sign.
func TestHigherClassesGoFirst(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{})
		load := func(class int, rate float64) arrivals {
			return arrivals{rate: rate, lasts: 30 * time.Second, make: func() *Task {
				k := task(hash)
				k.Class, k.Principal = class, l.rng.Uint64N(1000)
				return k
			}}
		}
		all := l.open(l.Do, load(0, 20), load(1, 60), load(2, 40)) // capacity 40
		good := func(class int) float64 {
			sent := count(all, func(v verdict) bool { return v.task.Class == class })
			return float64(count(all, func(v verdict) bool { return v.task.Class == class && v.good() })) / float64(sent)
		}
		if good(0) < 0.99 || good(1) < 0.25 || good(2) > 0.02 {
			t.Errorf("of the first class %.2f were answered in time, of the second %.2f, of the last %.2f; "+
				"want all, about a third and none", good(0), good(1), good(2))
		}
	})
}

// queuing returns how many principals have anything in the queue.
func (s *Scheduler) queuing() (n int) {
	for _, one := range s.shares.of {
		if one.total > 0 {
			n++
		}
	}
	return n
}

// A caller whose deadline passes has not left: the one is the scheduler's affair, the
// other the client's. Either counts once, whether the task waits or runs.
func TestLeftOrLate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		l.noise = func() float64 { return 4 } // 200 ms
		left, cancel := context.WithCancel(t.Context())
		late, stop := context.WithTimeout(t.Context(), 150*ms)
		defer stop()
		var wg sync.WaitGroup
		for _, c := range []struct {
			ctx  context.Context
			want error
		}{{late, context.DeadlineExceeded}, {left, context.Canceled}} {
			wg.Go(func() {
				if err := l.Do(c.ctx, task(hash)); err != c.want {
					t.Errorf("got %v; want %v", err, c.want)
				}
			})
			synctest.Wait()
		}
		time.Sleep(10 * ms)
		cancel()
		wg.Wait()
		time.Sleep(time.Second)
		if n := l.Stats().Classes[1]; n.Expired != 1 || n.Canceled != 1 || n.Dropped != 0 {
			t.Errorf("one late and one who left are counted as %+v", n)
		}
	})
}

// What can never run is not counted, and leaves no kind behind.
func TestImpossible(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Memory: 1})
		if r, ok := errors.AsType[*Refusal](l.Do(t.Context(), task(big))); !ok || r.Reason != Memory {
			t.Errorf("more than the budget: %v; want a refusal for memory", r)
		}
		if s := l.Stats(); s.Classes != [Classes]Counts{} || len(s.Timings) != 0 || len(s.Top) != 0 {
			t.Errorf("it left %+v, %+v, %+v", s.Classes, s.Timings, s.Top)
		}
	})
}

// One notice at a time, and in order: the next overload may begin while the end of the
// last one is still told.
func TestOverloadNoticesAreInOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var mu sync.Mutex
		telling, told := 0, ""
		l := newLab(t, Config{Workers: 1, MaxWait: 100 * ms, Overload: func(began bool, _ Stats) {
			mu.Lock()
			if telling++; telling > 1 {
				t.Error("two notices at once")
			}
			told += map[bool]string{true: "(", false: ")"}[began]
			mu.Unlock()
			time.Sleep(3 * time.Second)
			mu.Lock()
			telling--
			mu.Unlock()
		}})
		for range 4 {
			l.burst(several(20, hash)...)
			time.Sleep(calm + 4*time.Second) // its end is told now
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if told != "()()()()" {
			t.Errorf("told %s; want the beginning and the end of four", told)
		}
	})
}

// A deadline that comes without a monotonic reading is turned into one that has it,
// so that no two tasks are compared by one clock and others by another; and no
// deadline or MaxWait is so far that it loses it.
func TestDeadlinesAreMonotonic(t *testing.T) {
	stop := make(chan struct{})
	s := New(Config{
		Workers: 1, Queue: 99, MaxWait: 1<<63 - 1,
		Run:    func(int, []*Task) { <-stop },
		Jitter: func(n time.Duration) time.Duration { return n / 2 },
	})
	defer s.Close(context.Background())
	defer close(stop)
	for i, limit := range []time.Time{
		{}, time.Now().Add(time.Hour), time.Now().Add(time.Hour).Round(0), time.Unix(1<<40, 0), time.Unix(1<<33, 0),
	} {
		k := task(hash)
		k.done = make(chan struct{})
		k.Principal = uint64(i)
		if _, err := s.submit(said(limit), k); err != nil {
			t.Fatal(err)
		}
		for name, at := range map[string]time.Time{"due": k.due, "latest": k.latest, "expires": k.expires} {
			if at == at.Round(0) {
				t.Errorf("deadline %v: %s is %v, without a monotonic reading", limit, name, at)
			}
		}
	}
}

// said is a context that says so of its deadline, and nothing else.
type said time.Time

func (s said) Deadline() (time.Time, bool) { return time.Time(s), !time.Time(s).IsZero() }
func (said) Done() <-chan struct{}         { return nil }
func (said) Err() error                    { return nil }
func (said) Value(any) any                 { return nil }

// silent is a context that closes Done and does not say why.
type silent struct {
	context.Context
	done chan struct{}
}

func (s silent) Done() <-chan struct{} { return s.done }
func (silent) Err() error              { return nil }

// A task that its context takes back is no success, whatever the context says of it.
func TestSilentContext(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		ctx := silent{t.Context(), make(chan struct{})}
		var wg sync.WaitGroup
		for range 2 { // one runs, one waits
			wg.Go(func() {
				if err := l.Do(ctx, task(hash)); err != context.Canceled {
					t.Errorf("got %v, want context.Canceled", err)
				}
			})
			synctest.Wait()
		}
		close(ctx.done)
		wg.Wait()
		time.Sleep(time.Second)
		if n := l.Stats().Classes[1]; n.Canceled != 2 || n.Completed != 0 {
			t.Errorf("counted as %+v", n)
		}
	})
}
