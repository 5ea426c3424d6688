// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"math"
	"slices"
	"time"

	"fount/internal/fleet/choice"
)

// A route is a way to find a worker for a call.
type route struct {
	name string

	choices int     // the best of so many drawn from those known; 0: the queue group
	own     int     // not drawn: the best of the principal's own so many
	leaves  float64 // workers leave the queue group while they have so much of MaxWait to do
	tokens  bool    // clients ask those that asked for work, and the queue group without such
	ask     int     // so many are asked first, and the best gets the call
	probes  int     // so many are asked beside each call, for those to come
	oracle  bool    // clients know everything

	every  time.Duration // workers publish so often; 0: never
	change float64       // and when their wait is off by so much of MaxWait
	gap    time.Duration // but not more often
	echo   bool          // and tell with each reply
	mine   bool          // clients add what they have sent since

	tries   int     // requests for one call, at most
	careful bool    // the second one is made only where room is known
	silence float64 // who has not published for so many intervals is gone
	local   bool    // clients refuse when no worker that they know has room
	by      measure // what clients compare
}

// chosen is what docs/design/0018-routing.md decides for: the better of two by news of every 100 ms and of each reply,
// and a second request for what is refused, or is at a worker that has fallen silent.
var chosen = route{name: "two", choices: choice.Of, every: choice.Every, echo: true, mine: true, tries: choice.Tries,
	silence: float64(choice.Quiet / choice.Every)}

// but returns the chosen one with a change.
func but(name string, change func(r *route)) route {
	r := chosen
	r.name = name
	change(&r)
	return r
}

// routes are all that were tried.
var routes = []route{
	{name: "group", tries: 1},
	{name: "group-second", tries: 2},
	{name: "leave", leaves: 0.9, tries: 2},
	{name: "leave-early", leaves: 0.5, tries: 2},
	{name: "tokens", tokens: true, tries: 2},
	{name: "ask-two", ask: 2, choices: 2, tries: 2},
	{name: "probes", probes: 3, choices: 2, mine: true, tries: 2},
	but("hash-one", func(r *route) { r.own = 1 }),
	but("hash-two", func(r *route) { r.own = 2 }),
	{name: "all-stale", choices: math.MaxInt, every: 100 * ms, tries: 1},
	but("all", func(r *route) { r.choices = math.MaxInt }),
	{name: "two-stale", choices: 2, every: 100 * ms, tries: 1},
	chosen,
	but("two-once", func(r *route) { r.tries = 1 }),
	but("two-thrice", func(r *route) { r.tries = 3 }),
	but("two-careful", func(r *route) { r.careful = true }),
	but("two-local", func(r *route) { r.local = true }),
	but("two-second", func(r *route) { r.every = time.Second }),
	but("two-change", func(r *route) { r.change, r.gap, r.echo = 0.15, 20*ms, false }),
	but("two-drains", func(r *route) { r.by = drains }),
	but("two-waits", func(r *route) { r.by = waits }),
	but("three", func(r *route) { r.choices = 3 }),
	{name: "sees-all", oracle: true, tries: 1},
}

// A measure is what makes one worker better than another.
type measure int

const (
	answers measure = iota // when the call would be answered, if it is computed by itself
	drains                 // the wait, and what the call adds to it
	waits                  // the wait
)

// of returns the measure of a worker for a call of a sort, whose wait is known.
func (m measure) of(n *news, wait time.Duration, sort int) time.Duration {
	switch m {
	case answers:
		return wait + n.alone[sort]
	case drains:
		return wait + n.drain[sort]
	}
	return wait
}

func (r *route) quiet() time.Duration { return time.Duration(r.silence * float64(r.every)) }

// pick returns whom the first request goes to.
func (r *route) pick(c *client, k *call) int {
	switch {
	case r.oracle:
		return r.known(c, k)
	case r.tokens:
		for len(c.tokens) > 0 {
			t := c.tokens[0]
			c.tokens = c.tokens[1:]
			if time.Since(t.at) < time.Second && !slices.Contains(k.tried, t.worker) {
				return t.worker
			}
		}
		return queueGroup
	case r.probes > 0:
		defer func() {
			for _, w := range c.rng.Perm(len(c.workers))[:min(r.probes, len(c.workers))] {
				c.probe(w, func(n *news) {
					if n != nil {
						c.hears(w, *n)
					}
				})
			}
		}()
		var ids []int
		for _, w := range c.fresh(k) {
			if time.Since(c.views[w].Heard) < time.Second {
				ids = append(ids, w)
			}
		}
		return r.best(c, k, ids)
	case r.own > 0:
		ids := c.fresh(k)
		slices.SortFunc(ids, func(a, b int) int {
			return compare(mix(k.principal<<16^uint64(a)), mix(k.principal<<16^uint64(b)))
		})
		return r.best(c, k, ids[:min(r.own, len(ids))])
	case r.choices == 0:
		return queueGroup
	}
	ids := c.fresh(k)
	if r.local && len(ids) > 0 && len(k.tried) == 0 && !slices.ContainsFunc(ids, func(w int) bool { return r.room(c, k, w) }) {
		return nobody
	}
	return r.best(c, k, choice.Draw(ids, r.choices, c.rng.IntN))
}

func compare(a, b uint64) int {
	if a < b {
		return -1
	}
	return 1
}

// best returns the one that would answer first, as far as the client knows.
func (r *route) best(c *client, k *call, ids []int) int {
	if best, ok := choice.Best(ids, func(w int) time.Duration {
		v := c.views[w]
		return r.by.of(&v.news, v.Now(time.Now()), k.sort)
	}); ok {
		return best
	}
	return queueGroup
}

// room reports whether a worker would let the call in, as far as the client knows.
func (r *route) room(c *client, k *call, w int) bool {
	v := c.views[w]
	return v.Now(time.Now()) < maxWait*8/9 && v.Now(time.Now())+v.alone[k.sort] < k.left()
}

// second returns whom the next request goes to.
func (r *route) second(c *client, k *call) int {
	switch {
	case r.oracle:
		return nobody
	case r.choices == 0 && r.own == 0:
		return queueGroup
	}
	ids := c.fresh(k)
	if r.careful {
		ids = slices.DeleteFunc(ids, func(w int) bool { return !r.room(c, k, w) })
	}
	if len(ids) == 0 {
		return nobody
	}
	return r.best(c, k, choice.Draw(ids, r.choices, c.rng.IntN))
}

// known is what a client would pick that sees into the workers.
func (r *route) known(c *client, k *call) int {
	best, least := nobody, time.Duration(math.MaxInt64)
	for _, w := range c.workers {
		if !w.up || w.leaving || !w.stands().IsZero() || w.link().cut.After(time.Now()) {
			continue
		}
		n := w.lately()
		if e := r.by.of(&n, n.wait, k.sort); e < least {
			best, least = w.id, e
		}
	}
	return best
}
