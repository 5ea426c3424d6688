// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package randfs

// Calls counted, since the start and over the last 10 s, without a lock.

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

const (
	recent = 10 // seconds, the present one included, which is not over

	fine    = 2                            // bits of a latency that tell buckets of one power of two apart
	longest = 36                           // bits of the longest latency in ns, 68 s
	buckets = (longest - fine + 1) << fine // of 1 ns below 8 ns, of at most 1/4 of the latency above
)

// A cell counts the calls of one client on one file. It is 7 KiB. Each second has a slot, which is added to the past
// when its second has left the last ten. Counting takes three atomic additions; the lock is taken once a second.
type cell struct {
	mu    sync.Mutex // held to turn a slot, and to read
	slots [recent]slot
	past  tally // guarded by mu
}

// A slot counts the calls of one second.
type slot struct {
	second atomic.Int64 // counts from 1; 0: never used
	bytes  atomic.Uint64
	nanos  atomic.Uint64
	most   atomic.Uint64 // the longest latency
	counts [buckets]atomic.Uint32
}

// A tally is calls summed up.
type tally struct {
	calls  uint64
	bytes  uint64
	nanos  uint64
	most   uint64
	counts [buckets]uint64
}

// secondOf numbers the seconds since the start, from 1.
func secondOf(t time.Duration) int64 { return int64(t/time.Second) + 1 }

// count counts a call of n bytes.
func (c *cell) count(begin, end time.Duration, n int) {
	second := secondOf(end)
	s := &c.slots[second%recent]
	if s.second.Load() != second {
		c.turn(s, second)
	}
	ns := uint64(max(end-begin, 0))
	s.bytes.Add(uint64(n))
	s.nanos.Add(ns)
	s.counts[bucket(ns)].Add(1)
	raise(&s.most, ns)
}

func raise(most *atomic.Uint64, ns uint64) {
	for old := most.Load(); ns > old && !most.CompareAndSwap(old, ns); {
		old = most.Load()
	}
}

// turn gives a slot to a later second. What a slow call adds to it meanwhile counts for the later one and is not lost.
func (c *cell) turn(s *slot, second int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.second.Load() < second {
		s.take(&c.past)
		s.second.Store(second)
	}
}

// take moves what a slot counted to a tally.
func (s *slot) take(to *tally) {
	to.bytes += s.bytes.Swap(0)
	to.nanos += s.nanos.Swap(0)
	to.most = max(to.most, s.most.Swap(0))
	for i := range s.counts {
		n := uint64(s.counts[i].Swap(0))
		to.counts[i] += n
		to.calls += n
	}
}

// sum adds the counts of the cell, since the start and over the ten seconds that end now.
func (c *cell) sum(now int64, start, last *tally) {
	c.mu.Lock()
	defer c.mu.Unlock()
	start.add(&c.past)
	for i := range c.slots {
		s := &c.slots[i]
		t := s.tally()
		start.add(&t)
		if s.second.Load() > now-recent {
			last.add(&t)
		}
	}
}

func (s *slot) tally() tally {
	t := tally{bytes: s.bytes.Load(), nanos: s.nanos.Load(), most: s.most.Load()}
	for i := range s.counts {
		t.counts[i] = uint64(s.counts[i].Load())
		t.calls += t.counts[i]
	}
	return t
}

// moveTo empties the cell, in which no calls count any more, into another.
func (c *cell) moveTo(to *cell) {
	c.mu.Lock()
	defer c.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	to.past.add(&c.past)
	c.past = tally{}
	for i := range c.slots {
		to.accept(&c.slots[i], &to.slots[i])
	}
}

// accept empties slot s, of another cell, into the slot at its place here or, if that is of a later second, the past.
func (c *cell) accept(s, at *slot) {
	var t tally
	second := s.second.Swap(0)
	s.take(&t)
	switch has := at.second.Load(); {
	case t.calls == 0:
	case has > second:
		c.past.add(&t)
	default:
		if has < second {
			at.take(&c.past)
			at.second.Store(second)
		}
		at.add(&t)
	}
}

func (s *slot) add(t *tally) {
	s.bytes.Add(t.bytes)
	s.nanos.Add(t.nanos)
	raise(&s.most, t.most)
	for i, n := range t.counts {
		if n != 0 {
			s.counts[i].Add(uint32(n))
		}
	}
}

func (t *tally) add(o *tally) {
	t.calls += o.calls
	t.bytes += o.bytes
	t.nanos += o.nanos
	t.most = max(t.most, o.most)
	for i, n := range o.counts {
		t.counts[i] += n
	}
}

// mean is the mean latency in ns.
func (t *tally) mean() uint64 { return t.nanos / max(t.calls, 1) }

// quantile is the latency in ns that q of 100 calls do not exceed, to an eighth.
func (t *tally) quantile(q uint64) uint64 {
	rank := max(1, (t.calls*q+99)/100)
	var seen uint64
	for i, n := range t.counts {
		if seen += n; seen >= rank {
			return min(middle(i), t.most)
		}
	}
	return t.most
}

// bucket is the index of the bucket of a latency: the place of its highest bit chooses the row, the two bits that
// follow it the bucket in the row.
func bucket(ns uint64) int {
	ns = min(ns, 1<<longest-1)
	row := max(0, bits.Len64(ns)-fine-1)
	return row<<fine + int(ns>>row)
}

// middle is the middle of a bucket in ns.
func middle(bucket int) uint64 {
	row := max(0, bucket>>fine-1)
	low := uint64(bucket-row<<fine) << row
	return low + (uint64(1)<<row-1)/2
}
