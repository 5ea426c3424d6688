// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"fount/internal/fleet"
	"fount/internal/fleet/choice"
	"fount/password"
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
	// A client calls stop once.
	Subscribe(subject string, receive func(message []byte)) (stop func(), err error)

	// Publish sends a message to all who subscribe to subject, and keeps nothing of it. It does not wait: the message may be
	// lost, and is while the broker is away.
	Publish(subject string, message []byte) error
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
	// ends gets OverloadedError. Default: 10 s. A worker is told of 30 s at most.
	Timeout time.Duration

	// Calls is how many calls may be under way at once. The next one gets OverloadedError at once. Default: 1024.
	Calls int

	// Silence is how long a request may be without a reply until another worker gets it too: it may have been lost on its way. The
	// first reply counts, and the other worker is told. A hash that takes longer may be computed twice. Default: 3/5 of the time left, at
	// most 1 s or twice what the worker should need.
	Silence time.Duration

	// Route is how a call finds its worker. Default: ByNews.
	Route Route

	// Local answers calls while no worker listens. Default: such calls get OverloadedError at once.
	Local password.Verifier
}

// A Route is how a call finds its worker.
type Route int

const (
	// ByNews sends a call to the better of two workers, by what they publish of their waits and of how long hashes take there:
	// docs/design.md has the reasons. A worker that is not heard for 0.3 s is given up, and what it has to do goes to others. A
	// client that has heard of none leaves the choice to the broker.
	ByNews Route = iota

	// QueueGroup leaves the choice to the broker, which draws a worker at random: one with a tenth of the cores gets as many calls as any other.
	QueueGroup
)

func (o NATSOptions) complete() (NATSOptions, error) {
	switch {
	case o.Timeout < 0:
		return o, fmt.Errorf("remote: NATSOptions.Timeout is %v; want more than 0, or 0 for %v", o.Timeout, DefaultTimeout)
	case o.Calls < 0:
		return o, fmt.Errorf("remote: NATSOptions.Calls is %d; want at least 1, or 0 for %d", o.Calls, DefaultCalls)
	case o.Silence < 0:
		return o, fmt.Errorf("remote: NATSOptions.Silence is %v; want more than 0, or 0 for the default", o.Silence)
	case o.Route < ByNews || o.Route > QueueGroup:
		return o, fmt.Errorf("remote: NATSOptions.Route is %d; want ByNews or QueueGroup", o.Route)
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
// A worker that refuses is given up for one other, once a call. One that is gone is given up for another, as often as it takes, and a
// call that waits when the connection to the broker is lost is sent again when it is back. So a password may be verified twice.
// Every call ends within its deadline: with an answer, or with an error that errors.Is and errors.As find among those of package
// password; see Error.
//
// A password may have up to 1,024 bytes. Its methods may be called from any goroutine.
type NATSClient struct {
	broker  Broker
	sealer  *fleet.Client
	subject fleet.Subject
	workers *workers
	options NATSOptions
	limit   int                        // requests for a call that workers refuse
	policy  atomic.Pointer[fleet.Cost] // of the fleet's policy, once a reply has said it

	mu     sync.Mutex
	stats  NATSStats
	closed bool
	idle   chan struct{} // closed once closed and no call is under way

	over context.Context // done when Close no longer waits
	end  context.CancelFunc
	deaf func() // ends the subscription
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
	c := &NATSClient{broker: b, sealer: fleet.NewClient(key), subject: fleet.Subject(o.Subject), options: o, limit: choice.Tries,
		idle: make(chan struct{}), deaf: func() {}}
	c.workers = newWorkers()
	c.over, c.end = context.WithCancel(context.Background())
	if o.Route == ByNews {
		stop, err := b.Subscribe(c.subject.News(), c.receive)
		if err != nil {
			return nil, fmt.Errorf("remote: news of the workers: %w", err)
		}
		c.deaf = sync.OnceFunc(stop)
	}
	return c, nil
}

// receive takes in what is published as news.
func (c *NATSClient) receive(message []byte) {
	if n, err := fleet.ParseNews(message); err == nil {
		c.hear(n, true)
	}
}

// NATSStats count calls. At every moment Submitted is the sum of the next five.
type NATSStats struct {
	Submitted uint64 `json:"submitted"`

	InFlight uint64 `json:"in_flight"`
	Answered uint64 `json:"answered"` // with a result, ErrMismatch, or an error of the guards
	Refused  uint64 `json:"refused"`  // OverloadedError, ErrClosed, or a fault of the configuration
	Expired  uint64 `json:"expired"`  // the context's deadline passed
	Canceled uint64 `json:"canceled"`

	Local    uint64 `json:"local"`    // calls that NATSOptions.Local answered, whatever came of them
	Attempts uint64 `json:"attempts"` // requests sent
	Seconds  uint64 `json:"seconds"`  // of Attempts: not the first of their calls
	Cancels  uint64 `json:"cancels"`  // workers told that nobody waits for an answer
}

// Stats returns the counts.
func (c *NATSClient) Stats() NATSStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// Verify reports whether encoded was made from password. See password.Pool's method for its errors, which Error wraps, and
// for what an empty encoded is.
func (c *NATSClient) Verify(ctx context.Context, login password.Login, passwd []byte, encoded string) (password.Result, error) {
	r := fleet.Request{Kind: fleet.Verify, Password: passwd, Encoded: encoded, Principal: login.Principal, Class: login.Class}
	var local password.Result
	reply, err := c.do(ctx, r, func(ctx context.Context) (err error) {
		local, err = c.options.Local.Verify(ctx, login, passwd, encoded)
		return err
	})
	if reply == nil {
		return local, err
	}
	return password.Result{NeedsRehash: reply.NeedsRehash, Truncated: reply.Truncated}, err
}

// Hash returns a new hash of password by the fleet's policy, ready to be stored. See password.Pool's method for its errors,
// which Error wraps.
func (c *NATSClient) Hash(ctx context.Context, login password.Login, passwd []byte) (string, error) {
	r := fleet.Request{Kind: fleet.Hash, Password: passwd, Principal: login.Principal, Class: login.Class}
	var local string
	reply, err := c.do(ctx, r, func(ctx context.Context) (err error) {
		local, err = c.options.Local.Hash(ctx, login, passwd)
		return err
	})
	if reply == nil {
		return local, err
	}
	return reply.Encoded, err
}

// do is a call, from its beginning to its one end. The reply is nil if local made the result, or there is none.
func (c *NATSClient) do(ctx context.Context, r fleet.Request, local func(context.Context) error) (*fleet.Reply, error) {
	if err := c.enter(ctx); err != nil {
		return nil, c.leave(err)
	}
	call, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	defer context.AfterFunc(c.over, cancel)()
	reply, err := c.ask(call, r)
	if errors.Is(err, ErrNoWorker) && call.Err() == nil {
		if c.options.Local == nil {
			return nil, c.leave(unavailable("no worker listens at "+c.options.Subject, nil))
		}
		c.count(func(s *NATSStats) { s.Local++ })
		return nil, c.leave(c.ended(ctx, call, local(call)))
	}
	if reply != nil {
		err = errorOfReply(*reply)
	}
	return reply, c.leave(c.ended(ctx, call, err))
}

// ended is the error of a call: if its context is done and it has nothing better, what that means to the caller.
func (c *NATSClient) ended(ctx, call context.Context, err error) error {
	_, overloaded := errors.AsType[password.OverloadedError](err)
	switch {
	case answered(err), overloaded, call.Err() == nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case c.over.Err() != nil:
		return password.ErrClosed
	}
	return unavailable(fmt.Sprintf("the fleet gave no answer within %v", c.options.Timeout), nil)
}

// errorOfReply returns the error that a worker's reply stands for.
func errorOfReply(r fleet.Reply) error {
	err := r.Err()
	switch {
	case err == nil || errors.Is(err, password.ErrMismatch):
		return err
	case r.Verdict == fleet.Expired: // the worker's time for it; the caller's may not be over
		return &Error{detail: "the fleet had no time left", as: []error{password.OverloadedError{After: wait(0)}, context.DeadlineExceeded}}
	}
	return &Error{detail: "fleet: " + printable(err.Error()), as: []error{err}}
}

// enter admits a call.
func (c *NATSClient) enter(ctx context.Context) error {
	gone := ctx.Err() // with no lock held: a context is its caller's own code
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Submitted++
	c.stats.InFlight++
	switch {
	case c.closed:
		return password.ErrClosed
	case gone != nil:
		return gone
	case c.stats.InFlight > uint64(c.options.Calls):
		return unavailable(fmt.Sprintf("%d calls are under way, as many as NATSOptions.Calls", c.options.Calls), nil)
	}
	return nil
}

// leave ends a call and counts it.
func (c *NATSClient) leave(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.stats
	s.InFlight--
	_, overloaded := errors.AsType[password.OverloadedError](err)
	switch {
	case overloaded, errors.Is(err, password.ErrClosed):
		s.Refused++
	case errors.Is(err, context.DeadlineExceeded):
		s.Expired++
	case errors.Is(err, context.Canceled):
		s.Canceled++
	case answered(err):
		s.Answered++
	default:
		s.Refused++
	}
	c.finish()
	return err
}

// answered reports whether an error says something of the password, the hash or the policy.
func answered(err error) bool {
	for _, e := range []error{password.ErrMismatch, password.ErrMalformed, password.ErrCost, password.ErrKey, password.ErrTooLong,
		password.ErrEmpty, password.ErrNUL} {
		if errors.Is(err, e) {
			return true
		}
	}
	return err == nil
}

func (c *NATSClient) count(f func(*NATSStats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.stats)
}

// finish tells Close that no call is left. c.mu is held.
func (c *NATSClient) finish() {
	if c.closed && c.stats.InFlight == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// Close admits no more calls and returns nil when all calls have ended. If ctx is done first, the calls left get ErrClosed and
// Close returns an error that wraps ctx's. It leaves the broker's connection to its owner.
func (c *NATSClient) Close(ctx context.Context) error {
	c.mu.Lock()
	idle := c.idle
	c.closed = true
	c.finish()
	c.mu.Unlock()
	defer c.sealer.Wipe()
	defer c.end()
	defer c.deaf()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	default:
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("remote: client: %w", ctx.Err())
	}
}
