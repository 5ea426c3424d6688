// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package remote lets another process hash passwords: fountd, behind the same password.Verifier as
// a password.Pool. A service changes one line:
//
//	pool, err := password.NewPool(password.Options{})
//	pool, err := remote.HTTP("/run/fountd/fountd.sock", remote.HTTPOptions{})
//
// [HTTP] takes one or more servers. [NATS] reaches a fleet through a broker that nobody need trust.
//
// Errors match the values of package password; see [Error].
package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"fount/internal/problem"
	"fount/password"
	"fount/remote/api"
)

// The defaults of options.
const (
	DefaultTimeout = 10 * time.Second
	DefaultCalls   = 1024
)

// A response is a server's answer.
type response struct {
	from   *server
	status int
	header http.Header
	body   []byte
}

// A sender sends a request to one server and returns its answer.
type sender func(ctx context.Context, path string, q api.Request) (response, error)

// encode returns the request as JSON, with the time that ctx leaves, which has a deadline.
func encode(ctx context.Context, path string, q api.Request) []byte {
	deadline, _ := ctx.Deadline()
	q.Deadline = min(max(time.Until(deadline), time.Millisecond), api.MaxDeadline)
	return q.AppendJSON(make([]byte, 0, q.Size()), path)
}

// A client sends calls to its servers. Its methods may be called from any goroutine.
type client struct {
	servers  *servers
	timeout  time.Duration
	maxCalls int                  // under way
	lasting  func(err error) bool // no retry succeeds until its cause is mended

	mu     sync.Mutex
	active int // calls under way
	closed bool
	idle   chan struct{} // closed when closed and active is 0

	aborted context.Context // done when Close no longer waits
	abort   context.CancelFunc
}

// newClient returns a client without servers. options is the name of their type, for errors.
func newClient(options string, timeout time.Duration, calls int, lasting func(error) bool) (*client, error) {
	switch {
	case timeout < 0:
		return nil, fmt.Errorf("remote: %s.Timeout is %v; want more than 0, or 0 for %v", options, timeout, DefaultTimeout)
	case calls < 0:
		return nil, fmt.Errorf("remote: %s.Calls is %d; want at least 1, or 0 for %d", options, calls, DefaultCalls)
	}

	c := &client{
		servers:  &servers{},
		timeout:  cmp.Or(timeout, DefaultTimeout),
		maxCalls: cmp.Or(calls, DefaultCalls),
		lasting:  lasting,
		idle:     make(chan struct{}),
	}
	c.aborted, c.abort = context.WithCancel(context.Background())
	return c, nil
}

// Verify does what password.Pool.Verify does. Its errors but password.ErrMismatch are of type *Error.
func (c *client) Verify(ctx context.Context, login password.Login, passwd []byte, encoded string) (password.Result, error) {
	if len(passwd) == 0 {
		return password.Result{}, unsent(password.ErrMismatch, "an empty password matches nothing")
	}

	reply, err := ask(ctx, c, api.PathVerify, newRequest(login, passwd, encoded), api.DecodeVerifyReply)
	if err == nil && !reply.Match {
		err = password.ErrMismatch
	}
	return password.Result{NeedsRehash: reply.NeedsRehash, Truncated: reply.Truncated}, err
}

// Hash does what password.Pool.Hash does, by the server's policy. Its errors are of type *Error.
func (c *client) Hash(ctx context.Context, login password.Login, passwd []byte) (string, error) {
	reply, err := ask(ctx, c, api.PathHash, newRequest(login, passwd, ""), api.DecodeHashReply)
	return reply.Hash, err
}

// Ready returns the error of a call that would be refused before anything is sent: ErrClosed after
// Close, ctx's error, or OverloadedError if as many calls are under way as the option Calls allows.
// It asks no server. The error is an Error and password.ErrNotBegun.
func (c *client) Ready(ctx context.Context, login password.Login) error {
	err := c.enter(ctx)
	if err == nil {
		c.leave()
	}
	return err
}

// newRequest returns a login's request. A principal too long for it is replaced by its digest.
func newRequest(login password.Login, passwd []byte, encoded string) api.Request {
	q := api.Request{Password: passwd, Hash: encoded, Principal: login.Principal, Upgrade: login.Upgrade}

	if len(q.Principal) > api.MaxPrincipal || !utf8.ValidString(q.Principal) {
		digest := sha256.Sum256([]byte(q.Principal))
		q.Principal = "sha256:" + hex.EncodeToString(digest[:])
	}
	return q
}

// ask sends a request to one server, or a second one, and decodes the answer.
//
// Of its contexts, ctx is the caller's, and limited also ends at the option Timeout, and at Close.
// within, a try's, also ends when the other try was answered.
func ask[T any](ctx context.Context, c *client, path string, q api.Request, decode func([]byte) (T, error)) (none T, err error) {
	switch {
	case len(q.Password) > api.MaxPassword:
		return none, unsent(password.ErrTooLong, "password too long: %d bytes; want at most %d", len(q.Password), api.MaxPassword)
	case len(q.Hash) > api.MaxHash || !utf8.ValidString(q.Hash):
		return none, unsent(password.ErrMalformed, "unreadable hash: %d bytes; want at most %d, in UTF-8", len(q.Hash), api.MaxHash)
	}
	if err := c.enter(ctx); err != nil {
		return none, err
	}
	defer c.leave()

	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	defer context.AfterFunc(c.aborted, cancel)()

	deadline, _ := limited.Deadline()
	pick := &picker{servers: c.servers, patience: time.Until(deadline) / 2}
	return hedge(limited, func(within context.Context) (T, error) {
		r, err := pick.askNext(within, path, q)
		if err != nil {
			return none, c.sendError(ctx, limited, r.from.name, err)
		}

		reply, err := result(ctx, limited, r, decode)
		if conclusive(err) {
			pick.noteResult(r.from)
		}
		return reply, err
	})
}

// result returns what a server answered, or the error that this is.
func result[T any](callers, limited context.Context, r response, decode func([]byte) (T, error)) (none T, err error) {
	if r.status != http.StatusOK {
		return none, statusError(callers, limited, r)
	}

	reply, err := decode(r.body)
	if err != nil {
		return none, &Error{detail: r.from.name + " gave an answer that is not fountd's: " + printable(err.Error()), as: []error{err}}
	}
	return reply, nil
}

// sendError returns the error of a try that got no complete answer.
func (c *client) sendError(callers, limited context.Context, name string, err error) error {
	var e *Error
	later := password.OverloadedError{After: wait(0)}
	failed := func(how string, as ...error) { e = &Error{detail: name + how, as: as} }
	switch {
	case callers.Err() != nil:
		failed(" gave no answer: "+callers.Err().Error(), callers.Err())
	case c.aborted.Err() != nil:
		failed(" gave no answer until Close", password.ErrClosed)
	case limited.Err() != nil:
		failed(" gave no answer within "+c.timeout.String(), later)
	case c.lasting(err):
		failed(": "+printable(err.Error()), err)
	default:
		failed(" gave no answer: "+printable(err.Error()), later, err)
	}

	_, e.notBegun = errors.AsType[notSent](err)
	return e
}

// statusError returns the error of an answer whose status is not 200.
func statusError(callers, limited context.Context, r response) error {
	p, err := api.DecodeProblem(r.body)
	if err != nil || p.Status != r.status { // from a proxy, or a server that is not fountd
		seconds, _ := strconv.ParseUint(r.header.Get("Retry-After"), 10, 16)
		p = api.Problem{Details: problem.New(r.status, time.Duration(seconds)*time.Second)}
		p.Detail = fmt.Sprintf("status %d without problem details", r.status)
	}

	sent, _ := limited.Deadline()
	own, _ := callers.Deadline() // zero without one
	ofTimeout := !sent.Equal(own)
	if p.Reason == api.ReasonExpired && ofTimeout {
		p.Reason = api.ReasonLate
	}
	return errorOf(p)
}

// enter admits a call or returns an error. leave ends the call.
func (c *client) enter(ctx context.Context) error {
	done := ctx.Err() // unlocked, as a context may run the caller's code
	c.mu.Lock()
	defer c.mu.Unlock()

	switch {
	case c.closed:
		return unsent(password.ErrClosed, "the client is closed")
	case done != nil:
		return unsent(done, "nothing was sent: %v", done)
	case c.active >= c.maxCalls:
		return unsent(password.OverloadedError{After: wait(0)}, "%d calls are under way, as many as the option Calls allows", c.active)
	}

	c.active++
	return nil
}

func (c *client) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()

	c.active--
	if c.closed && c.active == 0 {
		close(c.idle)
	}
}

// Close does what HTTPClient.Close says.
func (c *client) Close(ctx context.Context) error {
	c.mu.Lock()
	if !c.closed && c.active == 0 {
		close(c.idle)
	}
	c.closed = true
	c.mu.Unlock()
	defer c.abort()

	select {
	case <-c.idle:
		return nil
	case <-ctx.Done():
	}

	select {
	case <-c.idle:
		return nil
	default:
		return fmt.Errorf("remote: client: %w", ctx.Err())
	}
}
