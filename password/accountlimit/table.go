// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package accountlimit

import "time"

// A bucket refills with time. All that is kept of it is when it is full again: the
// generic cell rate algorithm (ITU-T I.371), in which a failure is Every more.
// Times are since the Limiter was made.
type bucket struct {
	id   uint64
	full time.Duration
}

// wait returns how long until there is room for a failure; at most 0: there is.
func (r Rate) wait(full, now time.Duration) time.Duration {
	return r.charge(full, now) - now - time.Duration(r.Failures)*r.Every
}

func (r Rate) charge(full, now time.Duration) time.Duration { return max(full, now) + r.Every }

const ways = 8 // buckets in which an ID may lie

// A table has a fixed number of buckets. An ID without one takes that with the fewest
// failures of its set. If the table inherits, it takes them over, so that no ID ever
// has fewer than were counted; else it begins with none.
type table struct {
	rate     Rate
	inherits bool
	sets     []set
	all      uint64 // displaced
}

type set struct {
	buckets   [ways]bucket
	displaced uint64 // how many had failures and lost their place
}

func newTable(r Rate, entries int, inherits bool) table {
	return table{rate: r, inherits: inherits, sets: make([]set, (entries+ways-1)/ways)}
}

// find returns an ID's bucket, or the one that it would take, and since when it is or
// would be full.
func (t *table) find(id uint64) (*set, *bucket, time.Duration) {
	s := &t.sets[id%uint64(len(t.sets))]
	least := &s.buckets[0]
	for i := range s.buckets {
		b := &s.buckets[i]
		if b.id == id {
			return s, b, b.full
		}
		if b.full < least.full {
			least = b
		}
	}
	if t.inherits {
		return s, least, least.full
	}
	return s, least, 0
}

func (t *table) wait(id uint64, now time.Duration) time.Duration {
	_, _, full := t.find(id)
	return t.rate.wait(full, now)
}

// A receipt is for a charge that may be taken back.
type receipt struct{ id, displaced uint64 }

func (t *table) charge(id uint64, now time.Duration) receipt {
	s, b, full := t.find(id)
	if b.id != id && b.full > now {
		s.displaced++
		t.all++
	}
	*b = bucket{id, t.rate.charge(full, now)}
	return receipt{id, s.displaced}
}

// refund takes a charge back, unless somebody lost his place in the set since: at that
// time no bucket had fewer failures than his, and none may have now, as he inherits
// from one of them when he comes again.
func (t *table) refund(r receipt) {
	if s, b, _ := t.find(r.id); b.id == r.id && s.displaced == r.displaced {
		b.full -= t.rate.Every
	}
}

// knowns are the known clients of accounts. Right passwords alone enter it; if it is
// full, who was signed in longest ago makes way.
type knowns struct{ sets [][ways]known }

type known struct {
	id   uint64
	till time.Duration
	full time.Duration // its bucket
	next time.Duration // when a right password forgives again
}

// forgive empties the bucket, at most once a day: who guesses behind the owner's address must not
// have a full one with each of the owner's sign-ins.
func (k *known) forgive(now time.Duration) {
	if k.full > now && now >= k.next {
		k.full, k.next = 0, now+24*time.Hour
	}
}

func newKnowns(entries int) knowns {
	return knowns{sets: make([][ways]known, (entries+ways-1)/ways)}
}

// find returns nil for a client that is not known.
func (k *knowns) find(id uint64, now time.Duration) *known {
	s := &k.sets[id%uint64(len(k.sets))]
	for i := range s {
		if s[i].id == id && s[i].till > now {
			return &s[i]
		}
	}
	return nil
}

// add makes a client known, a new one without failures.
func (k *knowns) add(id uint64, now, till time.Duration) *known {
	place := k.find(id, now)
	if place == nil {
		s := &k.sets[id%uint64(len(k.sets))]
		place = &s[0]
		for i := range s {
			if s[i].till < place.till {
				place = &s[i]
			}
		}
		*place = known{id: id}
	}
	place.till = till
	return place
}
