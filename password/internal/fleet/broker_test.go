// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"math/rand/v2"
	"time"
)

// nobody is the answer to a request that has no receiver, queueGroup the address of any member.
const (
	nobody     = -2
	queueGroup = -1
)

// A broker is one nats-server: it hands messages on at most once, knows who is subscribed only
// as of the messages that have reached it, and keeps nothing when it is started anew.
type broker struct {
	*clock
	rng      *rand.Rand
	hop      time.Duration // mean latency of one way between it and another
	interest time.Duration // by which a subscription takes effect later: that of a cluster
	up       bool
	life     int // counts its starts

	members []int  // of the queue group
	present []bool // workers that are connected, by id
	links   []link // to the workers
	clients []link

	messages int // handed on
}

// A link is a connection. It keeps the order of messages, as TCP does.
type link struct {
	sent, got time.Time // when the last message to and from the broker comes
	cut       time.Time // until then nothing passes; then it is sent again
}

// arrival draws when a message comes that is sent on a link now.
func (b *broker) arrival(l *link, last *time.Time) time.Time {
	t := time.Now().Add(b.hop/2 + time.Duration(b.rng.ExpFloat64()*float64(b.hop)/2))
	if t.Before(l.cut) {
		t = l.cut.Add(time.Duration(b.rng.Int64N(int64(200 * time.Millisecond)))) // TCP's timer
	}
	if !t.After(*last) {
		t = last.Add(1)
	}
	*last = t
	return t
}

// toBroker runs f when a message has come to the broker, unless that has gone meanwhile.
func (b *broker) toBroker(l *link, f func()) {
	life := b.life
	if !b.up {
		return
	}
	b.at(b.arrival(l, &l.sent), 0, func() {
		if b.up && b.life == life {
			f()
		}
	})
}

// fromBroker runs f when a message of the broker has come.
func (b *broker) fromBroker(l *link, f func()) {
	b.messages++
	b.at(b.arrival(l, &l.got), 0, f)
}

// route returns to whom a message goes.
func (b *broker) route(to int) int {
	switch {
	case to == queueGroup && len(b.members) > 0:
		return b.members[b.rng.IntN(len(b.members))]
	case to >= 0 && b.present[to]:
		return to
	}
	return nobody
}

// subscribe and unsubscribe change the queue group.
func (b *broker) subscribe(w int) {
	b.unsubscribe(w)
	b.members = append(b.members, w)
}

func (b *broker) unsubscribe(w int) {
	for i, m := range b.members {
		if m == w {
			b.members = append(b.members[:i], b.members[i+1:]...)
			return
		}
	}
}

// gone notes that a worker's connection has broken.
func (b *broker) gone(w int) {
	b.present[w] = false
	b.unsubscribe(w)
}
