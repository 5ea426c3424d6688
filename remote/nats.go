// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"fount/internal/fleet"
	"fount/password"
	"fount/remote/api"
)

// A Broker carries requests to a fleet: a connection to NATS, by an adapter of a few lines, so that this module needs no client
// of NATS. It need not be trusted: what it carries is sealed. Its methods may be called from any goroutine.
type Broker interface {
	// Request sends a request to one of those who subscribe to subject and returns its reply, of which it keeps nothing.
	// The error is ErrNoWorker, at once, if nobody subscribes or the broker is known to be away; or ctx's; or another, as soon
	// as the connection is lost meanwhile: the request may have arrived or not.
	Request(ctx context.Context, subject string, request []byte) (reply []byte, err error)

	// Subscribe calls receive with each message to subject, one after the other, until stop is called, also over connections
	// that are lost and made again. receive returns soon and keeps nothing of the message. It may still run when stop returns.
	Subscribe(subject string, receive func(message []byte)) (stop func(), err error)
}

// ErrNoWorker is a Broker's error if nobody can have received the request.
var ErrNoWorker = errors.New("remote: no worker listens")

// DefaultSubject is where a fleet's workers listen.
const DefaultSubject = "fount.v1"

// NATSOptions set up a NATSClient. A zero field means the default beside it.
type NATSOptions struct {
	// Subject is the fleet's. Default: DefaultSubject.
	Subject string

	// Timeout bounds each call. The worker is told of it, or of the context's deadline if that is earlier. A call that it
	// ends gets OverloadedError. Default: 10 s.
	Timeout time.Duration

	// Calls is how many calls may be under way at once. The next one gets OverloadedError at once. Default: 1024.
	Calls int
}

func (o NATSOptions) complete() (NATSOptions, error) {
	switch {
	case o.Timeout < 0:
		return o, fmt.Errorf("remote: NATSOptions.Timeout is %v; want more than 0, or 0 for %v", o.Timeout, DefaultTimeout)
	case o.Calls < 0:
		return o, fmt.Errorf("remote: NATSOptions.Calls is %d; want at least 1, or 0 for %d", o.Calls, DefaultCalls)
	}
	if o.Subject == "" {
		o.Subject = DefaultSubject
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Calls == 0 {
		o.Calls = DefaultCalls
	}
	return o, nil
}

// A NATSClient has a fleet verify and hash, over a broker that can neither read a password nor forge an answer:
// docs/fleet-threat-model.md. It answers as a worker's password.Pool does, within the context's deadline, which travels as the
// time left.
//
// A call goes to the better of two workers by the waits that they publish ten times a second; one that refuses, is gone or has not
// answered when half the time is over is given up for one other. So a password may be verified twice. Every call ends within its
// deadline: with an answer, or with an error that errors.Is and errors.As find among those of package password; see Error.
//
// Its methods may be called from any goroutine.
type NATSClient struct {
	broker  Broker
	key     fleet.PublicKey
	subject fleet.Subject
	options NATSOptions
	workers *workers
	calls   *calls
	deaf    func() // ends the subscription
}

var _ password.Verifier = (*NATSClient)(nil)

// NATS returns a client of the fleet that has the key, which is one line of text. It subscribes to the workers' news, and sends nothing.
func NATS(b Broker, publicKey string, o NATSOptions) (*NATSClient, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	key, err := fleet.ParsePublicKey(publicKey)
	if err != nil {
		return nil, fmt.Errorf("remote: %w", err)
	}
	c := &NATSClient{broker: b, key: key, subject: fleet.Subject(o.Subject), options: o, workers: newWorkers(), calls: newCalls(o.Calls)}
	stop, err := b.Subscribe(c.subject.News(), c.workers.receive)
	if err != nil {
		return nil, fmt.Errorf("remote: news of the workers: %w", err)
	}
	c.deaf = sync.OnceFunc(stop)
	return c, nil
}

// Verify reports whether encoded was made from password. See password.Pool's method for its errors, which Error wraps, and
// for what an empty encoded is.
func (c *NATSClient) Verify(ctx context.Context, login password.Login, passwd []byte, encoded string) (password.Result, error) {
	m, err := verifyMessage(login, passwd, encoded)
	if err != nil {
		return password.Result{}, err
	}
	return resultOf(askFleet(ctx, c, fleet.Verify, m, api.DecodeVerifyReply))
}

// Hash returns a new hash of password by the fleet's policy, ready to be stored. See password.Pool's method for its errors,
// which Error wraps.
func (c *NATSClient) Hash(ctx context.Context, login password.Login, passwd []byte) (string, error) {
	m, err := hashMessage(login, passwd)
	if err != nil {
		return "", err
	}
	reply, err := askFleet(ctx, c, fleet.Hash, m, api.DecodeHashReply)
	return reply.Hash, err
}

// Close admits no more calls and returns nil when all calls have ended. If ctx is done first, the calls left get ErrClosed and
// Close returns an error that wraps ctx's. It leaves the broker's connection to its owner.
func (c *NATSClient) Close(ctx context.Context) error {
	defer c.deaf()
	return c.calls.close(ctx)
}

// askFleet has a message answered by a worker, or by another.
func askFleet[T any](ctx context.Context, c *NATSClient, op fleet.Op, m func(time.Duration) message, decode func([]byte) (T, error)) (reply T, err error) {
	if err := c.calls.enter(ctx); err != nil {
		return reply, err
	}
	defer c.calls.leave()
	call, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	defer context.AfterFunc(c.calls.over, cancel)()
	asked := &asked{}
	return tries(call, 2, func(try context.Context) (reply T, err error) {
		status, body, err := c.try(try, op, m, asked)
		switch {
		case err != nil:
			return reply, c.failed(ctx, call, err)
		case status != http.StatusOK:
			return reply, refusedBy(ctx, call, status, nil, body)
		}
		if reply, err = decode(body); err != nil {
			err = &Error{detail: "a worker gave an answer that is not fountd's: " + printable(err.Error()), as: []error{err}}
		}
		return reply, err
	})
}

// try sends a request to a worker that the call has not asked, or to the queue group where none is known.
func (c *NATSClient) try(ctx context.Context, op fleet.Op, m func(time.Duration) message, asked *asked) (int, []byte, error) {
	for {
		subject := c.subject.Any()
		worker := c.workers.pick(time.Now(), asked)
		if worker != nil {
			subject = c.subject.Worker(worker.id)
		} else if !asked.any() {
			return 0, nil, errNobody
		}
		status, body, err := c.send(ctx, subject, op, m)
		if worker != nil {
			c.workers.done(worker, err)
		}
		if worker == nil || !errors.Is(err, ErrNoWorker) {
			return status, body, err
		}
	}
}

func (c *NATSClient) send(ctx context.Context, subject string, op fleet.Op, m func(time.Duration) message) (int, []byte, error) {
	deadline, _ := ctx.Deadline()
	text := m(min(max(time.Until(deadline), time.Millisecond), api.MaxDeadline))
	body := text.AppendJSON(make([]byte, 0, text.Size()))
	request, pending, err := c.key.Seal(op, body)
	clear(body)
	if err != nil {
		return 0, nil, err
	}
	defer pending.Wipe()
	reply, err := c.broker.Request(ctx, subject, request)
	if err != nil {
		return 0, nil, err
	}
	return pending.Open(reply)
}

// failed is the error of a try without an answer.
func (c *NATSClient) failed(ctx, call context.Context, err error) error {
	refusal, refused := errors.AsType[fleet.Refusal](err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case c.calls.over.Err() != nil:
		return password.ErrClosed
	case call.Err() != nil:
		return unavailable(fmt.Sprintf("the fleet gave no answer within %v", c.options.Timeout), nil)
	case refused && refusal != fleet.Busy && refusal != fleet.Closing:
		return &Error{detail: refusal.Error(), as: []error{refusal}}
	case errors.Is(err, ErrNoWorker):
		return unavailable("no worker listens at "+c.options.Subject, err)
	}
	return unavailable("the fleet gave no answer", err)
}
