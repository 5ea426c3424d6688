// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package accountlimit

import (
	"math"
	"time"
)

// All that is kept of a bucket is when it is full again, since the Limiter was made: the generic
// cell rate algorithm (ITU-T I.371), in which a failure is Every more.

// wait returns how long until there is room for a failure; at most 0: there is.
func (r Rate) wait(full, now time.Duration) time.Duration {
	return r.charge(full, now) - now - time.Duration(r.Failures)*r.Every
}

func (r Rate) charge(full, now time.Duration) time.Duration { return max(full, now) + r.Every }

// A digest is a keyed hash of an account, or of an account and a client.
type digest [4]uint64

// A sketch has the buckets of any number of accounts in a fixed size: each account has one in each
// row, in which others may lie too, so none has fewer failures than its own (count-min: Cormode and
// Muthukrishnan, 2005).
type sketch [len(digest{})][]time.Duration

func newSketch(entries int) (s sketch) {
	for i := range s {
		s[i] = make([]time.Duration, entries)
	}
	return s
}

func (s *sketch) at(row int, id digest) *time.Duration {
	return &s[row][id[row]%uint64(len(s[row]))]
}

// full returns when the account's bucket with the fewest failures is full again.
func (s *sketch) full(id digest) time.Duration {
	full := time.Duration(math.MaxInt64)
	for row := range s {
		full = min(full, *s.at(row, id))
	}
	return full
}

func (s *sketch) charge(id digest, r Rate, now time.Duration) {
	for row := range s {
		b := s.at(row, id)
		*b = r.charge(*b, now)
	}
}

// refund takes back a charge made at begun, but for what has refilled since: without it the bucket
// may have been full for so long, and what later charges hold of that is others'.
func (s *sketch) refund(id digest, r Rate, begun, now time.Duration) {
	for row := range s {
		*s.at(row, id) -= max(0, r.Every-(now-begun))
	}
}

// A client is a client of an account.
type client struct {
	id       uint64
	full     time.Duration // its bucket
	known    time.Duration // until when it is
	forgives time.Duration // when a right password empties the bucket again
}

const ways = 8 // places in which a client may lie

// clients has a fixed number of places.
type clients [][ways]client

// find returns nil for a client that has no place.
func (c clients) find(id digest) *client {
	set := &c[id[0]%uint64(len(c))]
	for i := range set {
		if set[i].id == id[0] {
			return &set[i]
		}
	}
	return nil
}

// place returns the client's place, or takes that of the client that is known for the shortest time
// and has the fewest failures. A client that is not known until displaces none that is: if there
// are only those, its place is none in the table.
func (c clients) place(id digest, until, now time.Duration) *client {
	p := c.find(id)
	if p == nil {
		set := &c[id[0]%uint64(len(c))]
		p = &set[0]
		for i := range set {
			s := &set[i]
			known, least := max(s.known, now), max(p.known, now)
			if known < least || known == least && s.full < p.full {
				p = s
			}
		}
		if p.known > now && until == 0 {
			p = new(client)
		}
		*p = client{id: id[0]}
	}
	p.known = max(p.known, until)
	return p
}
