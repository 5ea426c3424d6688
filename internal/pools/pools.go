// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import (
	"sync"
	"sync/atomic"

	"fount/internal/erase"
	"fount/internal/numa"
)

// arena holds what is secret, or must be wiped at a fork together with it. It lies
// outside the heap where the system allows.
type arena struct {
	feeder feeder
	input  input
}

// pools is an input pool and its nodes.
type pools struct {
	*sources
	*arena
	nodes    []node
	current  func() int // the index of the node that the caller runs on
	topology *numa.Topology
	file     fileState
}

func newPools(s *sources, t *numa.Topology) *pools {
	return &pools{
		sources:  s,
		arena:    &erase.New[arena](1)[0],
		nodes:    erase.New[node](len(t.Nodes)),
		current:  t.Current,
		topology: t,
	}
}

// ownPools are the process's, nil until the first use.
var (
	ownPools atomic.Pointer[pools]
	making   sync.Mutex
)

// own returns the process's pools. The first call makes them.
func own() *pools { return awaited(true) }

// awaited is provide for a caller that can wait while another goroutine makes the pools.
func awaited(must bool) *pools {
	if p := ownPools.Load(); p != nil {
		return p
	}
	making.Lock()
	defer making.Unlock()
	p, _ := provide(must)
	return p
}

// seen is provide for a caller that can do without the pools. It never waits: making
// them reads files, and in a forked child a lock that another thread held at the fork is
// held for good. While another goroutine makes them, seen returns nil and says why.
func seen() (*pools, string) {
	if p := ownPools.Load(); p != nil {
		return p, ""
	}
	if !making.TryLock() {
		return nil, "they are being made"
	}
	defer making.Unlock()
	return provide(false)
}

// provide returns the pools, and makes them if there are none; the lock is held. While
// the process lacks descriptors or memory it can't see the nodes, and pools for one node
// would last for its life: provide then returns nil and why, unless it must make them.
func provide(must bool) (*pools, string) {
	if p := ownPools.Load(); p != nil {
		return p, ""
	}
	t := numa.Detect()
	if t.Scarce && !must {
		return nil, t.Note
	}
	p := newPools(&process, t)
	ownPools.Store(p)
	return p, ""
}

// Mix adds (XOR) 32 bytes of the current node's pool to dst, which has 32 bytes of the
// kernel. The node has its next key before Mix returns, and keeps nothing of what it
// gave. Anyone who knows dst or all pools, but not both, knows nothing of the sum.
//
// Mix costs a lock that is held for one block of ChaCha20. The first call makes the
// pools; calls that come meanwhile, or while the process has no descriptor left, leave
// dst unchanged. Once a minute, or once a second until every node has had its share, a
// call asks the sources of package entropy, which takes a millisecond. No lock that a
// Mix waits for is held over a system call. Mix allocates only when it asks the sources.
// It may be called from any goroutine.
func Mix(dst *[32]byte) {
	if p, _ := seen(); p != nil {
		p.mix(dst)
	}
}

func (p *pools) mix(dst *[keySize]byte) {
	p.refresh()
	p.drawFrom(p.current(), dst)
}

// drawFrom draws from node k, or from node 0 if k has no key.
func (p *pools) drawFrom(k int, dst *[keySize]byte) {
	if p.nodes[k].draw(dst) {
		return
	}
	for !p.nodes[0].draw(dst) { // the others have no keys until node 0 is full
		p.feed(0, 0) // another goroutine refreshes right now
	}
}

// Feed is pool.Feed. Without descriptors it makes no pools: those would be of one node for the process's life.
func Feed() {
	if p := awaited(false); p != nil {
		p.feedAll()
	}
}

// Expire takes all credit away, because a copy of this process or machine may exist that
// nothing else announces: the next Mix takes in fresh bytes of the kernel. fount.Reseed
// calls it. It returns at once and may be called from any goroutine.
func Expire() {
	if p, _ := seen(); p != nil {
		p.feeder.stale.Store(true)
	}
}
