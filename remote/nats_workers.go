// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"slices"
	"sync"
	"time"

	"fount"
	"fount/internal/fleet"
	"fount/internal/fleet/choice"
)

// maxWorkers is how many workers a client knows at most: 1.6 MB, of which forged news can fill all. It forgets the gone to make room.
const maxWorkers = 1024

// workers are what a client knows of its fleet, by news. Its methods may be called from any goroutine.
type workers struct {
	intN func(n int) int // draws: fount.IntN

	mu      sync.Mutex
	list    []*worker
	fresh   []*worker     // reused
	changed chan struct{} // closed and replaced when a worker comes or goes
}

type worker struct {
	choice.View
	id    fleet.WorkerID
	kinds []fleet.Estimate
}

func newWorkers() *workers {
	return &workers{intN: fount.IntN, changed: make(chan struct{})}
}

// watch returns a channel that is closed when a worker that was unknown or gone is heard, or one no longer drains, or one is found
// gone otherwise than by its silence.
func (w *workers) watch() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changed
}

// change wakes those who watch. w.mu is held.
func (w *workers) change() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// find returns a worker, or nil. w.mu is held.
func (w *workers) find(id fleet.WorkerID) *worker {
	for _, k := range w.list {
		if k.id == id {
			return k
		}
	}
	return nil
}

// hear takes in news. Only published ones make a worker known: a client that can't hear those, and knew who has answered it, would
// send all its calls there.
func (w *workers) hear(now time.Time, n fleet.News, published bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.find(n.Worker)
	if k == nil {
		if !published {
			return
		}
		w.list = slices.DeleteFunc(w.list, func(k *worker) bool { return k.Missing(now) })
		if len(w.list) == maxWorkers {
			return
		}
		k = &worker{id: n.Worker}
		w.list = append(w.list, k)
	}
	came := k.Missing(now) || k.Draining && !n.Draining // forged news had it drain
	k.View = choice.View{Heard: now, Wait: n.Wait, Draining: n.Draining}
	if published {
		k.kinds = n.Kinds // all of them: what was forged before, or is of policies that were, goes
	} else {
		k.learn(n.Kinds)
	}
	if came {
		w.change()
	}
}

// learn takes in estimates; a reply has not all of them.
func (k *worker) learn(kinds []fleet.Estimate) {
	for i, e := range kinds {
		at := i // where it stands if nothing has changed
		if at >= len(k.kinds) || k.kinds[at].Cost != e.Cost {
			at = slices.IndexFunc(k.kinds, func(o fleet.Estimate) bool { return o.Cost == e.Cost })
		}
		switch {
		case at >= 0:
			k.kinds[at] = e
		case len(k.kinds) < fleet.MaxKinds:
			k.kinds = append(k.kinds, e)
		}
	}
}

// takes returns how long the worker takes for a hash; nothing if it has not said.
func (k *worker) takes(c fleet.Cost) fleet.Estimate {
	for _, e := range k.kinds {
		if e.Cost == c {
			return e
		}
	}
	return fleet.Estimate{}
}

// A pick is who gets a call.
type pick struct {
	id      fleet.WorkerID
	answers time.Duration // after how long, as far as the client knows
	ok      bool          // else all that are known were asked
	known   bool          // a worker that takes calls, asked or not
}

// pick returns who of those not asked gets a call.
func (w *workers) pick(now time.Time, c fleet.Cost, asked []fleet.WorkerID) (p pick) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fresh = w.fresh[:0]
	for _, k := range w.list {
		if !w.takesCalls(now, k) {
			continue
		}
		p.known = true // found in the same look: one that is heard between two would be known and not chosen
		if !slices.Contains(asked, k.id) {
			w.fresh = append(w.fresh, k)
		}
	}
	of := func(k *worker) time.Duration { return k.Now(now) + k.takes(c).Alone }
	k, ok := choice.Best(choice.Draw(w.fresh, choice.Of, w.intN), of)
	if !ok {
		return p
	}
	p.id, p.answers, p.ok = k.id, of(k), true
	k.Mine += k.takes(c).Drain
	return p
}

// any reports whether the client knows a worker that takes calls.
func (w *workers) any(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.list, func(k *worker) bool { return w.takesCalls(now, k) })
}

// takesCalls reports whether a worker is there and does not drain. w.mu is held.
func (w *workers) takesCalls(now time.Time, k *worker) bool { return !k.Missing(now) && !k.Draining }

// quietAt returns when a worker will be taken for gone if it is not heard until then; the zero time if it is.
func (w *workers) quietAt(now time.Time, id fleet.WorkerID) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.find(id)
	if k == nil || k.Missing(now) {
		return time.Time{}
	}
	return k.Heard.Add(choice.Quiet)
}

// unheard notes that a request has found nobody at a worker's subject.
func (w *workers) unheard(id fleet.WorkerID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if k := w.find(id); k != nil && !k.Gone {
		k.Gone = true
		w.change()
	}
}

// lost notes that the connection was lost: who is there will be heard again.
func (w *workers) lost() {
	w.mu.Lock()
	defer w.mu.Unlock()
	some := false
	for _, k := range w.list {
		some = some || !k.Gone
		k.Gone = true
	}
	if some {
		w.change()
	}
}
