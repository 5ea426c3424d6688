// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// Requests to verify or hash, over HTTP or NATS.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"fount/internal/erase"
	"fount/password"
	"fount/remote/api"
)

// Answer returns the status and body of the reply to a message. path is api.PathVerify or
// api.PathHash. It wipes body.
func (s *Server) Answer(ctx context.Context, path string, body []byte) (status int, reply []byte) {
	reply, problem := s.answer(ctx, time.Now(), "", path, body)
	if problem != nil {
		return problem.Status, problem.JSON()
	}
	return http.StatusOK, reply
}

// answer does what Answer does, for a request that came from a caller at a time.
func (s *Server) answer(ctx context.Context, came time.Time, caller, path string, body []byte) ([]byte, *api.Problem) {
	reply, err := s.try(ctx, came, caller, path, body)
	if err == nil {
		return encode(reply), nil
	}

	problem := problemOf(err)
	switch problem.Reason {
	case api.ReasonKey, api.ReasonMemory, api.ReasonCost, api.ReasonMalformed:
		s.lacking.Add("reason", problem.Reason, "detail", problem.Detail)
	}
	return nil, &problem
}

func (s *Server) try(ctx context.Context, came time.Time, caller, path string, body []byte) (any, error) {
	q, err := api.DecodeRequest(path, body)
	erase.Wipe(body)
	defer erase.Wipe(q.Password)
	if path != api.PathVerify && path != api.PathHash {
		err = api.InvalidError{Problem: "asks for an operation that this server does not have"}
	}
	if err != nil {
		return nil, err
	}

	if q.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, came.Add(q.Deadline))
		defer cancel()
	}
	login := password.Login{Caller: caller, Principal: principalOf(q.Principal), Upgrade: q.Upgrade}
	if path == api.PathHash {
		encoded, err := s.o.Pool.Hash(ctx, login, q.Password)
		return api.HashReply{Hash: encoded}, err
	}

	result, err := s.o.Pool.Verify(ctx, login, q.Password, q.Hash)
	if errors.Is(err, password.ErrMismatch) {
		return api.VerifyReply{}, nil
	}
	if err != nil {
		return nil, err
	}

	reply := api.VerifyReply{Match: true, NeedsRehash: result.NeedsRehash, Truncated: result.Truncated}
	if q.Renew && result.NeedsRehash {
		reply.Hash = s.renew(ctx, login, q.Password)
	}
	return reply, nil
}

// principalOf returns the principal of an address, as a client can take any of its network. What is
// no address stays as it was sent: a client's ID, or the network of a passwordhttp.Gate.
func principalOf(sent string) string { return cmp.Or(password.PrincipalOf(sent), sent) }

// renew returns a new hash, or "" if it is not made in nine tenths of the time left.
func (s *Server) renew(ctx context.Context, login password.Login, secret []byte) string {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*9/10)
		defer cancel()
	}

	login.Upgrade = true
	encoded, _ := s.o.Pool.Hash(ctx, login, secret)
	return encoded
}

func encode(reply any) []byte {
	body, err := json.Marshal(reply)
	if err != nil {
		panic(err) // impossible for structs of strings, numbers and booleans
	}
	return body
}
