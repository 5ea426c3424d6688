// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsnode

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"fount/internal/fleet"
	"fount/remote/api"
)

// Stats count requests. At every moment Received is the sum of the others.
type Stats struct {
	Received   uint64 `json:"received"`
	InFlight   uint64 `json:"in_flight"`
	Answered   uint64 `json:"answered"`   // with a result, a mismatch, or an error of the guards
	Overloaded uint64 `json:"overloaded"` // by the pool, under seal
	Expired    uint64 `json:"expired"`    // after they were opened
	Failed     uint64 `json:"failed"`     // a fault of this worker, or a message that is not the API's
	Busy       uint64 `json:"busy"`       // refused unopened, for want of room
	Unreadable uint64 `json:"unreadable"` // of another version or key, damaged, forged
}

// A node opens what a broker brings, has it answered, and seals the replies.
type node struct {
	id     fleet.WorkerID
	answer func(ctx context.Context, path string, body []byte) (status int, reply []byte)
	wait   func() time.Duration
	most   uint64 // requests in flight

	mu      sync.Mutex
	keys    map[fleet.KeyID]fleet.Key
	stats   Stats
	leaving bool          // so say the news
	closing bool          // requests are refused
	idle    chan struct{} // closed once closing and nothing is in flight
}

func newNode(o Options) *node {
	n := &node{id: fleet.NewWorkerID(), answer: o.Answer, wait: o.Wait, most: uint64(o.Calls), idle: make(chan struct{})}
	n.setKeys(o.Keys)
	return n
}

// setKeys replaces the keys. Requests to a key that is gone are refused from then on.
func (n *node) setKeys(keys []fleet.Key) {
	m := map[fleet.KeyID]fleet.Key{}
	for _, k := range keys {
		m[k.ID] = k
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.keys = m
}

func (n *node) counts() Stats {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.stats
}

// handle takes in a request, which it answers by one call of respond. It returns at once: the work is done on a goroutine. The
// request must not change until respond is called; respond keeps nothing.
func (n *node) handle(request []byte, respond func([]byte)) {
	keys, err := n.enter()
	if err != nil {
		n.refuse(err, respond)
		return
	}
	go func() {
		call, err := fleet.Open(keys, request)
		if err != nil {
			n.refuse(err, respond)
			return
		}
		defer call.Wipe()
		status, body := n.answer(context.Background(), paths[call.Op], call.Body)
		reply, err := call.Seal(status, body)
		if err != nil { // a reply that no message holds
			status = http.StatusInternalServerError
			reply, _ = call.Seal(status, api.NewProblem(api.ReasonInternal, "", 0).JSON())
		}
		respond(reply)
		n.leave(func(s *Stats) *uint64 {
			switch status {
			case http.StatusOK, http.StatusUnprocessableEntity:
				return &s.Answered
			case http.StatusServiceUnavailable:
				return &s.Overloaded
			case http.StatusGatewayTimeout:
				return &s.Expired
			}
			return &s.Failed
		})
	}()
}

var paths = map[fleet.Op]string{fleet.Verify: api.PathVerify, fleet.Hash: api.PathHash}

// enter counts a request, and says why it can't be admitted.
func (n *node) enter() (map[fleet.KeyID]fleet.Key, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stats.Received++
	n.stats.InFlight++
	switch {
	case n.closing:
		return nil, fleet.Closing
	case n.stats.InFlight > n.most:
		return nil, fleet.Busy
	}
	return n.keys, nil
}

// refuse answers in the clear.
func (n *node) refuse(err error, respond func([]byte)) {
	refusal, ok := errors.AsType[fleet.Refusal](err)
	if !ok {
		refusal = fleet.Unreadable
	}
	respond(refusal.Reply())
	n.leave(func(s *Stats) *uint64 {
		if refusal == fleet.Busy || refusal == fleet.Closing {
			return &s.Busy
		}
		return &s.Unreadable
	})
}

// leave counts what became of a request.
func (n *node) leave(of func(*Stats) *uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	*of(&n.stats)++
	n.stats.InFlight--
	n.finish()
}

// finish tells drain that nothing is in flight. n.mu is held.
func (n *node) finish() {
	if n.closing && n.stats.InFlight == 0 && n.idle != nil {
		close(n.idle)
		n.idle = nil
	}
}

// news is what clients must know of the worker to choose it.
func (n *node) news() []byte {
	wait := n.wait() // with no lock held: it takes the pool's
	n.mu.Lock()
	defer n.mu.Unlock()
	return fleet.News{Worker: n.id, Draining: n.leaving, Wait: wait}.Append(nil)
}

// leaves has the news say that the worker drains. It takes requests until drain: of clients that have not heard it yet.
func (n *node) leaves() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.leaving = true
}

// drain refuses requests to come, so that clients ask another worker, and returns nil when those in flight have their
// answers, or an error that wraps ctx's if that is done first.
func (n *node) drain(ctx context.Context) error {
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
