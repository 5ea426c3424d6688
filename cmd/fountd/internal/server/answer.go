// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// What a request asks, whichever way it came.

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"fount/password"
	"fount/remote/api"
)

// An answer is what became of a request.
type answer struct {
	body        []byte       // of status 200
	problem     *api.Problem // else
	observation password.Observation
	principal   string
}

// Answer has the pool do what a message asks, and returns the status and body of the reply. path is api.PathVerify or
// api.PathHash. It wipes body.
func (s *Server) Answer(ctx context.Context, path string, body []byte) (status int, reply []byte) {
	a := s.answer(ctx, time.Now(), path, body)
	if a.problem != nil {
		return a.problem.Status, a.problem.JSON()
	}
	return http.StatusOK, a.body
}

// answer is Answer, for a request that came at a time.
func (s *Server) answer(ctx context.Context, came time.Time, path string, body []byte) (a answer) {
	ctx = observed(ctx, &a.observation)
	var reply any
	var err error
	switch path {
	case api.PathVerify:
		reply, err = verify(ctx, s.pool, came, body, &a)
	case api.PathHash:
		reply, err = hash(ctx, s.pool, came, body, &a)
	default:
		err = errNoPath
	}
	if err == nil {
		a.body = encode(reply)
		return a
	}
	problem := problemOf(err, a.observation.Reason)
	if lacks[problem.Reason] {
		s.lacking.Add("reason", problem.Reason, "detail", problem.Detail)
	}
	a.problem = &problem
	return a
}

// lacks are the reasons of what another server may be able to answer, with another configuration.
var lacks = map[api.Reason]bool{api.ReasonKey: true, api.ReasonMemory: true, api.ReasonCost: true, api.ReasonMalformed: true}

var errNoPath = errors.New("there is no such path")

func verify(ctx context.Context, p *Pool, came time.Time, body []byte, a *answer) (any, error) {
	q, err := api.DecodeVerifyRequest(body)
	clear(body)
	if err != nil {
		return nil, err
	}
	defer clear(q.Password)
	a.principal = q.Principal
	login := password.Login{Principal: q.Principal, Upgrade: q.Class == api.ClassRehash}
	ctx, cancel := within(ctx, came, q.Deadline)
	defer cancel()
	result, err := p.Verify(ctx, login, q.Password, q.Hash)
	if errors.Is(err, password.ErrMismatch) {
		return api.VerifyReply{}, nil
	}
	if err != nil {
		return nil, err
	}
	reply := api.VerifyReply{Match: true, NeedsRehash: result.NeedsRehash, Truncated: result.Truncated}
	if q.Upgrade && result.NeedsRehash {
		reply.Hash = upgrade(ctx, p, login, q.Password)
	}
	return reply, nil
}

// upgrade returns a new hash, or "" if there is no time or room for one. A tenth of the time left is kept for the answer.
func upgrade(ctx context.Context, p *Pool, login password.Login, secret []byte) string {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*9/10)
		defer cancel()
	}
	login.Upgrade = true
	encoded, err := p.Hash(observed(ctx, new(password.Observation)), login, secret)
	if err != nil {
		return ""
	}
	return encoded
}

func hash(ctx context.Context, p *Pool, came time.Time, body []byte, a *answer) (any, error) {
	q, err := api.DecodeHashRequest(body)
	clear(body)
	if err != nil {
		return nil, err
	}
	defer clear(q.Password)
	a.principal = q.Principal
	ctx, cancel := within(ctx, came, q.Deadline)
	defer cancel()
	encoded, err := p.Hash(ctx, password.Login{Principal: q.Principal, Upgrade: q.Class == api.ClassRehash}, q.Password)
	return api.HashReply{Hash: encoded}, err
}

// within is ctx with the time that a request has left.
func within(ctx context.Context, came time.Time, left time.Duration) (context.Context, context.CancelFunc) {
	if left <= 0 {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, came.Add(left))
}

func problemOf(err error, reason password.Reason) api.Problem {
	overloaded, is := errors.AsType[password.OverloadedError](err)
	word := api.Reason(reason.String())
	if _, invalid := errors.AsType[api.InvalidError](err); invalid {
		return api.NewProblem(api.ReasonInvalid, err.Error(), 0)
	}
	switch {
	case err == errNoPath:
		return api.NewProblem(api.ReasonNotFound, err.Error(), 0)
	case is:
		if word.Status() != http.StatusServiceUnavailable {
			word = api.ReasonOverload
		}
		return api.NewProblem(word, "overloaded; try again later", max(overloaded.After, time.Millisecond))
	case errors.Is(err, password.ErrClosed):
		return api.NewProblem(api.ReasonClosed, "the server shuts down", time.Second)
	case errors.Is(err, context.DeadlineExceeded):
		return api.NewProblem(api.ReasonExpired, "the deadline has passed", 0)
	case errors.Is(err, context.Canceled): // nobody reads it
		return api.NewProblem(api.ReasonClosed, "the client has gone away", time.Second)
	}
	for of, word := range invalid {
		if errors.Is(err, of) {
			if reason == password.ReasonMemory {
				word = api.ReasonMemory
			}
			return api.NewProblem(word, err.Error(), 0)
		}
	}
	return api.NewProblem(api.ReasonInternal, "", 0)
}

// invalid are the errors of package password whose texts clients may see: they hold nothing of what was sent.
var invalid = map[error]api.Reason{
	password.ErrMalformed: api.ReasonMalformed, password.ErrCost: api.ReasonCost, password.ErrKey: api.ReasonKey,
	password.ErrTooLong: api.ReasonTooLong, password.ErrEmpty: api.ReasonEmpty, password.ErrNUL: api.ReasonNUL,
}

func encode(reply any) []byte {
	body, err := json.Marshal(reply)
	if err != nil {
		panic(err) // structs of strings, numbers and booleans
	}
	return body
}
