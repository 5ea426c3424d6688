// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import (
	"sync"
	"sync/atomic"
	"time"

	"fount/internal/erase"
)

const (
	// often is the time after which a Mix asks all sources again while a node is
	// needy, and seldom the time while none is. Asking takes a millisecond.
	often  = int64(time.Second)
	seldom = int64(time.Minute)

	// needy is the credit below which a node comes before its turn: 75 %.
	needy = full * 3 / 4

	// least is the smallest portion of credit handed on: anyone who has learnt a node's
	// key and sees its output could otherwise follow small additions by trying them out.
	least = 64
)

// A feeder says which node is fed next, and when. Only the holder of mu changes anything
// except stale. A feeder starts all zero, and a fork leaves it so in the child.
type feeder struct {
	mu    sync.Mutex
	next  atomic.Int64  // the time at which sources are asked again, 0 for at once
	word  atomic.Uint64 // the uniqueness word under which credits were given
	stale atomic.Bool   // Expire was called
	last  int           // the node that was fed last
}

// refresh brings in new bytes when they are due; it also makes the first keys. One
// goroutine does it, and the others meanwhile use what is there.
func (p *pools) refresh() {
	f := &p.feeder
	now, word := p.now(), p.word()
	if now < f.next.Load() && word == f.word.Load() && !f.stale.Load() {
		return
	}
	if !f.mu.TryLock() {
		return
	}
	defer f.mu.Unlock()
	p.expireCopied(word)
	next, wait := f.next.Load(), seldom
	if next > 0 && now >= next {
		p.gather(p.sink)
		next = now + seldom
	} else {
		p.quick()
		if next == 0 {
			next = now + often
		}
	}
	p.spread()
	if p.neediest() >= 0 {
		wait = often
	}
	f.next.Store(min(next, now+wait)) // never later: the other sources are heard even if credit expires all the time
}

// expireCopied takes all credit away if a copy may exist: a clone of the machine has the
// same keys as the original, so earlier credit no longer counts.
func (p *pools) expireCopied(word uint64) {
	f := &p.feeder
	expired := f.stale.Swap(false)
	moved := f.word.Swap(word) != word
	if !moved && !expired {
		return
	}
	p.input.expire()
	for i := range p.nodes {
		p.nodes[i].expire()
	}
}

func (p *pools) sink(name string, b []byte, credit int) { p.input.mix(name, b, p.worth(credit)) }

// quick is gather for the beginning, for the time after a clone and for a forked
// child: the kernel alone, 0.1 µs, with no lock that another thread may have held
// at the fork. The other sources follow a second later.
func (p *pools) quick() {
	var b [keySize]byte
	p.fresh(&b)
	p.sink("kernel", b[:], kernelCredit)
	erase.Wipe(b[:])
}

// spread hands on the input pool's credit, except a rest below least, and feeds at least
// one node.
func (p *pools) spread() {
	for first := true; first || p.input.has() >= least; first = false {
		k := p.choose()
		before, portion := p.nodes[k].has(), 0
		if p.input.has() >= least {
			portion = max(full-before, least)
		}
		p.feed(k, portion)
		p.feeder.last = k
		if k == 0 && before < full && p.nodes[0].has() == full {
			p.initialise()
		}
	}
}

// choose returns the node to be fed: node 0 until it is full, then the neediest,
// then each in turn.
func (p *pools) choose() int {
	if p.nodes[0].has() < full {
		return 0
	}
	if k := p.neediest(); k >= 0 {
		return k
	}
	return (p.feeder.last + 1) % len(p.nodes)
}

// neediest returns the node with the least credit of those below 75 %, or -1 if there
// is none. Among equals it returns the next in turn.
func (p *pools) neediest() int {
	best, least := -1, needy
	for i := range p.nodes {
		k := (p.feeder.last + 1 + i) % len(p.nodes)
		if has := p.nodes[k].has(); has < least {
			best, least = k, has
		}
	}
	return best
}

// feed gives a node 32 bytes of the input pool's, and up to credit bits of its credit.
func (p *pools) feed(k, credit int) {
	var fresh, out [keySize]byte
	p.fresh(&fresh)
	got := p.input.extract(&out, &fresh, credit)
	p.nodes[k].absorb(k, &out, got)
	erase.Wipe(fresh[:])
	erase.Wipe(out[:])
}

// initialise gives each other node a key of its own from one secret of node 0's. It
// counts for nothing: anyone who knew node 0's key would know theirs.
func (p *pools) initialise() {
	var secret [keySize]byte
	p.nodes[0].draw(&secret)
	for k := 1; k < len(p.nodes); k++ {
		p.nodes[k].absorb(k, &secret, 0)
	}
	erase.Wipe(secret[:])
}

// feedAll asks all sources and feeds every node with their answers.
func (p *pools) feedAll() { p.takeIn(func() { p.gather(p.sink) }) }

// takeIn feeds every node with what mix puts into the input pool.
func (p *pools) takeIn(mix func()) {
	p.refresh() // so that they have keys
	p.feeder.mu.Lock()
	defer p.feeder.mu.Unlock()
	mix()
	p.spread()
	for k := range p.nodes {
		p.feed(k, 0)
	}
}
