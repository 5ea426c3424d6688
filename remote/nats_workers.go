// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"errors"
	"slices"
	"sync"
	"time"

	"fount"
	"fount/internal/fleet"
)

// maxWorkers is how many workers a client knows at most, of which forged news can fill all. It forgets the gone to make room.
const maxWorkers = 1024

// workers are what a client knows of its fleet, by news. Its methods may be called from any goroutine.
type workers struct {
	mu   sync.Mutex
	list []*worker
}

type worker struct {
	id    fleet.WorkerID
	heard time.Time     // when its last news came; zero: a request has found nobody there since
	wait  time.Duration // that they told
	drain bool          // it takes no more
	mine  int           // the client's requests there
}

func newWorkers() *workers { return &workers{} }

// asked are those that a call has asked already.
type asked struct {
	mu      sync.Mutex
	workers []*worker
	group   bool
}

// any reports whether the queue group may be asked: once, if no worker was.
func (a *asked) any() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.group {
		return false
	}
	a.group = true
	return true
}

// receive takes in what is published as news.
func (w *workers) receive(message []byte) {
	n, err := fleet.ParseNews(message)
	if err != nil {
		return
	}
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.list, func(k *worker) bool { return k.id == n.Worker })
	if i < 0 {
		w.list = slices.DeleteFunc(w.list, func(k *worker) bool { return k.gone(now) })
		if len(w.list) == maxWorkers {
			return
		}
		i = len(w.list)
		w.list = append(w.list, &worker{id: n.Worker})
	}
	k := w.list[i]
	k.heard, k.wait, k.drain = now, n.Wait, n.Draining
}

func (k *worker) gone(now time.Time) bool { return now.Sub(k.heard) > fleet.NewsQuiet }

// before reports whether a worker would answer sooner than another. Between news work is done as fast as time passes; of two
// without a wait the one with fewer requests of this client's is better.
func (k *worker) before(o *worker, now time.Time) bool {
	a, b := max(k.wait-now.Sub(k.heard), 0), max(o.wait-now.Sub(o.heard), 0)
	return a < b || a == b && k.mine < o.mine
}

// pick returns the better of two workers that were not asked, or nil if all that are there were.
func (w *workers) pick(now time.Time, a *asked) *worker {
	w.mu.Lock()
	defer w.mu.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	var fresh []*worker
	for _, k := range w.list {
		if !k.gone(now) && !k.drain && !slices.Contains(a.workers, k) {
			fresh = append(fresh, k)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	i := fount.IntN(len(fresh))
	best := fresh[i]
	if len(fresh) > 1 {
		if other := fresh[(i+1+fount.IntN(len(fresh)-1))%len(fresh)]; other.before(best, now) {
			best = other
		}
	}
	a.workers = append(a.workers, best)
	best.mine++
	return best
}

// done notes that a request has ended, and whether it found nobody.
func (w *workers) done(k *worker, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k.mine--
	if errors.Is(err, ErrNoWorker) {
		k.heard = time.Time{}
	}
}
