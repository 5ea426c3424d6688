// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"crypto/sha256"
	"sync"
	"time"
)

// A worker decapsulates at most rate times a second, burst times at once: at 85 to 270 µs that is 2 to 7 % of a core. It remembers an
// encapsulation for as long as requests under it can arrive, after which its client has another. So there are never more than
// capacity, no flood makes the worker forget one that is in use, and memory is bounded. What a flood takes away is a
// share of the decapsulations: a client with a new encapsulation gets in after as many attempts as there are false ones for each
// of its own.
const (
	rate     = 256
	burst    = 512
	remember = lifetime + MaxLeft // since it was first seen
	capacity = burst + rate*int(remember/time.Second)
)

// encapsulationID is the hash of an encapsulated key and of the key that it was made to.
type encapsulationID [sha256.Size]byte

func identify(key KeyID, encapsulated []byte) encapsulationID {
	var b [len(key) + encapsulatedSize]byte
	copy(b[:], key[:])
	copy(b[len(key):], encapsulated)
	return sha256.Sum256(b[:])
}

// remembered is an encapsulation. Its secrets don't change while a request uses them: the memory keeps its own.
type remembered struct {
	id      encapsulationID
	secrets secrets

	// Under the memory's lock, of the one in entries.
	since   time.Time
	seen    [requestsEach / 64]uint64 // a bit for each request
	fastest time.Duration             // the least, over the requests, of the time of arrival since since, less the age
}

// memory is what a worker remembers.
type memory struct {
	mu      sync.Mutex
	entries map[encapsulationID]*remembered
	oldest  []*remembered // those in entries, the first seen first
	under   map[encapsulationID]*decapsulation

	tokens  float64 // decapsulations that may be begun, at time counted
	counted time.Time
}

// decapsulation is one under way. Requests of one encapsulation that arrive together wait for one.
type decapsulation struct {
	done chan struct{}
	r    remembered
	err  error
}

// recall returns the secrets of an encapsulation, from memory or by decapsulate. It remembers nothing yet: bytes that are no
// encapsulation have secrets too.
func (m *memory) recall(now time.Time, id encapsulationID, decapsulate func() (secrets, error)) (remembered, error) {
	m.mu.Lock()
	m.expire(now)
	if r := m.entries[id]; r != nil {
		defer m.mu.Unlock()
		return remembered{id: id, secrets: r.secrets}, nil
	}
	if d := m.under[id]; d != nil {
		m.mu.Unlock()
		<-d.done
		return d.r, d.err
	}
	if wait := m.take(now); wait > 0 {
		m.mu.Unlock()
		return remembered{}, Refusal{Busy, wait}
	}
	d := &decapsulation{done: make(chan struct{}), r: remembered{id: id}}
	if m.under == nil {
		m.under = map[encapsulationID]*decapsulation{}
	}
	m.under[id] = d
	m.mu.Unlock()

	d.r.secrets, d.err = decapsulate()

	m.mu.Lock()
	delete(m.under, id)
	m.mu.Unlock()
	close(d.done)
	return d.r, d.err
}

// take takes a token for a decapsulation, or says how long until there is one.
func (m *memory) take(now time.Time) (wait time.Duration) {
	if passed := now.Sub(m.counted); passed > 0 {
		m.tokens = min(burst, m.tokens+rate*passed.Seconds())
		m.counted = now
	}
	if m.tokens < 1 {
		return time.Duration((1 - m.tokens) / rate * float64(time.Second))
	}
	m.tokens--
	return 0
}

// admit remembers the encapsulation of a request that opened, and the request. It returns how much longer the request took to
// arrive than the fastest of its encapsulation. The error is Repeated, Late for an age that no client lets one reach, or
// Unreadable for a number beyond requestsEach.
func (m *memory) admit(now time.Time, r remembered, sequence uint32, age time.Duration) (delay time.Duration, err error) {
	if sequence >= requestsEach {
		return 0, Refusal{Reason: Unreadable}
	}
	if age > lifetime {
		return 0, Refusal{Reason: Late}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[r.id]
	if e == nil {
		if len(m.entries) >= capacity { // as many as can be decapsulated in time: only a clock that jumps gets here
			return 0, Refusal{Reason: Busy}
		}
		if m.entries == nil {
			m.entries = map[encapsulationID]*remembered{}
		}
		e = &r
		e.since, e.fastest = now, -age
		m.entries[e.id] = e
		m.oldest = append(m.oldest, e)
	}
	word, bit := &e.seen[sequence/64], uint64(1)<<(sequence%64)
	if *word&bit != 0 {
		return 0, Refusal{Reason: Repeated}
	}
	*word |= bit
	took := now.Sub(e.since) - age
	e.fastest = min(e.fastest, took)
	return took - e.fastest, nil
}

// expire forgets what no client uses any more.
func (m *memory) expire(now time.Time) {
	n := 0
	for n < len(m.oldest) && now.Sub(m.oldest[n].since) > remember {
		delete(m.entries, m.oldest[n].id)
		m.oldest[n].secrets.wipe()
		m.oldest[n] = nil
		n++
	}
	m.oldest = m.oldest[n:]
}
