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
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"fount"
	"fount/password"
	"fount/remote/api"
)

// The defaults of options.
const (
	DefaultTimeout = 10 * time.Second
	DefaultCalls   = 1024
)

// A response is what a server answered.
type response struct {
	from   string // the place's name
	status int
	header http.Header
	body   []byte
}

// A sender has one server answer a request.
type sender func(ctx context.Context, path string, q api.Request) (response, error)

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
	mends   func(err error) string // what must be mended; "": it may pass

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
	c := &client{
		places: &places{}, timeout: cmp.Or(timeout, DefaultTimeout), most: cmp.Or(calls, DefaultCalls), mends: mends, idle: make(chan struct{}),
	}
	c.over, c.end = context.WithCancel(context.Background())
	return c, nil
}

// Verify is password.Pool's, with errors of type Error.
func (c *client) Verify(ctx context.Context, login password.Login, passwd []byte, encoded string) (password.Result, error) {
	switch {
	case len(passwd) == 0:
		return password.Result{}, unsent(password.ErrMismatch, "an empty password matches nothing")
	case len(passwd) > api.MaxPassword:
		return password.Result{}, tooLong(passwd)
	case len(encoded) > api.MaxHash || !utf8.ValidString(encoded):
		return password.Result{}, unsent(password.ErrMalformed, "unreadable hash: %d bytes; want at most %d, in UTF-8", len(encoded), api.MaxHash)
	}
	reply, err := ask(ctx, c, api.PathVerify, request(login, passwd, encoded), api.DecodeVerifyReply)
	if err == nil && !reply.Match {
		err = password.ErrMismatch
	}
	return password.Result{NeedsRehash: reply.NeedsRehash, Truncated: reply.Truncated}, err
}

// Hash is password.Pool's, by the server's policy, with errors of type Error.
func (c *client) Hash(ctx context.Context, login password.Login, passwd []byte) (string, error) {
	if len(passwd) > api.MaxPassword {
		return "", tooLong(passwd)
	}
	reply, err := ask(ctx, c, api.PathHash, request(login, passwd, ""), api.DecodeHashReply)
	return reply.Hash, err
}

// Ready returns what a call would be refused with before anything is sent: ErrClosed after Close,
// ctx's error, or OverloadedError if as many calls are under way as the option Calls allows. It
// says nothing of the servers: they alone know whom they have room for, and one that was away may
// be back. The error is an Error and password.ErrNotBegun.
func (c *client) Ready(ctx context.Context, login password.Login) error {
	err := c.enter(ctx)
	if err == nil {
		c.leave()
	}
	return err
}

func tooLong(passwd []byte) error {
	return unsent(password.ErrTooLong, "password too long: %d bytes; want at most %d", len(passwd), api.MaxPassword)
}

// request is a request of a login. A principal that no message holds is replaced by its digest.
func request(login password.Login, passwd []byte, encoded string) api.Request {
	q := api.Request{Password: passwd, Hash: encoded, Principal: login.Principal, Class: api.ClassSignIn}
	if login.Upgrade {
		q.Class = api.ClassRehash
	}
	if len(q.Principal) > api.MaxPrincipal || !utf8.ValidString(q.Principal) {
		digest := sha256.Sum256([]byte(q.Principal))
		q.Principal = "sha256:" + hex.EncodeToString(digest[:])
	}
	return q
}

// ask has a request answered by one server, or by another, and decodes the answer.
func ask[T any](ctx context.Context, c *client, path string, q api.Request, decode func([]byte) (T, error)) (reply T, err error) {
	if err := c.enter(ctx); err != nil {
		return reply, err
	}
	defer c.leave()
	asked := &call{places: c.places}
	call, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	defer context.AfterFunc(c.over, cancel)()
	deadline, _ := call.Deadline()
	half := time.Until(deadline) / 2
	return tries(call, func(try context.Context) (reply T, err error) {
		r, err := asked.send(try, half, path, q)
		switch {
		case err != nil:
			return reply, c.failed(ctx, call, r.from, err)
		case r.status != http.StatusOK:
			return reply, refusedBy(ctx, call, r)
		}
		reply, err = decode(r.body)
		if err != nil {
			err = &Error{detail: r.from + " gave an answer that is not fountd's: " + printable(err.Error()), as: []error{err}}
		}
		return reply, err
	})
}

// answered reports whether an error says something of the password, the hash or the policy.
func answered(err error) bool {
	says := []error{password.ErrMismatch, password.ErrTooLong, password.ErrEmpty, password.ErrNUL}
	return err == nil || slices.ContainsFunc(says, func(e error) bool { return errors.Is(err, e) })
}

// tries asks one server, and another one if that fails, lacks what it needs or is silent until half
// the time is gone. The first answer counts. Both tries have ended when it returns. If one may have
// begun, the error is not password.ErrNotBegun.
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
	hashes := false // one may have begun
	note := func(err error) {
		ended++
		hashes = hashes || !errors.Is(err, password.ErrNotBegun)
	}
	defer func() {
		cancel()
		for ended < begun {
			r := <-results
			note(r.err)
		}
		if e, ok := first.(*Error); ok && hashes {
			e.notBegun = false
		}
	}()
	deadline, _ := ctx.Deadline()
	half := time.NewTimer(time.Until(deadline) / 2)
	defer half.Stop()
	begin()
	for {
		select {
		case r := <-results:
			note(r.err)
			if answered(r.err) {
				return r.value, r.err
			}
			_, overloaded := errors.AsType[password.OverloadedError](r.err)
			if nobody := errors.Is(r.err, errNobody); first == nil || errors.Is(first, errNobody) || overloaded && !nobody {
				first = r.err // one that may pass says more
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
	var e *Error
	switch mend := c.mends(err); {
	case ctx.Err() != nil:
		e = &Error{detail: name + " gave no answer: " + ctx.Err().Error(), as: []error{ctx.Err()}}
	case c.over.Err() != nil:
		e = &Error{detail: name + " gave no answer until Close", as: []error{password.ErrClosed}}
	case call.Err() != nil:
		e = unavailable(fmt.Sprintf("%s gave no answer within %v", name, c.timeout), nil)
	case mend != "":
		e = &Error{detail: name + ": " + printable(mend), as: []error{err}}
	default:
		e = unavailable(name+" gave no answer", err)
	}
	_, e.notBegun = errors.AsType[notSent](err)
	return e
}

// refusedBy is the error of an answer without a result.
func refusedBy(ctx, call context.Context, r response) error {
	p, err := api.DecodeProblem(r.body)
	if err != nil || p.Status != r.status { // of a proxy, or of something else that listens there
		seconds, _ := strconv.ParseUint(r.header.Get("Retry-After"), 10, 16)
		p = api.Problem{
			Status: r.status, Detail: fmt.Sprintf("status %d without problem details", r.status), RetryAfter: 1000 * int64(seconds),
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
		return unsent(password.ErrClosed, "the client is closed")
	case gone != nil:
		return unsent(gone, "nothing was sent: %v", gone)
	case c.calls >= c.most:
		return unsent(password.OverloadedError{After: wait(0)}, "%d calls are under way, as many as the option Calls", c.calls)
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

// Close admits no more calls, and returns nil when all have ended. If ctx is done first, the calls
// left get ErrClosed, and the error wraps ctx's.
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

// A place that failed is asked only where no other is left, for outage; one that is silent, which
// costs each call half its time, for twice as long each time, up to maxOutage.
const (
	outage    = time.Second
	maxOutage = 30 * time.Second
)

// A place is where a call can be sent, and what the client knows of it.
type place struct {
	name string // for errors
	send sender

	wait  time.Duration // that it named last
	heard time.Time     // when
	each  time.Duration // by which one of the client's calls there puts off the next, smoothed
	calls int           // the client's, under way there
	down  time.Time     // until then it is taken for gone
	pause time.Duration // before that, if it was silent
	last  bool          // it is asked where no other is left
}

// cost is how long a call would wait there: since its last reply it worked as fast as time passed.
func (p *place) cost(now time.Time) time.Duration {
	return max(p.wait-now.Sub(p.heard), 0) + time.Duration(p.calls)*max(p.each, time.Microsecond)
}

// places are all that a client may ask. Its methods may be called from any goroutine.
type places struct {
	mu   sync.Mutex
	list []*place
}

// A call has asked some of the places. Its two tries may use it at once.
type call struct {
	*places
	asked []*place
}

// errNobody is in the error of a try that found no other server to ask.
var errNobody = errors.New("remote: no other server")

// send asks a place that the call has not asked. One that is known not to be
// there costs no try. One that is silent for half the call's time, and for longer than it should
// take, is taken for gone: a call may have less time than a hash takes.
func (c *call) send(try context.Context, half time.Duration, path string, q api.Request) (response, error) {
	for {
		began := time.Now()
		p, expected := c.pick(began)
		if p == nil {
			return response{from: "the last server"}, notSent{errNobody}
		}
		r, err := p.send(try, path, q)
		r.from = p.name
		took := time.Since(began)
		switch {
		case err != nil && try.Err() == nil || r.closing():
			c.fail(p, began, took, outage)
		case err != nil && took > max(half, expected):
			c.fail(p, began, took, 0)
		default:
			c.done(p, began, took, r.header)
		}
		if !errors.Is(err, ErrNoWorker) || p.last {
			return r, err
		}
	}
}

// pick takes the better of two places that were not asked, if possible of those that are there, and
// returns how long it should take; nil if none is left.
func (c *call) pick(now time.Time) (best *place, expected time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var there, rest []*place
	for _, p := range c.list {
		switch {
		case slices.Contains(c.asked, p):
		case p.last || now.Before(p.down):
			rest = append(rest, p)
		default:
			there = append(there, p)
		}
	}
	if len(there) == 0 {
		there = rest
	}
	if len(there) == 0 {
		return nil, 0
	}
	i := fount.IntN(len(there))
	best = there[i]
	if len(there) > 1 {
		if other := there[(i+1+fount.IntN(len(there)-1))%len(there)]; other.cost(now) < best.cost(now) {
			best = other
		}
	}
	c.asked = append(c.asked, best)
	best.calls++
	return best, best.cost(now)
}

// fail notes the end of a try whose place is taken for gone for a while; 0: for longer than before,
// unless the try began before that was known.
func (c *call) fail(p *place, began time.Time, took, pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.calls--
	switch {
	case pause > 0:
		p.pause = pause
	case p.pause == 0 || !began.Before(p.down):
		p.pause = min(max(2*p.pause, outage), maxOutage)
	}
	p.down = began.Add(took + p.pause)
}

// done notes the end of a try that was answered, or given up early, which says nothing.
func (c *call) done(p *place, began time.Time, took time.Duration, header http.Header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	beside := time.Duration(p.calls)
	p.calls--
	if ms, err := strconv.ParseUint(header.Get(api.HeaderWait), 10, 32); err == nil {
		p.down, p.pause, p.heard, p.wait = time.Time{}, 0, began.Add(took), time.Duration(ms)*time.Millisecond
		p.each += (took/beside - p.each) / 8
	}
}

// closing reports whether a server says that it shuts down.
func (r response) closing() bool {
	if r.status != http.StatusServiceUnavailable {
		return false
	}
	p, err := api.DecodeProblem(r.body)
	return err == nil && p.Reason == api.ReasonClosed
}
