// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"fount/password"
	"fount/remote/api"
)

// HTTPOptions set up an HTTPClient. A zero field means the default beside it.
type HTTPOptions struct {
	// TLS has the client's certificate and the authorities of the server's, for addresses that begin with https. It is
	// copied. Default: no certificate, and the system's authorities.
	TLS *tls.Config

	// Timeout bounds each call. The server is told of it, or of the context's deadline if that is earlier. A call that it
	// ends gets OverloadedError. Default: 10 s.
	Timeout time.Duration

	// Calls is how many calls may be under way at once, each on a connection of its own. The next one gets OverloadedError
	// at once: calls never queue in the client. Default: 1024.
	Calls int
}

// The defaults of HTTPOptions.
const (
	DefaultTimeout = 10 * time.Second
	DefaultCalls   = 1024
)

func (o HTTPOptions) complete() (HTTPOptions, error) {
	switch {
	case o.Timeout < 0:
		return o, fmt.Errorf("remote: HTTPOptions.Timeout is %v; want more than 0, or 0 for %v", o.Timeout, DefaultTimeout)
	case o.Calls < 0:
		return o, fmt.Errorf("remote: HTTPOptions.Calls is %d; want at least 1, or 0 for %d", o.Calls, DefaultCalls)
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Calls == 0 {
		o.Calls = DefaultCalls
	}
	return o, nil
}

// An HTTPClient has fountd verify and hash. It answers as the server's password.Pool does, within the context's deadline,
// which travels as the time left. A call that its context cancels gives up its place in the server's queue.
//
// Where the server can't be reached or gives no complete answer, calls get OverloadedError, and the next call tries again:
// the client heals with its server. It repeats a call by itself only where the server had closed an idle connection before
// any byte of the answer.
//
// It does not ask for the upgrade that POST /v1/verify can make in the same call: password.Verifier has no place for its
// hash. password.SignIn makes it with Hash, after the user has been let in.
//
// It follows no redirect, uses no proxy and reads at most 16 KiB of an answer. It wipes its own copies of a password after
// the call; the kernel's buffers, those of crypto/tls, and registers that the Go runtime has saved are out of its reach.
//
// Its methods may be called from any goroutine.
type HTTPClient struct {
	servers []*server
	options HTTPOptions
	calls   *calls
}

var _ password.Verifier = (*HTTPClient)(nil)

// HTTP returns a client of the fountd at an address, or of several that hash by one policy and the same peppers, with commas
// between their addresses:
//
//	/run/fountd/fountd.sock, unix:/run/fountd/fountd.sock   a Unix socket
//	https://hashes.internal:8443                            TLS; see HTTPOptions.TLS
//	http://127.0.0.1:8080                                   plaintext, to loopback only
//
// It does not connect: a server that starts later is found by the first call after.
//
// Of several a call asks the better of two, drawn at random, by the wait that each named in its last reply and the client's own
// calls there. If that one refuses, fails or has not answered when half the time is gone, the call asks one other; the first
// answer counts. So a password may be verified twice.
func HTTP(addresses string, o HTTPOptions) (*HTTPClient, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	all, err := newServers(addresses, o)
	if err != nil {
		return nil, err
	}
	return &HTTPClient{servers: all, options: o, calls: newCalls(o.Calls)}, nil
}

// Verify reports whether encoded was made from password. See password.Pool's method for its errors, which Error wraps, and
// for what an empty encoded is.
func (c *HTTPClient) Verify(ctx context.Context, login password.Login, passwd []byte, encoded string) (password.Result, error) {
	m, err := verifyMessage(login, passwd, encoded)
	if err != nil {
		return password.Result{}, err
	}
	return resultOf(ask(ctx, c, api.PathVerify, m, api.DecodeVerifyReply))
}

// verifyMessage is the message of a call, or the error of one that no message holds; the server answers all else.
func verifyMessage(login password.Login, passwd []byte, encoded string) (func(left time.Duration) message, error) {
	switch {
	case len(passwd) > api.MaxPassword:
		return nil, tooLong(passwd)
	case len(encoded) > api.MaxHash || !utf8.ValidString(encoded):
		if len(passwd) == 0 {
			return nil, password.ErrMismatch
		}
		return nil, fmt.Errorf("%w: %d bytes; want at most %d, in UTF-8", password.ErrMalformed, len(encoded), api.MaxHash)
	}
	return func(left time.Duration) message {
		return api.VerifyRequest{Password: passwd, Hash: encoded, Principal: principal(login), Class: classOf(login), Deadline: left}
	}, nil
}

func resultOf(reply api.VerifyReply, err error) (password.Result, error) {
	if err == nil && !reply.Match {
		err = password.ErrMismatch
	}
	return password.Result{NeedsRehash: reply.NeedsRehash, Truncated: reply.Truncated}, err
}

// Hash returns a new hash of password by the server's policy, ready to be stored. See password.Pool's method for its errors,
// which Error wraps.
func (c *HTTPClient) Hash(ctx context.Context, login password.Login, passwd []byte) (string, error) {
	m, err := hashMessage(login, passwd)
	if err != nil {
		return "", err
	}
	reply, err := ask(ctx, c, api.PathHash, m, api.DecodeHashReply)
	return reply.Hash, err
}

func hashMessage(login password.Login, passwd []byte) (func(left time.Duration) message, error) {
	if len(passwd) > api.MaxPassword {
		return nil, tooLong(passwd)
	}
	return func(left time.Duration) message {
		return api.HashRequest{Password: passwd, Principal: principal(login), Class: classOf(login), Deadline: left}
	}, nil
}

// Policy returns how the server makes new hashes.
func (c *HTTPClient) Policy(ctx context.Context) (api.Policy, error) {
	return ask(ctx, c, api.PathPolicy, nil, api.DecodePolicy)
}

func tooLong(passwd []byte) error {
	return fmt.Errorf("%w: %d bytes; want at most %d", password.ErrTooLong, len(passwd), api.MaxPassword)
}

func classOf(login password.Login) api.Class {
	if login.Upgrade {
		return api.ClassRehash
	}
	return api.ClassSignIn
}

// principal returns a name that a message holds: the digest of one that it does not.
func principal(login password.Login) string {
	name := login.Principal
	if len(name) > api.MaxPrincipal || !utf8.ValidString(name) {
		digest := sha256.Sum256([]byte(name))
		name = "sha256:" + hex.EncodeToString(digest[:])
	}
	return name
}

// Close admits no more calls and returns nil when all calls have their answers. If ctx is done first, the calls left get
// ErrClosed and Close returns an error that wraps ctx's.
func (c *HTTPClient) Close(ctx context.Context) error {
	defer func() {
		for _, s := range c.servers {
			s.transport.CloseIdleConnections()
		}
	}()
	return c.calls.close(ctx)
}

// ask sends a message, or GET without one, and decodes the answer.
func ask[T any](ctx context.Context, c *HTTPClient, path string, m func(time.Duration) message, decode func([]byte) (T, error)) (T, error) {
	var none T
	if err := c.calls.enter(ctx); err != nil {
		return none, err
	}
	defer c.calls.leave()
	call, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	defer context.AfterFunc(c.calls.over, cancel)()
	left := newChoice(c.servers)
	return tries(call, min(len(c.servers), 2), func(try context.Context) (T, error) {
		at, began := left.next(time.Now()), time.Now()
		end := at.begin(began)
		status, header, body, err := at.roundTrip(try, path, m)
		now := time.Now()
		// A try that was given up before its half of the time was gone says nothing of the server.
		failed := err != nil && (try.Err() == nil || now.Sub(began) > c.options.Timeout/2) || closing(status, body)
		end(now, header, failed)
		switch {
		case err != nil:
			return none, c.failed(ctx, call, at, err)
		case status != http.StatusOK:
			return none, refusedBy(ctx, call, status, header, body)
		}
		reply, err := decode(body)
		if err != nil {
			err = &Error{detail: at.address.name + " gave an answer that is not fountd's: " + printable(err.Error()), as: []error{err}}
		}
		return reply, err
	})
}

// closing reports whether a server says that it shuts down.
func closing(status int, body []byte) bool {
	if status != http.StatusServiceUnavailable {
		return false
	}
	p, err := api.DecodeProblem(body)
	return err == nil && p.Reason == api.ReasonClosed
}

// roundTrip returns the answer to one request.
func (s *server) roundTrip(ctx context.Context, path string, m func(time.Duration) message) (int, http.Header, []byte, error) {
	r := s.address.request(ctx, path)
	if m != nil {
		b := newBody(ctx, m)
		defer b.wipe()
		b.attach(r)
	}
	response, err := s.transport.RoundTrip(r)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, api.MaxReply+1))
	if err == nil && len(body) > api.MaxReply {
		err = errLong
	}
	return response.StatusCode, response.Header, body, err
}

var errLong = fmt.Errorf("an answer of more than %d bytes", api.MaxReply)

// failed is the error of a call that got no complete answer.
func (c *HTTPClient) failed(ctx, call context.Context, at *server, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case c.calls.over.Err() != nil:
		return password.ErrClosed
	case call.Err() != nil:
		return unavailable(fmt.Sprintf("%s gave no answer within %v", at.address.name, c.options.Timeout), nil)
	case errors.Is(err, errLong), misconfigured(err):
		return &Error{detail: at.address.name + ": " + printable(err.Error()), as: []error{err}}
	}
	return unavailable(at.address.name+" gave no answer", err)
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
		if asked, ok := ctx.Deadline(); !ok || asked.After(told) { // it was HTTPOptions.Timeout's
			p.Reason = api.ReasonLate
		}
	}
	return errorOf(p)
}
