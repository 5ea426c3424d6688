// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// sharing runs ten victims and one that sends nine times as much as all of them,
// at a multiple of capacity, and returns the part of the victims' tasks that were
// answered in time, and the part that would be with max-min fair shares.
func sharing(l *lab, load float64, within func(hog bool) time.Duration) (got, fair float64) {
	const capacity, victims = 40, 10
	seconds := simulated(60)
	sender := func(rate float64, hog bool, who func() uint64) arrivals {
		return arrivals{rate: rate, lasts: time.Duration(seconds) * time.Second,
			within: func() time.Duration { return within(hog) },
			make: func() *Task {
				k := task(hash)
				k.Principal = who()
				return k
			}}
	}
	all := l.open(l.Do,
		sender(0.9*load*capacity, true, func() uint64 { return 0 }),
		sender(0.1*load*capacity, false, func() uint64 { return 1 + l.rng.Uint64N(victims) }))
	sent := count(all, func(v verdict) bool { return v.task.Principal != 0 })
	good := count(all, func(v verdict) bool { return v.task.Principal != 0 && v.good() })
	demand := 0.1 * load * capacity / victims
	return float64(good) / float64(sent), min(1, capacity/(victims+1)/demand)
}

func second(bool) time.Duration { return time.Second }

// One principal with 90 % of the arrivals leaves the others at least 80 % of their
// share, whatever their deadlines.
func TestOnePrincipalLeavesRoom(t *testing.T) {
	loads := []float64{1.5, 10}
	if os.Getenv("FOUNT_LONG") != "" {
		loads = append(loads, 3, 30)
	}
	for name, within := range map[string]func(hog bool) time.Duration{
		"all have 1 s": second,
		"his are short": func(hog bool) time.Duration {
			if hog {
				return 200 * ms
			}
			return time.Second
		},
		"his are long": func(hog bool) time.Duration {
			if hog {
				return time.Minute
			}
			return 300 * ms
		},
	} {
		for _, load := range loads {
			bubble(t, func(t *testing.T) {
				l := newLab(t, Config{})
				got, fair := sharing(l, load, within)
				t.Logf("%s, %gx: the others got %.2f of what they asked for; fair is %.2f", name, load, got, fair)
				if got < 0.8*fair {
					t.Errorf("%s, %gx: the others got %.2f of what they asked for; want at least 0.8 of %.2f",
						name, load, got, fair)
				}
			})
		}
	}
}

// Who is alone keeps the machine as busy as many do.
func TestOnePrincipalAlone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{})
		all := l.open(l.Do, arrivals{rate: 120, lasts: 30 * time.Second, make: func() *Task { return task(hash) }})
		if good := float64(count(all, verdict.good)) / (30 * 40); good < 0.95 {
			t.Errorf("goodput of one principal is %.2f of capacity; want 0.95", good)
		}
	})
}

// Places are shared like time, where the queue is short of them.
func TestPlacesAreShared(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Queue: 10, MaxWait: time.Hour})
		send := func(id uint64) *Refusal { return l.asks(principal(task(hash), id), 0) }
		send(1) // runs
		n := 0
		for send(1) == nil {
			n++
		}
		if n != 6 {
			t.Errorf("one principal got %d of 10 places; want 6, two thirds", n)
		}
		for i := range uint64(4) {
			if r := send(2 + i); r != nil {
				t.Errorf("another one: %v; want a place", r)
			}
		}
		r := send(6)
		l.Scheduler.mu.Lock() // its workers run
		if r != nil || l.shares.of[1].total != 5 {
			t.Errorf("the eleventh: %v, and the first has %d; want that one of its six makes way", r, l.shares.of[1].total)
		}
		for id, mine := range l.shares.of {
			if want := float64(mine.total) * float64(50*ms); math.Abs(mine.charge[1]-want) > 1 {
				t.Errorf("principal %d has %d tasks of 50 ms, counted as %v", id, mine.total, time.Duration(mine.charge[1]))
			}
		}
		l.Scheduler.mu.Unlock()
		time.Sleep(120 * ms) // two or three are done
		l.Scheduler.mu.Lock()
		if mine := l.shares.of[1]; mine.total > 4 || math.Abs(mine.charge[1]-float64(mine.total)*float64(50*ms)) > 1 {
			t.Errorf("then it has %d tasks of 50 ms, counted as %v", mine.total, time.Duration(mine.charge[1]))
		}
		l.Scheduler.mu.Unlock()
		time.Sleep(time.Second)
		synctest.Wait()
		if l.queuing() != 0 {
			t.Errorf("%d principals are still listed in an empty queue", l.queuing())
		}
	})
}

// Nobody makes way in a crowd: a queue without a place is full.
func TestQueueIsFull(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, Queue: 3, MaxWait: time.Hour})
		var wg sync.WaitGroup
		for i := range uint64(4) { // one runs
			k := task(hash)
			k.Principal = i
			wg.Go(func() { l.Do(t.Context(), k) })
			synctest.Wait()
		}
		if r, ok := errors.AsType[*Refusal](l.Do(t.Context(), task(hash))); !ok || r.Reason != Full {
			t.Errorf("the fourth to wait: %v; want a refusal because the queue is full", r)
		}
		wg.Wait()
	})
}

// A light principal whose call would come too late takes the place of a heavy one's.
// The heavy one gets no place from the light one.
func TestHeavyMakesWay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1})
		l.favor = math.Inf(1)
		late := 0
		var wg sync.WaitGroup
		send := func(principal uint64) *Refusal {
			k := task(hash)
			k.Principal = principal
			answer := make(chan *Refusal, 1)
			wg.Go(func() {
				r, _ := errors.AsType[*Refusal](l.within(k, time.Second))
				if r != nil && r.Reason == Evicted {
					late++
				}
				answer <- r
			})
			synctest.Wait()
			select {
			case r := <-answer:
				return r
			default:
				return nil
			}
		}
		for send(1) == nil {
		}
		n := l.Stats().Classes[1]
		for i := range uint64(3) {
			if r := send(2 + i); r != nil || late != int(i)+1 {
				t.Errorf("light principal %d: %v, and %d made way", i, r, late)
			}
		}
		if r := send(1); r == nil {
			t.Error("the heavy one got a place again")
		}
		s := l.Stats().Classes[1]
		if s.Evicted != 3 || s.Dropped != 3 || s.Queued != n.Queued {
			t.Errorf("three made way for three; counted are %+v, before %+v", s, n)
		}
		wg.Wait()
	})
}

// For a second after a call was refused that somebody else's keep out, a principal that is far
// heavier gets no place in the queue. It is heavy by what it was served lately; and a
// call that nobody keeps out, or a rehash, is no reason.
func TestHeavyStaysOut(t *testing.T) {
	const heavy, light = 1, 2
	for _, c := range []struct {
		name   string
		pause  time.Duration // since the heavy principal was served
		class  int           // of the light one's call
		within time.Duration // it has
		later  time.Duration // the heavy one's call comes
		out    bool
	}{
		{"a sign-in is refused", 0, 1, 105 * ms, 0, true},
		{"the same, most of a second ago", 0, 1, 105 * ms, 900 * ms, true},
		{"the same, and the second is over", 0, 1, 105 * ms, 1100 * ms, false},
		{"the same, and who was heavy is no more", 5 * time.Second, 1, 105 * ms, 0, false},
		{"a sign-in is refused that is too short for anyone", 0, 1, 10 * ms, 0, false},
		{"a rehash is refused", 0, 2, 105 * ms, 0, false},
		{"nothing is refused", 0, 1, 10 * time.Second, 0, false},
	} {
		bubble(t, func(t *testing.T) {
			l := newLab(t, Config{Workers: 1, MaxWait: 3 * time.Second})
			for range 60 { // 3 s
				if err := l.Do(t.Context(), principal(task(hash), heavy)); err != nil {
					t.Error(err)
				}
			}
			time.Sleep(c.pause)
			for i := range uint64(30) { // of others, 1.5 s
				l.asks(principal(task(hash), 100+i), 0)
			}
			k := principal(task(hash), light)
			k.Class = c.class
			r := l.asks(k, c.within)
			if refused := r != nil && r.Reason == Deadline; refused != (c.within < time.Second) {
				t.Errorf("%s: the light one got %v", c.name, r)
			}
			time.Sleep(c.later)
			r = l.asks(principal(task(hash), heavy), 0)
			if out := r != nil && r.Reason == Share; out != c.out || !out && r != nil {
				t.Errorf("%s: the heavy one got %v; want it kept out: %v", c.name, r, c.out)
			}
			if r := l.asks(principal(task(hash), light), 0); r != nil {
				t.Errorf("%s: the light one got %v; want a place", c.name, r)
			}
		})
	}
}

// What goes on makes way for none: what was done before it would be lost.
func TestChainsDoNotMakeWay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 1, MaxWait: 300 * ms})
		for range 12 {
			k := principal(task(hash), 1)
			k.Continues = true
			l.asks(k, 0)
		}
		k := principal(task(hash), 2)
		k.Class = 0
		if r := l.asks(k, 0); r == nil || r.Reason != Deadline {
			t.Errorf("600 ms of work before it, and a MaxWait of 300 ms: %v; want a refusal", r)
		}
		time.Sleep(time.Second)
		if n := l.Stats().Classes[1]; n.Completed != 12 {
			t.Errorf("of 12 that go on %d were done, and %d made way; want all done", n.Completed, n.Evicted)
		}
	})
}

// The table of principals does not grow: who has nothing in the queue and was not
// served lately is forgotten.
func TestSharesAreForgotten(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, Config{Workers: 4})
		for i := range uint64(2000) {
			k := task(hash)
			k.Class, k.Principal = int(i%2), i
			if err := l.Do(t.Context(), k); err != nil {
				t.Fatal(err)
			}
		}
		// 20 a second, kept for at most forgotten, turns and the time between two sweeps.
		if most := int(20 * (forgotten + 3*turnEvery).Seconds()); len(l.shares.of) > most {
			t.Errorf("%d principals are kept; want at most %d", len(l.shares.of), most)
		}
	})
}

// Those who leave before they were served are forgotten at once, whatever their class and whether they cancel or are
// dropped: they would outnumber the queue's places and what was begun. Who was served is kept, and so are his turns.
func TestWhoLeavesIsForgotten(t *testing.T) {
	const callers, served = 1000, 7
	for name, within := range map[string]time.Duration{"cancels": time.Hour, "is dropped": 70 * ms} {
		for class := range Classes {
			bubble(t, func(t *testing.T) {
				l := newLab(t, Config{Workers: 1, MaxWait: time.Hour})
				l.margin, l.favor = -1, math.Inf(1) // all are let in
				var wg sync.WaitGroup
				send := func(ctx context.Context, principal uint64) {
					k := task(hash)
					k.Class, k.Principal = class, principal
					wg.Go(func() { l.Do(ctx, k) })
					synctest.Wait()
				}
				send(t.Context(), served) // runs
				ctx, cancel := context.WithTimeout(t.Context(), within)
				defer cancel()
				for i := range uint64(callers) {
					send(ctx, 100+i)
				}
				send(ctx, served)
				l.Scheduler.mu.Lock()
				before := len(l.shares.of)
				mine := *l.shares.of[served]
				l.Scheduler.mu.Unlock()
				if before != callers+1 {
					t.Fatalf("class %d: %d principals; want the one that runs and %d that wait", class, before, callers)
				}
				if name == "cancels" {
					cancel()
				}
				time.Sleep(30 * ms)
				synctest.Wait()
				l.Scheduler.mu.Lock()
				if n := len(l.shares.of); n != 1 || l.waiting != 0 {
					t.Errorf("class %d, each %s: %d principals are kept, %d wait; want the one that was served, and none",
						class, name, n, l.waiting)
				}
				now := l.shares.of[served]
				if now == nil || now.served != mine.served || class == 0 && now.turn != mine.turn.Add(-turnEvery) {
					t.Errorf("class %d: of who was served %+v is kept; before %+v", class, now, mine)
				}
				l.Scheduler.mu.Unlock()
				wg.Wait()
			})
		}
	}
}

// Who was served is forgotten some seconds later, also if his refused calls are weighed all the time.
func TestWhoIsRefusedIsForgotten(t *testing.T) {
	now := time.Now()
	s := newShares()
	t1 := &Task{Principal: 1, charge: float64(time.Second)}
	s.add(t1, now)
	s.remove(t1)
	s.serve(t1, now)
	for range forgotten/time.Second - 1 {
		now = now.Add(time.Second)
		s.deny(&Task{Principal: 1}, now)
	}
	s.swept = time.Time{}
	if s.sweep(now); s.of[1] == nil {
		t.Errorf("forgotten after less than %v", forgotten)
	}
	now = now.Add(1100 * ms)
	s.deny(&Task{Principal: 1}, now)
	s.swept = time.Time{}
	if s.sweep(now.Add(1)); s.of[1] != nil {
		t.Errorf("not forgotten after %v", forgotten)
	}
}

// Who has a call in the queue, or has not all his turns, is not forgotten: neither when another call of his leaves nor
// when those are that are idle.
func TestWhoIsThereIsKept(t *testing.T) {
	const long = forgotten + time.Second
	for _, c := range []struct {
		name string
		has  func(s *shares, t *Task, now time.Time)
		kept time.Duration // since then
	}{
		{"waits", func(*shares, *Task, time.Time) {}, time.Hour},
		{"was served", func(s *shares, t *Task, now time.Time) {
			s.remove(t)
			s.serve(t, now)
		}, forgotten},
		{"has used two turns, and was served", func(s *shares, t *Task, now time.Time) {
			t.goFirst(now)
			t.goFirst(now)
			s.remove(t)
			s.serve(t, now)
		}, 2 * turnEvery},
	} {
		for _, after := range []time.Duration{0, forgotten, long, 2*turnEvery - 1, 2*turnEvery + 1, time.Hour} {
			for name, forget := range map[string]func(s *shares, now time.Time){
				"sweep": func(s *shares, now time.Time) {
					s.swept = time.Time{}
					s.sweep(now)
				},
				"leave": func(s *shares, now time.Time) {
					other := &Task{Principal: 1}
					s.add(other, now)
					s.remove(other)
					s.leave(other, now)
				},
			} {
				s, now := newShares(), time.Now()
				first := &Task{Principal: 1}
				s.add(first, now)
				c.has(&s, first, now)
				forget(&s, now.Add(after))
				if kept := s.of[1] != nil; kept != (after <= c.kept) {
					t.Errorf("%s who %s, %v later: kept is %v", name, c.name, after, kept)
				}
			}
		}
	}
}

// The one that sends most is found among a hundred thousand that send once, and so
// is how much; and the table does not grow.
func TestTop(t *testing.T) {
	top := newTop()
	now := time.Unix(0, 0)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		if rng.IntN(10) == 0 {
			top.add(7, now)
		} else {
			top.add(rng.Uint64()|1<<32, now)
		}
	}
	list := top.list(3)
	if list[0].Principal != 7 || list[0].Tasks < 9500 || list[0].Tasks-list[0].Error > 10500 {
		t.Errorf("first is %+v; want principal 7 with about 10000", list[0])
	}
	if len(top.senders) != topSize || len(top.index) != topSize {
		t.Errorf("%d senders are kept, %d indexed; want %d", len(top.senders), len(top.index), topSize)
	}
	before := list[0].Tasks
	top.add(8, now.Add(3*halfLife))
	if list := top.list(1); list[0].Tasks != before/8 {
		t.Errorf("after three half-lives %d of %d are left; want an eighth", list[0].Tasks, before)
	}
	top.add(8, now.Add(300*halfLife))
	if list := top.list(topSize); len(list) != 1 || list[0] != (Sender{8, 1, list[0].Error}) {
		t.Errorf("long after, %+v are left; want only the last one", list)
	}
}
