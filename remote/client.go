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

// How a call chooses a server:
//
//   - picker.pick draws two servers at random and takes the one with the lower cost: the wait that
//     it last reported, less the time since, plus the time that the client's own calls there take.
//   - hedge asks one other server if the first fails, refuses or is silent for half the time. The
//     first answer counts, and the other try is canceled.
//   - picker.send puts a server aside for 1 s if it fails or shuts down, and for 1, 2, 4 up to 30 s
//     if it hangs: then it is asked only if no other is left. A reply with api.HeaderWait, or news
//     of a fleet's worker, ends that.

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

// A response is a server's answer.
type response struct {
	from   string // the server's name
	status int
	header http.Header
	body   []byte
}

// A sender sends a request to one server and returns its answer.
type sender func(ctx context.Context, path string, q api.Request) (response, error)

// encode returns the request as JSON, with the time that ctx leaves as its deadline.
func encode(ctx context.Context, path string, q api.Request) []byte {
	q.Deadline = api.MaxDeadline
	if deadline, ok := ctx.Deadline(); ok {
		q.Deadline = min(max(time.Until(deadline), time.Millisecond), api.MaxDeadline)
	}
	return q.AppendJSON(make([]byte, 0, q.Size()), path)
}

// A client sends calls to its servers. Its methods may be called from any goroutine.
type client struct {
	servers  *servers
	timeout  time.Duration
	maxCalls int                    // under way
	remedy   func(err error) string // what must be mended first, or "" if a retry may succeed

	mu     sync.Mutex
	active int // calls under way
	closed bool
	idle   chan struct{} // closed when closed and active is 0

	aborted context.Context // done when Close no longer waits
	abort   context.CancelFunc
}

// newClient returns a client without servers. options is the name of their type, for errors.
func newClient(options string, timeout time.Duration, calls int, remedy func(error) string) (*client, error) {
	switch {
	case timeout < 0:
		return nil, fmt.Errorf("remote: %s.Timeout is %v; want more than 0, or 0 for %v", options, timeout, DefaultTimeout)
	case calls < 0:
		return nil, fmt.Errorf("remote: %s.Calls is %d; want at least 1, or 0 for %d", options, calls, DefaultCalls)
	}
	c := &client{
		servers: &servers{}, timeout: cmp.Or(timeout, DefaultTimeout), maxCalls: cmp.Or(calls, DefaultCalls),
		remedy: remedy, idle: make(chan struct{}),
	}
	c.aborted, c.abort = context.WithCancel(context.Background())
	return c, nil
}

// Verify does what password.Pool.Verify does. Its errors are of type Error.
func (c *client) Verify(ctx context.Context, login password.Login, passwd []byte, encoded string) (password.Result, error) {
	switch {
	case len(passwd) == 0:
		return password.Result{}, unsent(password.ErrMismatch, "an empty password matches nothing")
	case len(passwd) > api.MaxPassword:
		return password.Result{}, tooLong(passwd)
	case len(encoded) > api.MaxHash || !utf8.ValidString(encoded):
		return password.Result{}, unsent(password.ErrMalformed, "unreadable hash: %d bytes; want at most %d, in UTF-8", len(encoded), api.MaxHash)
	}
	reply, err := ask(ctx, c, api.PathVerify, newRequest(login, passwd, encoded), api.DecodeVerifyReply)
	if err == nil && !reply.Match {
		err = password.ErrMismatch
	}
	return password.Result{NeedsRehash: reply.NeedsRehash, Truncated: reply.Truncated}, err
}

// Hash does what password.Pool.Hash does, by the server's policy. Its errors are of type Error.
func (c *client) Hash(ctx context.Context, login password.Login, passwd []byte) (string, error) {
	if len(passwd) > api.MaxPassword {
		return "", tooLong(passwd)
	}
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

func tooLong(passwd []byte) error {
	return unsent(password.ErrTooLong, "password too long: %d bytes; want at most %d", len(passwd), api.MaxPassword)
}

// newRequest returns a login's request. A principal too long for it is replaced by its digest.
func newRequest(login password.Login, passwd []byte, encoded string) api.Request {
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

// ask sends a request to one server, or a second one, and decodes the answer.
func ask[T any](ctx context.Context, c *client, path string, q api.Request, decode func([]byte) (T, error)) (none T, err error) {
	if err := c.enter(ctx); err != nil {
		return none, err
	}
	defer c.leave()
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	defer context.AfterFunc(c.aborted, cancel)()
	deadline, _ := limited.Deadline()
	half := time.Until(deadline) / 2
	servers := &picker{servers: c.servers}
	return hedge(limited, func(try context.Context) (reply T, err error) {
		r, err := servers.send(try, half, path, q)
		switch {
		case err != nil:
			return reply, c.sendError(ctx, limited, r.from, err)
		case r.status != http.StatusOK:
			return reply, statusError(ctx, limited, r)
		}
		reply, err = decode(r.body)
		if err != nil {
			err = &Error{detail: r.from + " gave an answer that is not fountd's: " + printable(err.Error()), as: []error{err}}
		}
		return reply, err
	})
}

// conclusive reports whether any server would return this error for the same password and policy.
func conclusive(err error) bool {
	fixed := []error{password.ErrMismatch, password.ErrTooLong, password.ErrEmpty, password.ErrNUL}
	return err == nil || slices.ContainsFunc(fixed, func(e error) bool { return errors.Is(err, e) })
}

// hedge calls ask, and a second time if the first call returns no conclusive error or half the time
// of ctx is gone. It returns the first conclusive result. Both calls have ended when it returns. If
// one of them may have begun a hash, the error is not password.ErrNotBegun.
func hedge[T any](ctx context.Context, ask func(ctx context.Context) (T, error)) (none T, kept error) {
	const maxTries = 2
	type result struct {
		value T
		err   error
	}
	within, cancel := context.WithCancel(ctx)
	results := make(chan result, maxTries)
	begun, ended := 0, 0
	begin := func() {
		begun++
		go func() {
			value, err := ask(within)
			results <- result{value, err}
		}()
	}
	mayHash := false // a server may have begun a hash
	noteEnd := func(err error) {
		ended++
		mayHash = mayHash || !errors.Is(err, password.ErrNotBegun)
	}
	defer func() {
		cancel()
		for ended < begun {
			r := <-results
			noteEnd(r.err)
		}
		if e, ok := kept.(*Error); ok && mayHash {
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
			noteEnd(r.err)
			if conclusive(r.err) {
				return r.value, r.err
			}
			// Keep the first error, or an overload, as that may pass; errNoServer only if alone.
			_, overloaded := errors.AsType[password.OverloadedError](r.err)
			if kept == nil || errors.Is(kept, errNoServer) || overloaded && !errors.Is(r.err, errNoServer) {
				kept = r.err
			}
			switch {
			case begun < maxTries && ctx.Err() == nil:
				begin()
			case ended == begun:
				return none, kept
			}
		case <-half.C:
			if begun < maxTries {
				begin()
			}
		}
	}
}

// sendError returns the error of a try that got no complete answer.
func (c *client) sendError(ctx, limited context.Context, name string, err error) error {
	var e *Error
	switch remedy := c.remedy(err); {
	case ctx.Err() != nil:
		e = &Error{detail: name + " gave no answer: " + ctx.Err().Error(), as: []error{ctx.Err()}}
	case c.aborted.Err() != nil:
		e = &Error{detail: name + " gave no answer until Close", as: []error{password.ErrClosed}}
	case limited.Err() != nil:
		e = unavailable(fmt.Sprintf("%s gave no answer within %v", name, c.timeout), nil)
	case remedy != "":
		e = &Error{detail: name + ": " + printable(remedy), as: []error{err}}
	default:
		e = unavailable(name+" gave no answer", err)
	}
	_, e.notBegun = errors.AsType[notSent](err)
	return e
}

// statusError returns the error of an answer whose status is not 200.
func statusError(ctx, limited context.Context, r response) error {
	p, err := api.DecodeProblem(r.body)
	if err != nil || p.Status != r.status { // from a proxy, or a server that is not fountd
		seconds, _ := strconv.ParseUint(r.header.Get("Retry-After"), 10, 16)
		p = api.Problem{Status: r.status, RetryAfter: 1000 * int64(seconds)}
		p.Detail = fmt.Sprintf("status %d without problem details", r.status)
	}
	if p.Reason == api.ReasonExpired {
		sent, _ := limited.Deadline()
		if deadline, ok := ctx.Deadline(); !ok || deadline.After(sent) { // the option Timeout expired
			p.Reason = api.ReasonLate
		}
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
	case <-ctx.Done():
		select {
		case <-c.idle:
		default:
			return fmt.Errorf("remote: client: %w", ctx.Err())
		}
	}
	return nil
}

// How long a server is put aside: after a failure, and at most after it was silent repeatedly.
const (
	minPause = time.Second
	maxPause = 30 * time.Second
)

// A server is an address or a fleet's worker, and what the client knows of it.
type server struct {
	name string // for errors
	send sender

	wait       time.Duration // that it last reported
	heard      time.Time     // when it did
	perCall    time.Duration // moving average of a call's time, divided by the calls beside it
	active     int           // this client's calls there
	aside      time.Time     // it is put aside until then
	pause      time.Duration // how long it was put aside last; 0 after a reply
	lastResort bool          // it is asked only if no other is left
}

// cost estimates how long a call would wait there. Its reported wait shrinks as time passes.
func (s *server) cost(now time.Time) time.Duration {
	return max(s.wait-now.Sub(s.heard), 0) + time.Duration(s.active)*max(s.perCall, time.Microsecond)
}

// servers are those of a client. Its methods may be called from any goroutine.
type servers struct {
	mu   sync.Mutex
	list []*server
}

// A picker chooses the servers of one call, each at most once. Both tries may use it at once.
type picker struct {
	*servers
	asked []*server
}

// errNoServer is wrapped by the error of a try that found no other server to ask.
var errNoServer = errors.New("remote: no other server")

// send asks the next server. A fleet's worker that has gone costs no try. A silent server is put
// aside only if the try lasted for half, and for as long as the server's cost let expect: a call may
// have less time than a hash takes.
func (c *picker) send(try context.Context, half time.Duration, path string, q api.Request) (response, error) {
	for {
		began := time.Now()
		s, expected := c.pick(began)
		if s == nil {
			return response{from: "the last server"}, notSent{errNoServer}
		}
		r, err := s.send(try, path, q)
		r.from = s.name
		took := time.Since(began)
		switch {
		case err != nil && try.Err() == nil || r.closing():
			c.noteFailure(s, began, took, false)
		case err != nil && took > max(half, expected):
			c.noteFailure(s, began, took, true)
		default:
			c.noteReply(s, began, took, r.header)
		}
		if !errors.Is(err, ErrNoWorker) || s.lastResort {
			return r, err
		}
	}
}

// pick returns the cheaper of two servers drawn from those not asked yet, and its cost. It prefers
// servers that are not put aside. If none is left, it returns nil.
func (c *picker) pick(now time.Time) (best *server, expected time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var candidates, rest []*server
	for _, s := range c.list {
		switch {
		case slices.Contains(c.asked, s):
		case s.lastResort || now.Before(s.aside):
			rest = append(rest, s)
		default:
			candidates = append(candidates, s)
		}
	}
	if len(candidates) == 0 {
		candidates = rest
	}
	if len(candidates) == 0 {
		return nil, 0
	}
	fount.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	two := candidates[:min(2, len(candidates))]
	best = slices.MinFunc(two, func(a, b *server) int { return cmp.Compare(a.cost(now), b.cost(now)) })
	c.asked = append(c.asked, best)
	best.active++
	return best, best.cost(now)
}

// noteFailure ends a try and puts its server aside for minPause. A silent server is put aside for
// twice as long as the last time, or as long if the try began while it was put aside.
func (c *picker) noteFailure(s *server, began time.Time, took time.Duration, silent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.active--
	switch {
	case !silent:
		s.pause = minPause
	case s.pause == 0 || !began.Before(s.aside):
		s.pause = min(max(2*s.pause, minPause), maxPause)
	}
	s.aside = began.Add(took + s.pause)
}

// noteReply ends a try and learns from the reply's header. Without one, as from a fleet's worker or
// if the try was canceled early, it learns nothing.
func (c *picker) noteReply(s *server, began time.Time, took time.Duration, header http.Header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	active := time.Duration(s.active)
	s.active--
	if ms, err := strconv.ParseUint(header.Get(api.HeaderWait), 10, 32); err == nil {
		s.aside, s.pause, s.heard, s.wait = time.Time{}, 0, began.Add(took), time.Duration(ms)*time.Millisecond
		s.perCall += (took/active - s.perCall) / 8
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
