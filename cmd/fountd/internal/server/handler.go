// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// Requests.

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"fount/cmd/fountd/internal/hasher"
	"fount/password"
	"fount/remote/api"
)

// A route is what one path has.
type route struct {
	method string
	handle func(*Server, *exchange)
}

var routes = map[string]route{
	api.PathVerify: {http.MethodPost, (*Server).verify},
	api.PathHash:   {http.MethodPost, (*Server).hash},
	api.PathPolicy: {http.MethodGet, func(s *Server, x *exchange) { x.respond(http.StatusOK, api.MediaType, *s.policy.Load()) }},
	"/healthz":     {http.MethodGet, func(s *Server, x *exchange) { x.respond(http.StatusOK, textType, []byte("ok\n")) }},
	"/readyz":      {http.MethodGet, (*Server).ready},
	"/metrics":     {http.MethodGet, func(s *Server, x *exchange) { s.metrics.ServeHTTP(x.w, x.r) }},
}

const textType = "text/plain; charset=utf-8"

// An exchange is a request and what becomes of it.
type exchange struct {
	w           http.ResponseWriter
	r           *http.Request
	start       time.Time
	status      int
	observation password.Observation
	principal   string
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	x := &exchange{w: w, r: r, start: time.Now(), status: http.StatusOK}
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("a handler panicked", "value", v, "stack", string(debug.Stack()))
			panic(http.ErrAbortHandler) // which closes the connection and logs nothing
		}
	}()
	route, ok := routes[r.URL.Path]
	switch {
	case !ok:
		x.problem(api.NewProblem(api.ReasonNotFound, "there is no such path", 0))
	case r.Method != route.method && !(r.Method == http.MethodHead && route.method == http.MethodGet):
		w.Header().Set("Allow", route.method)
		x.problem(api.NewProblem(api.ReasonMethod, "the method is not "+route.method, 0))
	default:
		route.handle(s, x)
	}
	s.metrics.count(r.URL.Path, ok, x.status)
	if s.access.Load() {
		s.line(x, ok)
	}
}

// line writes the line of the access log. Nothing in it was written by the client but the path, which is one of ours.
func (s *Server) line(x *exchange, known bool) {
	path := "other"
	if known {
		path = x.r.URL.Path
	}
	attrs := []slog.Attr{slog.String("path", path), slog.Int("status", x.status), slog.Duration("took", time.Since(x.start))}
	if o := x.observation; o.Op != "" {
		attrs = append(attrs, slog.Any("outcome", o.Outcome), slog.Any("reason", o.Reason), slog.Any("class", o.Class),
			slog.String("principal", s.hasher.Pool().PrincipalID(x.principal)), slog.Duration("wait", o.Wait), slog.Duration("service", o.Service))
	}
	s.log.LogAttrs(context.Background(), slog.LevelInfo, "request", attrs...)
}

func (s *Server) ready(x *exchange) {
	if s.draining.Load() {
		x.problem(api.NewProblem(api.ReasonClosed, "the server shuts down", time.Second))
		return
	}
	text := "ok\n"
	if s.state != nil {
		text += s.state()
	}
	x.respond(http.StatusOK, textType, []byte(text))
}

func (s *Server) verify(x *exchange) {
	body, ok := x.body()
	if !ok {
		return
	}
	q, err := api.DecodeVerifyRequest(body)
	clear(body)
	if err != nil {
		x.problem(api.NewProblem(api.ReasonInvalid, err.Error(), 0))
		return
	}
	defer clear(q.Password)
	login := x.login(q.Principal, q.Class)
	ctx, cancel := x.context(q.Deadline)
	defer cancel()
	result, err := s.hasher.Verify(ctx, login, q.Password, q.Hash)
	switch {
	case errors.Is(err, password.ErrMismatch):
		x.answer(api.VerifyReply{})
		return
	case err != nil:
		x.fail(err)
		return
	}
	reply := api.VerifyReply{Match: true, NeedsRehash: result.NeedsRehash, Truncated: result.Truncated}
	if q.Upgrade && result.NeedsRehash {
		reply.Hash = s.upgrade(ctx, login, q.Password)
	}
	x.answer(reply)
}

// upgrade returns a new hash, or "" if there is no time or room for one. A tenth of the time left is kept for the answer.
func (s *Server) upgrade(ctx context.Context, login password.Login, secret []byte) string {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*9/10)
		defer cancel()
	}
	login.Class = password.ClassRehash
	encoded, err := s.hasher.Hash(hasher.Observe(ctx, new(password.Observation)), login, secret)
	if err != nil {
		return ""
	}
	return encoded
}

func (s *Server) hash(x *exchange) {
	body, ok := x.body()
	if !ok {
		return
	}
	q, err := api.DecodeHashRequest(body)
	clear(body)
	if err != nil {
		x.problem(api.NewProblem(api.ReasonInvalid, err.Error(), 0))
		return
	}
	defer clear(q.Password)
	ctx, cancel := x.context(q.Deadline)
	defer cancel()
	encoded, err := s.hasher.Hash(ctx, x.login(q.Principal, q.Class), q.Password)
	if err != nil {
		x.fail(err)
		return
	}
	x.answer(api.HashReply{Hash: encoded})
}

var classes = map[api.Class]password.Class{
	api.ClassSignIn: password.ClassSignIn, api.ClassChangePassword: password.ClassChangePassword, api.ClassRehash: password.ClassRehash,
}

func (x *exchange) login(principal string, class api.Class) password.Login {
	x.principal = principal
	return password.Login{Principal: principal, Class: classes[class]}
}

// body reads the body, and answers the request if that fails.
func (x *exchange) body() ([]byte, bool) {
	body, reason, detail := readBody(x.w, x.r)
	if reason != "" {
		x.w.Header().Set("Connection", "close") // the rest of the body is nobody's request
		x.problem(api.NewProblem(reason, detail, 0))
		return nil, false
	}
	return body, true
}

// context is the request's, which ends when the client goes away, with the time that it has left.
func (x *exchange) context(left time.Duration) (context.Context, context.CancelFunc) {
	ctx := hasher.Observe(x.r.Context(), &x.observation)
	if left <= 0 {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, x.start.Add(left))
}

// fail answers a call that has no result.
func (x *exchange) fail(err error) { x.problem(problemOf(err, x.observation.Reason)) }

func problemOf(err error, reason password.Reason) api.Problem {
	overloaded, is := errors.AsType[password.OverloadedError](err)
	word := api.Reason(reason.String())
	switch {
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

func (x *exchange) problem(p api.Problem) {
	if wait := p.RetryAfterSeconds(); wait > 0 {
		x.w.Header().Set("Retry-After", strconv.FormatInt(wait, 10))
	}
	x.respond(p.Status, api.MediaTypeProblem, p.JSON())
}

func (x *exchange) answer(reply any) { x.respond(http.StatusOK, api.MediaType, encode(reply)) }

func (x *exchange) respond(status int, mediaType string, body []byte) {
	x.status = status
	header := x.w.Header()
	header.Set("Content-Type", mediaType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(answerTime))
	x.w.WriteHeader(status)
	x.w.Write(body)
}

func encode(reply any) []byte {
	body, err := json.Marshal(reply)
	if err != nil {
		panic(err) // structs of strings, numbers and booleans
	}
	return body
}
