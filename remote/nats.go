// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fount/internal/fleet"
	"fount/password"
	"fount/remote/api"
)

// A Broker carries requests to a fleet: an adapter of a connection to NATS, as natsconn.Conn. It
// need not be trusted: what it carries is sealed. Its methods may be called from any goroutine.
type Broker interface {
	// Request sends a request to one subscriber of subject and returns the reply, of which it keeps
	// nothing. The error is ErrNoWorker, at once, if there is none or the broker is away; ctx's; or
	// ErrDenied. After any other the request may have arrived or not.
	Request(ctx context.Context, subject string, request []byte) (reply []byte, err error)

	// Subscribe calls receive with one message to subject after the other, also over later
	// connections, until stop is called. receive returns soon and keeps nothing. It may still run
	// when stop returns.
	Subscribe(subject string, receive func(message []byte)) (stop func(), err error)
}

// ErrNoWorker is a Broker's error if nobody can have received the request.
var ErrNoWorker = errors.New("remote: no worker listens")

// ErrDenied is in a Broker's error if the broker does not let the client in, or not ask.
var ErrDenied = errors.New("remote: the broker does not let this client ask")

// DefaultSubject is where a fleet's workers listen.
const DefaultSubject = "fount.v1"

// NATSOptions set up a NATSClient. A zero field means the default beside it.
type NATSOptions struct {
	// Subject is the fleet's. Default: DefaultSubject.
	Subject string

	// Timeout and Calls are those of HTTPOptions.
	Timeout time.Duration
	Calls   int
}

// A NATSClient has a fleet verify and hash, as a worker's password.Pool does, over a broker that
// can neither read a password nor forge an answer: docs/threat-model.md.
//
// A call goes to the better of two workers by the waits that they publish. If that one refuses, is
// gone or is silent until half the time is over, the call asks one other: a password may be
// verified twice. Every call ends within its deadline, with an answer or an Error. That is
// password.ErrNotBegun as HTTPClient's, by the broker's word where it says that nobody listens or a
// worker that it has opened nothing.
//
// Its methods may be called from any goroutine.
type NATSClient struct {
	*client
	broker  Broker
	key     fleet.PublicKey
	subject fleet.Subject
	workers map[fleet.WorkerID]*place // by news; the mutex of places guards it
	stop    func()                    // ends the subscription
}

var _ password.Verifier = (*NATSClient)(nil)

// NATS returns a client of the fleet whose public key, one line of text, it is given. It subscribes
// to the workers' news.
func NATS(b Broker, publicKey string, o NATSOptions) (*NATSClient, error) {
	core, err := newClient("NATSOptions", o.Timeout, o.Calls, denied)
	if err != nil {
		return nil, err
	}
	if o.Subject == "" {
		o.Subject = DefaultSubject
	}
	key, err := fleet.ParsePublicKey(publicKey)
	if err != nil {
		return nil, fmt.Errorf("remote: %w", err)
	}
	c := &NATSClient{client: core, broker: b, key: key, subject: fleet.Subject(o.Subject), workers: map[fleet.WorkerID]*place{}}
	// The queue group is asked where no worker is heard, or none is left.
	core.places.list = []*place{{name: "the fleet at " + o.Subject, send: c.sender(c.subject.Any()), last: true}}
	stop, err := b.Subscribe(c.subject.News(), c.receive)
	if err != nil {
		return nil, fmt.Errorf("remote: news of the workers: %w", err)
	}
	c.stop = sync.OnceFunc(stop)
	return c, nil
}

// Close is HTTPClient's. It leaves the broker's connection to its owner.
func (c *NATSClient) Close(ctx context.Context) error {
	defer c.stop()
	return c.client.Close(ctx)
}

// maxWorkers is how many workers a client knows at most: forged news can fill it, until they are
// gone.
const maxWorkers = 1024

// receive takes in what is published as news.
func (c *NATSClient) receive(message []byte) {
	n, err := fleet.ParseNews(message)
	if err != nil {
		return
	}
	now := time.Now()
	c.places.mu.Lock()
	defer c.places.mu.Unlock()
	for id, p := range c.workers {
		if n.Draining && id == n.Worker || now.Sub(p.heard) > fleet.NewsQuiet {
			c.forget(id)
		}
	}
	p := c.workers[n.Worker]
	switch {
	case n.Draining, p == nil && len(c.workers) == maxWorkers:
		return
	case p == nil:
		p = &place{name: "worker " + n.Worker.String(), send: c.sender(c.subject.Worker(n.Worker))}
		c.workers[n.Worker] = p
		c.places.list = append(c.places.list, p)
	}
	p.heard, p.wait, p.down, p.pause = now, n.Wait, time.Time{}, 0
}

func (c *NATSClient) forget(id fleet.WorkerID) {
	c.places.list = slices.DeleteFunc(c.places.list, func(p *place) bool { return p == c.workers[id] })
	delete(c.workers, id)
}

var ops = map[string]fleet.Op{api.PathVerify: fleet.Verify, api.PathHash: fleet.Hash}

// sender asks who listens to a subject.
func (c *NATSClient) sender(subject string) sender {
	return func(ctx context.Context, path string, q api.Request) (response, error) {
		body := encode(ctx, path, q)
		request, pending, err := c.key.Seal(ops[path], body)
		clear(body)
		if err != nil {
			return response{}, notSent{err}
		}
		defer pending.Wipe()
		reply, err := c.broker.Request(ctx, subject, request)
		if errors.Is(err, ErrNoWorker) {
			return response{}, notSent{err}
		}
		if err != nil {
			return response{}, err
		}
		status, body, err := pending.Open(reply)
		if _, refused := errors.AsType[fleet.Refusal](err); refused { // unopened
			err = notSent{err}
		}
		return response{status: status, body: body}, err
	}
}

// denied is what must be mended where the broker or a worker does not take what the client sends.
func denied(err error) string {
	refusal, refused := errors.AsType[fleet.Refusal](err)
	if errors.Is(err, ErrDenied) || refused && refusal != fleet.Busy {
		return err.Error()
	}
	return ""
}
