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

	"fount/password"
	"fount/remote/api"
)

// The defaults of options.
const (
	DefaultTimeout = 10 * time.Second
	DefaultCalls   = 1024
)

// A sender has one server answer a request; a nil one has no body.
type sender func(ctx context.Context, path string, q *api.Request) (status int, header http.Header, body []byte, err error)

// encode writes a request with the time that ctx leaves.
func encode(ctx context.Context, path string, q api.Request) []byte {
	q.Deadline = api.MaxDeadline
	if deadline, ok := ctx.Deadline(); ok {
		q.Deadline = min(max(time.Until(deadline), time.Millisecond), api.MaxDeadline)
	}
	return q.AppendJSON(make([]byte, 0, q.Size()), path)
}

// A client asks the places that it has. Its methods may be called from any goroutine.
type client struct {
	places  *places
	timeout time.Duration
	most    int                    // calls under way
	mends   func(err error) string // what must be mended for err to go away; "": it may go by itself

	mu     sync.Mutex
	calls  int
	closed bool
	idle   chan struct{} // closed once closed and no call is under way

	over context.Context // done when Close no longer waits
	end  context.CancelFunc
}

// newClient returns a client without places, by options of a type.
func newClient(options string, timeout time.Duration, calls int, mends func(error) string) (*client, error) {
	switch {
	case timeout < 0:
		return nil, fmt.Errorf("remote: %s.Timeout is %v; want more than 0, or 0 for %v", options, timeout, DefaultTimeout)
	case calls < 0:
		return nil, fmt.Errorf("remote: %s.Calls is %d; want at least 1, or 0 for %d", options, calls, DefaultCalls)
	}
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	if calls == 0 {
		calls = DefaultCalls
	}
	c := &client{places: &places{}, timeout: timeout, most: calls, mends: mends, idle: make(chan struct{})}
	c.over, c.end = context.WithCancel(context.Background())
	return c, nil
}

// Verify reports whether encoded was made from password. See password.Pool's method for its errors, which Error wraps, and
// for what an empty encoded is.
func (c *client) Verify(ctx context.Context, login password.Login, passwd []byte, encoded string) (password.Result, error) {
	switch {
	case len(passwd) > api.MaxPassword:
		return password.Result{}, tooLong(passwd)
	case len(encoded) > api.MaxHash || !utf8.ValidString(encoded):
		if len(passwd) == 0 {
			return password.Result{}, password.ErrMismatch
		}
		return password.Result{}, fmt.Errorf("%w: %d bytes; want at most %d, in UTF-8", password.ErrMalformed, len(encoded), api.MaxHash)
	}
	reply, err := ask(ctx, c, api.PathVerify, request(login, passwd, encoded), api.DecodeVerifyReply)
	if err == nil && !reply.Match {
		err = password.ErrMismatch
	}
	return password.Result{NeedsRehash: reply.NeedsRehash, Truncated: reply.Truncated}, err
}

// Hash returns a new hash of password by the server's policy, ready to be stored. See password.Pool's method for its errors,
// which Error wraps.
func (c *client) Hash(ctx context.Context, login password.Login, passwd []byte) (string, error) {
	if len(passwd) > api.MaxPassword {
		return "", tooLong(passwd)
	}
	reply, err := ask(ctx, c, api.PathHash, request(login, passwd, ""), api.DecodeHashReply)
	return reply.Hash, err
}

func tooLong(passwd []byte) error {
	return fmt.Errorf("%w: %d bytes; want at most %d", password.ErrTooLong, len(passwd), api.MaxPassword)
}

// request is a request of a login. A principal that no message holds is replaced by its digest.
func request(login password.Login, passwd []byte, encoded string) *api.Request {
	q := &api.Request{Password: passwd, Hash: encoded, Principal: login.Principal, Class: api.ClassSignIn}
	if login.Upgrade {
		q.Class = api.ClassRehash
	}
	if len(q.Principal) > api.MaxPrincipal || !utf8.ValidString(q.Principal) {
		digest := sha256.Sum256([]byte(q.Principal))
		q.Principal = "sha256:" + hex.EncodeToString(digest[:])
	}
	return q
}

// leastSilence is how long a server has been silent, at least, that is taken for gone: a call may have less time than a hash takes.
const leastSilence = 250 * time.Millisecond

// ask has a request answered by one server, or by another, and decodes the answer.
func ask[T any](ctx context.Context, c *client, path string, q *api.Request, decode func([]byte) (T, error)) (reply T, err error) {
	if err := c.enter(ctx); err != nil {
		return reply, err
	}
	defer c.leave()
	call, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	defer context.AfterFunc(c.over, cancel)()
	deadline, _ := call.Deadline()
	long := min(c.timeout/2, max(time.Until(deadline)/2, leastSilence))
	asked := c.places.newCall()
	return tries(call, func(try context.Context) (reply T, err error) {
		name, status, header, body, err := asked.send(try, long, path, q)
		switch {
		case err != nil:
			return reply, c.failed(ctx, call, name, err)
		case status != http.StatusOK:
			return reply, refusedBy(ctx, call, status, header, body)
		}
		if reply, err = decode(body); err != nil {
			err = &Error{detail: name + " gave an answer that is not fountd's: " + printable(err.Error()), as: []error{err}}
		}
		return reply, err
	})
}

// answered reports whether an error says something of the password, the hash or the policy.
func answered(err error) bool {
	for _, e := range []error{password.ErrMismatch, password.ErrTooLong, password.ErrEmpty, password.ErrNUL} {
		if errors.Is(err, e) {
			return true
		}
	}
	return err == nil
}

// tries asks one server and, if that does not answer, fails or has not answered when half the time is gone, another. What one server has no
// key, memory or form for, another may have. The first answer counts. Both tries have ended when it returns.
func tries[T any](ctx context.Context, ask func(ctx context.Context) (T, error)) (none T, first error) {
	const most = 2
	type result struct {
		value T
		err   error
	}
	within, cancel := context.WithCancel(ctx)
	results := make(chan result, most)
	begun, ended := 0, 0
	begin := func() {
		begun++
		go func() {
			value, err := ask(within)
			results <- result{value, err}
		}()
	}
	defer func() {
		for cancel(); ended < begun; ended++ {
			<-results
		}
	}()
	deadline, _ := ctx.Deadline()
	half := time.NewTimer(time.Until(deadline) / 2)
	defer half.Stop()
	for begin(); ; {
		select {
		case r := <-results:
			ended++
			if answered(r.err) {
				return r.value, r.err
			}
			_, overloaded := errors.AsType[password.OverloadedError](r.err)
			if nobody := errors.Is(r.err, errNobody); first == nil || errors.Is(first, errNobody) || overloaded && !nobody {
				first = r.err // one that may pass says more than one that another server may not have
			}
			switch {
			case begun < most && ctx.Err() == nil:
				begin()
			case ended == begun:
				return none, first
			}
		case <-half.C:
			if begun < most {
				begin()
			}
		}
	}
}

// failed is the error of a try that got no complete answer.
func (c *client) failed(ctx, call context.Context, name string, err error) error {
	switch mend := c.mends(err); {
	case ctx.Err() != nil:
		return ctx.Err()
	case c.over.Err() != nil:
		return password.ErrClosed
	case call.Err() != nil:
		return unavailable(fmt.Sprintf("%s gave no answer within %v", name, c.timeout), nil)
	case mend != "":
		return &Error{detail: name + ": " + printable(mend), as: []error{err}}
	}
	return unavailable(name+" gave no answer", err)
}

// refusedBy is the error of an answer without a result.
func refusedBy(ctx, call context.Context, status int, header http.Header, body []byte) error {
	p, err := api.DecodeProblem(body)
	if err != nil || p.Status != status { // of a proxy, or of something else that listens there
		seconds, _ := strconv.ParseUint(header.Get("Retry-After"), 10, 16)
		p = api.Problem{
			Status: status, Detail: fmt.Sprintf("status %d without problem details", status), RetryAfter: 1000 * int64(seconds),
		}
	}
	if p.Reason == api.ReasonExpired {
		told, _ := call.Deadline()
		if asked, ok := ctx.Deadline(); !ok || asked.After(told) { // it was the option Timeout's
			p.Reason = api.ReasonLate
		}
	}
	return errorOf(p)
}

// enter admits a call, and leave ends it.
func (c *client) enter(ctx context.Context) error {
	gone := ctx.Err() // with no lock held: a context is its caller's own code
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return password.ErrClosed
	case gone != nil:
		return gone
	case c.calls >= c.most:
		return unavailable(fmt.Sprintf("%d calls are under way, as many as the option Calls", c.calls), nil)
	}
	c.calls++
	return nil
}

func (c *client) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls--
	if c.closed && c.calls == 0 {
		close(c.idle)
	}
}

// Close admits no more calls and returns nil when all calls have ended. If ctx is done first, the calls left get ErrClosed, and
// Close returns an error that wraps ctx's.
func (c *client) Close(ctx context.Context) error {
	c.mu.Lock()
	if !c.closed && c.calls == 0 {
		close(c.idle)
	}
	c.closed = true
	c.mu.Unlock()
	defer c.end()
	select {
	case <-c.idle:
		return nil
	default:
	}
	select {
	case <-c.idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("remote: client: %w", ctx.Err())
	}
}
