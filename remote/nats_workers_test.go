// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/fleet"
	"fount/internal/fleet/choice"
)

func workerID(n int) (id fleet.WorkerID) {
	binary.BigEndian.PutUint64(id[:], uint64(n))
	return id
}

// told is a client's knowledge of workers by what each has told.
func told(now time.Time, news ...fleet.News) *workers {
	w := newWorkers()
	for i, n := range news {
		n.Worker = workerID(i)
		w.hear(now, n, true)
	}
	return w
}

func waits(d time.Duration, alone time.Duration) fleet.News {
	return fleet.News{Wait: d, Kinds: []fleet.Estimate{{Cost: aCost, Alone: alone, Drain: 10 * time.Millisecond}}}
}

// A call goes to the worker that should answer first: its wait, less what has been done of it since, what the client has sent there, and
// how long the hash takes there.
func TestNATSPick(t *testing.T) {
	const ms = time.Millisecond
	now := time.Now()
	for name, x := range map[string]struct {
		w    *workers
		at   time.Duration
		want []int // of calls one after the other; -1: nobody
	}{
		"the least wait":             {told(now, waits(50*ms, 0), waits(5*ms, 0)), 0, []int{1, 1, 1}},
		"what was sent counts":       {told(now, waits(25*ms, 0), waits(0, 0)), 0, []int{1, 1, 1, 0}},
		"how long it takes counts":   {told(now, waits(0, 100*ms), waits(50*ms, 20*ms)), 0, []int{1}},
		"waits end":                  {told(now, waits(90*ms, 0), waits(80*ms, 15*ms)), 85 * ms, []int{0}},
		"one that drains":            {told(now, waits(50*ms, 0), fleet.News{Draining: true}), 0, []int{0}},
		"all drain":                  {told(now, fleet.News{Draining: true}), 0, []int{-1}},
		"none known":                 {told(now), 0, []int{-1}},
		"none heard for long":        {told(now, waits(0, 0)), choice.Quiet + 1, []int{-1}},
		"heard just now":             {told(now, waits(0, 0)), choice.Quiet, []int{0}},
		"a hash that nobody told of": {told(now, fleet.News{Wait: ms}, fleet.News{}), 0, []int{1}},
	} {
		for i, want := range x.want {
			p := x.w.pick(now.Add(x.at), aCost, nil)
			if p.ok != (want >= 0) || p.ok && p.id != workerID(want) || p.known != p.ok {
				t.Errorf("%s: call %d goes to %+v; want %d", name, i, p, want)
			}
		}
	}
	if told(now, fleet.News{Draining: true}).any(now) {
		t.Error("one that drains keeps calls from the queue group")
	}
	w := told(now, waits(0, 0), waits(0, 0))
	if p := w.pick(now, aCost, []fleet.WorkerID{workerID(0)}); !p.ok || p.id != workerID(1) {
		t.Errorf("one that was asked already: %+v", p)
	}
	w.unheard(workerID(1))
	if p := w.pick(now, aCost, []fleet.WorkerID{workerID(0)}); p.ok || !p.known {
		t.Errorf("one asked, one that was not there: %+v; want none, and one known", p)
	}
	w.hear(now, fleet.News{Worker: workerID(1)}, false)
	if !w.pick(now, aCost, []fleet.WorkerID{workerID(0)}).ok {
		t.Error("one that is heard again is not chosen")
	}
}

// Each pair of workers is drawn: none but the worst is left out.
func TestNATSPickDraws(t *testing.T) {
	now := time.Now()
	w := told(now, waits(0, 0), waits(time.Second, 0), waits(2*time.Second, 0), waits(3*time.Second, 0))
	picked := map[fleet.WorkerID]int{}
	for range 6000 {
		picked[w.pick(now, fleet.Cost{}, nil).id]++
	}
	for i, want := range []int{3000, 2000, 1000, 0} { // 6 pairs
		if got := picked[workerID(i)]; got < want-300 || got > want+300 {
			t.Errorf("worker %d gets %d of 6000; want %d", i, got, want)
		}
	}
}

// Whatever is published, a client keeps at most so many workers, and so many kinds of each. Those that it hears stay.
func TestNATSForgedNewsAreBounded(t *testing.T) {
	now := time.Now()
	w := newWorkers()
	honest := waits(0, 0)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 { // 2 s
		now = now.Add(100 * time.Microsecond)
		if i%1000 == 0 {
			w.hear(now, honest, true)
		}
		forged := fleet.News{Worker: workerID(rng.IntN(1 << 40))}
		for range rng.IntN(fleet.MaxKinds) {
			forged.Kinds = append(forged.Kinds, fleet.Estimate{Cost: fleet.Cost{Size: rng.Uint32()}})
		}
		if i%2 == 0 {
			forged.Worker = workerID(1 + i%100) // again and again, of other kinds
		}
		w.hear(now, forged, true)
		if len(w.list) > maxWorkers {
			t.Fatalf("%d workers", len(w.list))
		}
	}
	for _, k := range w.list {
		if len(k.kinds) > fleet.MaxKinds {
			t.Fatalf("%d kinds", len(k.kinds))
		}
	}
	if w.find(honest.Worker) == nil {
		t.Error("a worker that is heard was forgotten for forged ones")
	}
	now = now.Add(choice.Quiet + 1)
	w.hear(now, fleet.News{Worker: workerID(-1)}, true)
	if len(w.list) != 1 {
		t.Errorf("%d workers known; want only the one that is heard", len(w.list))
	}
	w.hear(now, fleet.News{Worker: workerID(-2)}, false)
	if w.find(workerID(-2)) != nil {
		t.Error("a worker is known by a reply alone")
	}
}

// What was forged once of a worker is gone with its next news: else 64 kinds of nothing would keep its own out for ever.
func TestNATSForgedKindsPass(t *testing.T) {
	now := time.Now()
	w := newWorkers()
	forged := fleet.News{Wait: fleet.MaxLeft}
	for i := range fleet.MaxKinds {
		forged.Kinds = append(forged.Kinds, fleet.Estimate{Cost: fleet.Cost{Algorithm: 9, Size: uint32(i)}})
	}
	w.hear(now, forged, true)
	honest := waits(0, each)
	w.hear(now, honest, true)
	if k := w.find(honest.Worker); k.takes(aCost) != honest.Kinds[0] || len(k.kinds) != 1 {
		t.Errorf("%+v of %d kinds; want %+v alone", k.takes(aCost), len(k.kinds), honest.Kinds[0])
	}
	w.hear(now, fleet.News{}, false) // behind a refusal, with room for none
	if k := w.find(honest.Worker); k.takes(aCost) != honest.Kinds[0] {
		t.Error("a reply that tells of no kind makes all unknown")
	}
}

// A forger that announces workers which aren't there, or swallow what they get, or that the true ones drain, delays calls; all
// have their answer in time.
func TestNATSForgedNews(t *testing.T) {
	for name, forge := range map[string]func(b *scripted, i int) fleet.News{
		"of nobody":               func(b *scripted, i int) fleet.News { return fleet.News{Worker: workerID(i)} },
		"that workers drain":      func(b *scripted, i int) fleet.News { return fleet.News{Worker: b.peers[i%3].id, Draining: true} },
		"that workers are full":   func(b *scripted, i int) fleet.News { return fleet.News{Worker: b.peers[i%3].id, Wait: fleet.MaxLeft} },
		"of one that swallows":    func(b *scripted, i int) fleet.News { return fleet.News{Worker: b.peers[3].id} },
		"of a dead one, as alive": func(b *scripted, i int) fleet.News { return fleet.News{Worker: b.peers[4].id} },
	} {
		synctest.Test(t, func(t *testing.T) {
			c, b := newScripted(t, 3, NATSOptions{})
			b.start().mute = true
			b.kill(b.start())
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for i := 0; ctx.Err() == nil; i++ {
					c.receive(forge(b, i).AppendTo(nil, fleet.MaxNews))
					time.Sleep(time.Millisecond)
				}
			}()
			var calls sync.WaitGroup
			for i := range 200 {
				calls.Go(func() {
					time.Sleep(time.Duration(i) * 5 * time.Millisecond)
					within, cancel := context.WithTimeout(ctx, time.Second)
					defer cancel()
					if _, err := c.Verify(within, caller, []byte("p"), "p"); err != nil {
						t.Errorf("forged news %s: call %d: %v", name, i, err)
					}
				})
			}
			calls.Wait()
			cancel()
		})
	}
}

// A caller that goes away, at whatever moment, leaves no hash behind.
func TestNATSCancelsAtAllMoments(t *testing.T) {
	for at := time.Duration(0); at < each+10*hop; at += 7 * hop {
		synctest.Test(t, func(t *testing.T) {
			c, b := newScripted(t, 3, NATSOptions{})
			synctest.Wait()
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(at, cancel)
			_, err := c.Verify(ctx, caller, []byte("p"), "p")
			time.Sleep(3 * hop)
			b.mu.Lock()
			defer b.mu.Unlock()
			for i, p := range b.peers {
				if len(p.running) > 0 {
					t.Errorf("given up after %v (%v): worker %d computes", at, err, i)
				}
			}
			if s := c.Stats(); err != nil && (s.Canceled != 1 || s.Cancels != 1 && at > 0) {
				t.Errorf("given up after %v: %+v", at, s)
			}
		})
	}
}

// A reply that comes after another one has counted changes nothing; the call had it from the first.
func TestNATSLateAndDoubleReplies(t *testing.T) {
	for stands := choice.Quiet; stands < choice.Quiet+3*each; stands += each / 20 {
		synctest.Test(t, func(t *testing.T) {
			c, b := newScripted(t, 2, NATSOptions{})
			synctest.Wait()
			time.AfterFunc(each/2, func() { b.hang(b.first(), stands) })
			if _, err := c.Verify(t.Context(), caller, []byte("p"), "p"); err != nil {
				t.Errorf("stands still for %v: %v", stands, err)
			}
			time.Sleep(time.Second)
			b.mu.Lock()
			defer b.mu.Unlock()
			if s := c.Stats(); s.Answered != 1 || s.InFlight != 0 || s.Attempts > 2 || s.Attempts == 2 && s.Cancels != 1 && b.wasted == 0 {
				t.Errorf("stands still for %v: %+v, %d wasted", stands, s, b.wasted)
			}
		})
	}
}

// A call that begins as the only worker comes or goes asks it or the queue group: it does not give up with nobody asked.
func TestNATSBeginsAsWorkersCome(t *testing.T) {
	key, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	c, err := NATS(holder{}, key.Public().String(), NATSOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	var comes sync.WaitGroup
	for range 4 { // they contend, so that one gets between any two looks of a call
		comes.Go(func() {
			for ctx.Err() == nil {
				c.workers.hear(time.Now(), fleet.News{Worker: workerID(1)}, true)
				c.workers.unheard(workerID(1))
			}
		})
	}
	for i := range 2000 {
		within, cancel := context.WithCancel(ctx)
		k := &call{NATSClient: c, ctx: within, request: fleet.Request{Kind: fleet.Verify, Password: []byte("p")}, results: make(chan result)}
		k.deadline, _ = ctx.Deadline()
		k.act(time.Now())
		cancel()
		if len(k.open) == 0 {
			t.Errorf("call %d asks nobody: %+v", i, k.last)
			break
		}
	}
	cancel()
	comes.Wait()
}
