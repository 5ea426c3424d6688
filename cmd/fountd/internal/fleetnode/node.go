// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fleetnode is a worker of a fleet: it opens what a broker brings, has it hashed, and seals the answers. It is not a
// transport: whatever subscribes hands each request to Node.Handle.
package fleetnode

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fount/internal/fleet"
	"fount/password"
)

// Options set up a Node.
type Options struct {
	Hasher password.Verifier
	Policy password.Policy // the hasher's: replies say what it costs

	// Estimates is what the hasher believes of hashes to come: (*password.Pool).Estimates. Without it the news say nothing of waits.
	Estimates func() password.Estimates

	// Calls is how many requests may be under way at once, from 1. The next one is refused by its header alone.
	Calls int
}

// Stats count requests. At every moment Received is the sum of the others.
type Stats struct {
	Received   uint64 `json:"received"`
	InFlight   uint64 `json:"in_flight"`
	Answered   uint64 `json:"answered"`   // with a result, a mismatch, or an error of the guards
	Overloaded uint64 `json:"overloaded"` // by the pool, under seal
	Expired    uint64 `json:"expired"`    // after they were opened
	Canceled   uint64 `json:"canceled"`   // the client has told that nobody waits: there was no reply
	Failed     uint64 `json:"failed"`     // a fault of this worker, or a later version's request
	Busy       uint64 `json:"busy"`       // refused unopened, for want of room or time, or with too many new encapsulations
	Late       uint64 `json:"late"`       // arrived too late
	Repeated   uint64 `json:"repeated"`   // seen before
	Unreadable uint64 `json:"unreadable"` // of another version or key, damaged, forged
}

// A Node answers requests. Its methods may be called from any goroutine.
type Node struct {
	id        fleet.WorkerID
	worker    *fleet.Worker
	hasher    password.Verifier
	estimates func() password.Estimates
	most      uint64 // requests in flight

	mu      sync.Mutex
	policy  fleet.Cost
	calls   map[fleet.Name]context.CancelFunc // requests in flight
	news    fleet.News                        // as of looked
	looked  time.Time
	clear   []byte // the same, as it stands behind a refusal
	let     map[fleet.Cost]let
	stats   Stats
	leaving bool          // so say the news
	closing bool          // requests are refused
	idle    chan struct{} // closed once closing and nothing is in flight
}

// New returns a node with the fleet's keys.
func New(o Options, keys ...fleet.Key) (*Node, error) {
	if o.Calls < 1 {
		return nil, fmt.Errorf("fleet: %d calls at once; want at least 1", o.Calls)
	}
	return &Node{id: fleet.NewWorkerID(), worker: fleet.NewWorker(keys...), hasher: o.Hasher, estimates: o.Estimates, most: uint64(o.Calls),
		policy: fleet.CostOfPolicy(o.Policy), calls: map[fleet.Name]context.CancelFunc{}, let: map[fleet.Cost]let{}, idle: make(chan struct{})}, nil
}

// Change puts another policy and other keys in force.
func (n *Node) Change(p password.Policy, keys ...fleet.Key) {
	n.worker.SetKeys(keys...)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.policy = fleet.CostOfPolicy(p)
}

// Stats returns the counts.
func (n *Node) Stats() Stats {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.stats
}

// Handle takes in one message to the worker, which arrived at that time: a request, which it answers by at most one call of respond,
// or a cancel, which has no answer. It returns at once: it refuses by itself what the header gives a reason to refuse, and does
// the rest on a goroutine. The request must not change until respond is called; respond keeps nothing. A request that is canceled is not
// answered.
func (n *Node) Handle(arrived time.Time, message []byte, respond func([]byte)) {
	if name, ok := fleet.ParseCancel(message); ok {
		n.cancel(name)
		return
	}
	header, err := fleet.ParseHeader(message)
	reason := n.enter()
	switch {
	case reason != 0:
	case err != nil:
		reason = reasonOf(err)
	case n.hopeless(arrived, header):
		reason = fleet.Busy
	}
	if reason != 0 {
		n.refuse(fleet.Refusal{Reason: reason, After: retry}, respond)
		return
	}
	ctx, cancel := context.WithDeadline(context.Background(), arrived.Add(header.Left))
	name, _ := fleet.NameOf(message)
	known := n.register(name, cancel)
	go func() {
		if !n.answer(ctx, arrived, message, respond) {
			n.unlet(arrived, header.Cost)
		}
		if cancel(); known {
			n.register(name, nil)
		}
	}()
}

// retry is how long a client that no header could admit is told to wait.
const retry = time.Second

// enter counts a request, and says why it can't be admitted.
func (n *Node) enter() fleet.Reason {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stats.Received++
	n.stats.InFlight++
	switch {
	case n.closing:
		return fleet.Closing
	case n.stats.InFlight > n.most:
		return fleet.Busy
	}
	return 0
}

// register keeps what gives a request up, or with nil forgets it. It reports false for one that came twice.
func (n *Node) register(name fleet.Name, cancel context.CancelFunc) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if cancel == nil {
		delete(n.calls, name)
		return false
	}
	if n.calls[name] != nil {
		return false
	}
	n.calls[name] = cancel
	return true
}

// cancel gives a request up, if it is in flight.
func (n *Node) cancel(name fleet.Name) {
	n.mu.Lock()
	cancel := n.calls[name]
	n.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// leave counts what became of a request.
func (n *Node) leave(of func(*Stats) *uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	*of(&n.stats)++
	n.stats.InFlight--
	n.finish()
}

// finish tells Drain that nothing is in flight. n.mu is held.
func (n *Node) finish() {
	if n.closing && n.stats.InFlight == 0 && n.idle != nil {
		close(n.idle)
		n.idle = nil
	}
}

func reasonOf(err error) fleet.Reason {
	if r, ok := errors.AsType[fleet.Refusal](err); ok {
		return r.Reason
	}
	return fleet.Unreadable
}

// refuse answers in the clear.
func (n *Node) refuse(r fleet.Refusal, respond func([]byte)) {
	respond(append(r.AppendTo(make([]byte, 0, refusal)), n.inClear(time.Now())...))
	n.leave(func(s *Stats) *uint64 {
		switch r.Reason {
		case fleet.Busy, fleet.Closing:
			return &s.Busy
		case fleet.Late:
			return &s.Late
		case fleet.Repeated:
			return &s.Repeated
		}
		return &s.Unreadable
	})
}

// answer opens a request, does what it asks, and seals the reply. ctx ends with the request's time, or when it is canceled. It
// reports false if the request does not open.
func (n *Node) answer(ctx context.Context, arrived time.Time, request []byte, respond func([]byte)) bool {
	call, err := n.worker.Open(arrived, request)
	if call == nil {
		refusal, ok := errors.AsType[fleet.Refusal](err)
		if !ok {
			refusal = fleet.Refusal{Reason: fleet.Unreadable}
		}
		n.refuse(refusal, respond)
		return false
	}
	defer call.Wipe()
	reply := fleet.Reply{Verdict: fleet.Unsupported}
	if err == nil {
		within, cancel := context.WithDeadline(ctx, arrived.Add(call.Request.Left))
		defer cancel()
		reply = n.do(within, call.Request)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		n.leave(func(s *Stats) *uint64 { return &s.Canceled })
		return true
	}
	news := n.lately(time.Now())
	reply.News = &news
	n.mu.Lock()
	reply.Policy = n.policy
	n.mu.Unlock()
	b, err := call.Seal(reply)
	if err != nil { // a hash that no message holds
		reply = fleet.Reply{Verdict: fleet.Failed}
		b, _ = call.Seal(reply)
	}
	respond(b)
	n.leave(func(s *Stats) *uint64 {
		switch reply.Verdict {
		case fleet.Overloaded, fleet.Closed:
			return &s.Overloaded
		case fleet.Expired:
			return &s.Expired
		case fleet.Failed, fleet.Unsupported:
			return &s.Failed
		}
		return &s.Answered
	})
	return true
}

// do has the hasher do what a request asks.
func (n *Node) do(ctx context.Context, r fleet.Request) (reply fleet.Reply) {
	login := password.Login{Principal: r.Principal, Class: r.Class}
	var err error
	if r.Kind == fleet.Hash {
		reply.Verdict = fleet.Hashed
		reply.Encoded, err = n.hasher.Hash(ctx, login, r.Password)
	} else {
		var result password.Result
		reply.Verdict = fleet.Match
		if result, err = n.hasher.Verify(ctx, login, r.Password, r.Encoded); err == nil {
			reply.NeedsRehash, reply.Truncated = result.NeedsRehash, result.Truncated
			if r.Upgrade && result.NeedsRehash {
				reply.Encoded = n.upgrade(ctx, login, r.Password)
			}
		}
	}
	if err != nil {
		reply = fleet.Reply{}
		reply.Verdict, reply.After = fleet.VerdictOf(err)
	}
	return reply
}

// upgrade returns a new hash, or "" if there is no time or room for one. A tenth of the time left is kept for the answer.
func (n *Node) upgrade(ctx context.Context, login password.Login, secret []byte) string {
	deadline, _ := ctx.Deadline()
	ctx, cancel := context.WithTimeout(ctx, time.Until(deadline)*9/10)
	defer cancel()
	login.Class = password.ClassRehash
	encoded, err := n.hasher.Hash(ctx, login, secret)
	if err != nil {
		return ""
	}
	return encoded
}

// Drain refuses requests to come, so that clients ask another worker, and returns nil when those in flight have their
// answers, or an error that wraps ctx's if that is done first.
func (n *Node) Drain(ctx context.Context) error {
	n.mu.Lock()
	idle := n.idle
	n.leaving, n.closing = true, true
	n.finish()
	n.mu.Unlock()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		select {
		case <-idle: // both
			return nil
		default:
		}
		return fmt.Errorf("fleet: requests in flight: %w", ctx.Err())
	}
}
