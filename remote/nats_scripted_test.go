// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"fount/internal/fleet"
	"fount/internal/fleet/choice"
)

// A scripted broker carries messages to peers, and does what a script tells at each moment. All runs in virtual time.
type scripted struct {
	t       *testing.T
	ctx     context.Context // of the test
	key     fleet.Key
	subject fleet.Subject

	mu      sync.Mutex
	peers   []*peer
	next    int           // of the queue group
	away    bool          // there is no connection
	back    time.Time     // when it came back last
	lost    chan struct{} // closed when it is lost
	receive func([]byte)  // news
	wasted  int           // hashes that were computed for nobody
}

// A peer is a worker as the broker sees it. A hash takes it each, whatever else it does.
type peer struct {
	id       fleet.WorkerID
	worker   *fleet.Worker
	wait     time.Duration // that it tells
	dead     bool
	draining bool
	hung     chan struct{} // closed when it goes on; nil: it runs
	running  map[fleet.Name]context.CancelFunc
	asked    int
	mute     bool // a forger, no member of the queue group: it swallows requests, and publishes
}

const (
	hop  = 100 * time.Microsecond
	each = 100 * time.Millisecond
)

var aCost = fleet.Cost{Algorithm: 1, Size: 10}

// newScripted returns a broker with so many peers, and a client that has heard of them.
func newScripted(t *testing.T, peers int, o NATSOptions) (*NATSClient, *scripted) {
	t.Helper()
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		time.Sleep(time.Second) // all goroutines end
	})
	b := &scripted{t: t, ctx: ctx, key: k, subject: DefaultSubject, lost: make(chan struct{})}
	c, err := NATS(b, k.Public().String(), o)
	if err != nil {
		t.Fatal(err)
	}
	c.policy.Store(&aCost)
	for range peers {
		b.start()
	}
	return c, b
}

// start adds a peer, which publishes from now on.
func (b *scripted) start() *peer {
	p := &peer{id: fleet.NewWorkerID(), worker: fleet.NewWorker(b.key), running: map[fleet.Name]context.CancelFunc{}}
	b.mu.Lock()
	b.peers = append(b.peers, p)
	b.mu.Unlock()
	go func() {
		for {
			b.publish(p)
			select {
			case <-time.After(choice.Every):
			case <-b.ctx.Done():
				return
			}
		}
	}()
	return p
}

func (b *scripted) publish(p *peer) {
	b.mu.Lock()
	n := fleet.News{Worker: p.id, Wait: p.wait, Draining: p.draining, Kinds: []fleet.Estimate{{Cost: aCost, Alone: each, Drain: each / 4}}}
	out := b.away || p.dead || p.hung != nil || b.receive == nil
	receive := b.receive
	b.mu.Unlock()
	if !out {
		receive(n.AppendTo(nil, fleet.MaxNews))
	}
}

func (b *scripted) Subscribe(subject string, receive func([]byte)) (func(), error) {
	if subject != b.subject.News() {
		b.t.Errorf("a client subscribes to %s", subject)
	}
	b.receive = receive
	return func() {}, nil
}

// to returns who listens to a subject. b.mu is held.
func (b *scripted) to(subject string) *peer {
	for range b.peers {
		p := b.peers[b.next%len(b.peers)]
		b.next++
		if !p.dead && (subject == b.subject.Worker(p.id) || subject == b.subject.Any() && !p.draining && !p.mute) {
			return p
		}
	}
	return nil
}

var errConnection = errors.New("the connection is lost")

func (b *scripted) Request(ctx context.Context, subject string, request []byte) ([]byte, error) {
	b.mu.Lock()
	p, lost := b.to(subject), b.lost
	if p == nil || b.away {
		b.mu.Unlock()
		return nil, ErrNoWorker
	}
	p.asked++
	b.mu.Unlock()
	replies := make(chan []byte) // a reply that nobody takes is computed for nobody
	go b.serve(p, bytes.Clone(request), replies)
	select {
	case reply := <-replies:
		return reply, nil
	case <-lost:
		return nil, errConnection
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *scripted) Publish(subject string, message []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.to(subject)
	if b.away || p == nil {
		return errConnection
	}
	name, ok := fleet.ParseCancel(message)
	if !ok {
		b.t.Errorf("a client publishes %x to %s", message, subject)
	}
	go func() {
		time.Sleep(hop)
		b.runs(p)
		b.mu.Lock()
		defer b.mu.Unlock()
		if cancel := p.running[name]; cancel != nil {
			cancel()
		}
	}()
	return nil
}

// runs waits while a peer stands still.
func (b *scripted) runs(p *peer) {
	for {
		b.mu.Lock()
		hung := p.hung
		b.mu.Unlock()
		if hung == nil {
			return
		}
		select {
		case <-hung:
		case <-b.ctx.Done():
			return
		}
	}
}

// serve answers a request with a match.
func (b *scripted) serve(p *peer, request []byte, replies chan<- []byte) {
	name, _ := fleet.NameOf(request)
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	b.mu.Lock()
	p.running[name] = cancel
	mute := p.mute
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(p.running, name)
	}()
	if mute {
		return
	}
	time.Sleep(hop)
	b.runs(p)
	call, err := p.worker.Open(time.Now(), request)
	if err != nil {
		if err != (fleet.Refusal{Reason: fleet.Late}) {
			b.t.Errorf("a request does not open: %v", err)
		}
		return
	}
	select {
	case <-time.After(each):
	case <-ctx.Done():
	}
	b.runs(p)
	if b.isDead(p) {
		return
	}
	time.Sleep(hop) // a cancel that has come meanwhile goes first
	if ctx.Err() != nil {
		return
	}
	reply, err := call.Seal(fleet.Reply{Verdict: fleet.Match, Policy: aCost})
	if err != nil {
		b.t.Error(err)
	}
	select {
	case replies <- reply:
	case <-time.After(hop):
		b.mu.Lock()
		defer b.mu.Unlock()
		b.wasted++
	}
}

// kill ends a peer: its connection breaks, which the broker sees.
func (b *scripted) kill(p *peer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.dead = true
	for _, cancel := range p.running {
		cancel()
	}
}

// hang makes a peer stand still for a time.
func (b *scripted) hang(p *peer, d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	hung := make(chan struct{})
	p.hung = hung
	time.AfterFunc(d, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		p.hung = nil
		close(hung)
	})
}

// disconnect takes the client's connection away for a time. Workers are heard when it is back.
func (b *scripted) disconnect(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = true
	close(b.lost)
	b.lost = make(chan struct{})
	time.AfterFunc(d, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.away, b.back = false, time.Now()
	})
}

// wasAway reports whether the connection is lost, or was so a moment ago: it may come back at the instant of a call.
func (b *scripted) wasAway() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.away || b.back.Equal(time.Now())
}

func (b *scripted) isDead(p *peer) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return p.dead
}

// drain has a peer take no more requests.
func (b *scripted) drain(p *peer) {
	b.mu.Lock()
	p.draining = true
	b.mu.Unlock()
	b.publish(p)
}

// first returns a peer that was asked.
func (b *scripted) first() *peer {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.peers {
		if p.asked > 0 {
			return p
		}
	}
	b.t.Error("no peer was asked")
	return b.peers[0]
}
