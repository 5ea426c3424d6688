// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleetnode

import (
	"time"

	"fount/internal/fleet"
	"fount/internal/fleet/choice"
)

const (
	// fresh is how old the news may be that go with replies, and the estimates that requests are refused by: a look at the pool
	// waits for the lock under which it admits calls.
	fresh = 5 * time.Millisecond

	// refusal is the size of a refusal with its news, in bytes: those of 14 kinds.
	refusal = 256
)

// Every is how often News is to be published.
const Every = choice.Every

// ID returns the worker's: it listens for requests and cancels on fleet.Subject.Worker(ID) too.
func (n *Node) ID() fleet.WorkerID { return n.id }

// News returns what clients must know of the worker to choose it. It is to be published every 100 ms, on connecting, and after
// Leaving.
func (n *Node) News(now time.Time) []byte {
	return n.look(now).AppendTo(nil, fleet.MaxNews)
}

// Leaving has all news say from now on that the worker drains, also those that go with replies. It takes requests until Drain: of
// clients that have not heard it yet.
func (n *Node) Leaving() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.leaving = true
}

// look returns the news of now.
func (n *Node) look(now time.Time) fleet.News {
	news := fleet.News{Worker: n.id}
	if n.estimates != nil {
		e := n.estimates() // with no lock held: it takes the pool's
		news.Wait = e.Wait
		for _, k := range e.Kinds {
			news.Kinds = append(news.Kinds, fleet.Estimate{Cost: fleet.CostOfPolicy(k.Policy), Alone: k.Alone, Drain: k.Drain})
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	news.Draining = n.leaving
	n.news, n.looked = news, now
	n.clear = news.AppendTo(nil, refusal-len(fleet.Refusal{}.AppendTo(nil)))
	return news
}

// lately returns news that may be a little old.
func (n *Node) lately(now time.Time) fleet.News {
	n.mu.Lock()
	news, old := n.news, n.old(now)
	n.mu.Unlock()
	if old {
		return n.look(now)
	}
	return news
}

// old reports whether the news must be made anew. n.mu is held.
func (n *Node) old(now time.Time) bool {
	return now.Sub(n.looked) > fresh || n.news.Draining != n.leaving
}

// inClear returns such news as they stand behind a refusal.
func (n *Node) inClear(now time.Time) []byte {
	n.lately(now)
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.clear
}

// A let is a request that was let through although it was hopeless.
type let struct {
	at   time.Time
	left time.Duration
}

// every is how often a hopeless request of each kind is let through at least.
const every = 50 * time.Millisecond

// hopeless reports whether a request is to be refused unopened, because it has less time than the pool believes that its hash
// takes on an idle worker. Such a request the pool refuses whoever asks, so nobody has to make way for it, and fairness has no
// say. All others are left to the pool, which knows their principals.
//
// Estimates heal only if the pool may try what it believes too slow. So of each kind one request is let through at intervals,
// and one with twice as much time as the last need not wait: whoever sends requests with no time would else keep all others out.
func (n *Node) hopeless(now time.Time, h fleet.Header) bool {
	for _, k := range n.lately(now).Kinds {
		if k.Cost != h.Cost {
			continue
		}
		if h.Left >= k.Alone {
			return false
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		last := n.let[h.Cost]
		if now.Sub(last.at) < every && h.Left <= 2*last.left {
			return true
		}
		if len(n.let) > 2*fleet.MaxKinds { // of policies that were
			clear(n.let)
		}
		n.let[h.Cost] = let{now, h.Left}
		return false
	}
	return false
}

// unlet takes back what hopeless has noted of a request that did not open: garbage, and what was recorded, would else keep out
// those that put estimates right.
func (n *Node) unlet(at time.Time, c fleet.Cost) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.let[c].at.Equal(at) {
		delete(n.let, c)
	}
}
