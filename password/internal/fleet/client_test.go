// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"maps"
	"slices"
	"time"

	"fount/internal/fleet/choice"
)

// What becomes of a call: just one of these.
type outcome int

const (
	pending  outcome = iota
	answered         // in its deadline
	refused          // the client heard so, or had nobody to ask
	expired          // neither came in its deadline
	canceled         // the caller went away
)

// A call is one verify.
type call struct {
	id, principal uint64
	sort          int
	flood         bool
	client        *client
	begin         time.Time
	within        time.Duration
	patience      time.Duration // after which the caller goes away; 0: it stays

	try      int   // counts the requests
	at       int   // where the last one was sent to
	tried    []int // whom it came to, as far as the client knows
	seen     []int // whom it came to
	admitted bool  // some worker let it in

	lost    bool // by mistake
	ends    int  // outcomes that the caller was told: one
	outcome outcome
	took    time.Duration
}

func (k *call) came(w int) { k.seen = append(k.seen, w) }

func (k *call) left() time.Duration { return k.within - time.Since(k.begin) }

// A view is what a client knows of a worker.
type view struct {
	choice.View
	news
}

// A token is a worker's wish for one call.
type token struct {
	worker int
	at     time.Time
}

// A client is a process that asks the fleet.
type client struct {
	*world
	id      int
	online  bool
	pending map[uint64]*call
	views   []*view // by worker; nil: never heard of
	tokens  []token
	rtt     time.Duration // of a request that waits for no work
}

func (c *client) link() *link { return &c.broker.clients[c.id] }

// submit begins a call.
func (c *client) submit(k *call) {
	k.client, k.begin = c, time.Now()
	c.pending[k.id] = k
	if !c.mistakes.forgets {
		c.after(k.within, func() { c.giveUp(k, expired) })
	}
	if k.patience > 0 {
		c.after(k.patience, func() { c.giveUp(k, canceled) })
	}
	if c.route.ask > 0 {
		c.askThenSend(k)
		return
	}
	c.send(k, c.route.pick(c, k))
}

// finish tells the caller.
func (c *client) finish(k *call, o outcome) {
	if k.lost || k.ends > 0 && !c.mistakes.repeats {
		return
	}
	k.ends++
	k.outcome, k.took = o, time.Since(k.begin)
	delete(c.pending, k.id)
}

// giveUp ends a call that has no answer, and frees its place.
func (c *client) giveUp(k *call, why outcome) {
	if k.ends > 0 {
		return
	}
	c.finish(k, why)
	for _, w := range k.seen {
		c.free(k, w)
	}
}

// free tells a worker that nobody waits.
func (c *client) free(k *call, w int) {
	if !c.online {
		return
	}
	b := c.broker
	b.toBroker(c.link(), func() {
		if b.route(w) == w {
			b.fromBroker(&b.links[w], func() { c.workers[w].cancel(k.id) })
		}
	})
}

// send makes a request.
func (c *client) send(k *call, to int) {
	if !c.online || to == nobody {
		c.finish(k, refused)
		return
	}
	k.try++
	k.at = to
	left := k.left() - c.rtt
	if to >= 0 {
		k.tried = append(k.tried, to)
		if v := c.views[to]; v != nil && c.route.mine && v.drain != nil {
			v.Mine += v.drain[k.sort]
		}
	}
	b, try := c.broker, k.try
	b.toBroker(c.link(), func() {
		w := b.route(to)
		if w == nobody {
			b.fromBroker(c.link(), func() { c.unheard(k, try) })
			return
		}
		b.fromBroker(&b.links[w], func() { c.workers[w].receive(k, try, left) })
	})
}

// unheard notes that a request had no receiver.
func (c *client) unheard(k *call, try int) {
	if w := k.at; w >= 0 && c.views[w] != nil && k.try == try {
		c.views[w].Gone = true
		if k.ends == 0 {
			c.again(k)
		}
		c.resend(func(k *call) bool { return k.at == w && c.route.silence > 0 }, c.elsewhere)
		return
	}
	if k.ends == 0 && k.try == try {
		c.again(k)
	}
}

// receive takes in a reply.
func (c *client) receive(k *call, try int, r reply) {
	if !c.online {
		return
	}
	if r.news != nil {
		c.hears(r.from, *r.news)
	}
	if !slices.Contains(k.tried, r.from) {
		k.tried = append(k.tried, r.from)
	}
	if r.ok {
		others := k.ends == 0 && len(k.seen) > 1
		c.finish(k, answered)
		for _, w := range k.seen {
			if others && w != r.from {
				c.free(k, w)
			}
		}
		return
	}
	if k.ends > 0 || try != k.try {
		return
	}
	if !r.admitted {
		c.rtt += (time.Since(k.begin) - r.took - c.rtt) / 8
		c.rtt = min(c.rtt, 20*ms)
	}
	c.again(k)
}

// again makes a second try, or gives up.
func (c *client) again(k *call) {
	switch {
	case c.mistakes.drops && k.try > 1:
		k.lost = true
	case k.try >= c.route.tries || k.left() < 0:
		c.finish(k, refused)
	default:
		c.send(k, c.route.second(c, k))
	}
}

// hears takes in news.
func (c *client) hears(w int, n news) {
	if !c.online {
		return
	}
	c.views[w] = &view{choice.View{Heard: time.Now(), Wait: n.wait, Draining: n.leaving}, n}
}

// fresh returns the workers that the client may pick for a call.
func (c *client) fresh(k *call) (ids []int) {
	for w, v := range c.views {
		if v == nil || v.Gone || v.Draining || slices.Contains(k.tried, w) {
			continue
		}
		if c.route.silence > 0 && time.Since(v.Heard) > c.route.quiet() {
			continue
		}
		ids = append(ids, w)
	}
	return ids
}

// watch sends again what is at workers that have fallen silent.
func (c *client) watch() {
	if c.route.silence == 0 {
		return
	}
	c.after(c.route.every/2, func() {
		for w, v := range c.views {
			if v != nil && !v.Gone && time.Since(v.Heard) > c.route.quiet() {
				v.Gone = true
				c.resend(func(k *call) bool { return k.at == w }, c.elsewhere)
			}
		}
		c.watch()
	})
}

// resend looks at all pending calls for which something holds, in order.
func (c *client) resend(which func(k *call) bool, how func(k *call)) {
	if c.route.tries < 2 {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(c.pending)) {
		if k := c.pending[id]; which(k) {
			how(k)
		}
	}
}

// elsewhere makes another request for a call that is at a silent worker. Where all others have refused it, it is
// refused; where no other is known, it may yet be answered.
func (c *client) elsewhere(k *call) {
	if to := c.route.pick(c, k); to >= 0 {
		c.send(k, to)
	} else if len(c.fresh(&call{})) > 0 {
		c.giveUp(k, refused)
	}
}

// connect comes back after the broker has been away: replies may have been lost.
func (c *client) connect() {
	c.online = true
	c.resend(func(k *call) bool { return true }, func(k *call) {
		k.tried = nil
		c.send(k, c.route.pick(c, k))
	})
}

// askThenSend asks some workers how long they would take, and waits for all.
func (c *client) askThenSend(k *call) {
	left := min(c.route.ask, len(c.workers))
	best, least := nobody, time.Duration(0)
	for _, w := range c.rng.Perm(len(c.workers))[:left] {
		c.probe(w, func(n *news) {
			left--
			if n != nil {
				if e := c.route.by.of(n, n.wait, k.sort); best == nobody || e < least {
					best, least = w, e
				}
			}
			if left == 0 && k.ends == 0 {
				c.send(k, best)
			}
		})
	}
}

// probe asks a worker for its news; nil if there is none.
func (c *client) probe(w int, then func(n *news)) {
	b := c.broker
	b.toBroker(c.link(), func() {
		if b.route(w) == nobody {
			b.fromBroker(c.link(), func() { then(nil) })
			return
		}
		b.fromBroker(&b.links[w], func() {
			at := c.workers[w]
			if !at.up || !at.stands().IsZero() {
				return
			}
			n := at.news()
			b.toBroker(at.link(), func() { b.fromBroker(c.link(), func() { then(&n) }) })
		})
	})
}
