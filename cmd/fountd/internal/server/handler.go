// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// Requests.

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"fount/password"
	"fount/remote/api"
)

// A route is what one path has.
type route struct {
	method string
	handle func(*Server, *exchange)
}

var routes = map[string]route{
	api.PathVerify: {http.MethodPost, (*Server).ask},
	api.PathHash:   {http.MethodPost, (*Server).ask},
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
	if r.TLS != nil && s.allows != nil && !s.allows(r.TLS) {
		panic(http.ErrAbortHandler) // which closes the connection, as a new one would be
	}
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
		attrs = append(attrs, slog.Any("outcome", o.Outcome), slog.Any("reason", o.Reason), slog.Bool("upgrade", o.Upgrade),
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

// ask answers a request whose body says what is wanted.
func (s *Server) ask(x *exchange) {
	body, ok := x.body()
	if !ok {
		return
	}
	a := answerTo(x.r.Context(), s.hasher, x.start, x.r.URL.Path, body)
	x.observation, x.principal = a.observation, a.principal
	x.w.Header().Set(api.HeaderWait, strconv.FormatInt(s.hasher.Wait().Milliseconds(), 10))
	if a.problem != nil {
		x.problem(*a.problem)
		return
	}
	x.respond(http.StatusOK, api.MediaType, a.body)
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

func (x *exchange) problem(p api.Problem) {
	if wait := p.RetryAfterSeconds(); wait > 0 {
		x.w.Header().Set("Retry-After", strconv.FormatInt(wait, 10))
	}
	x.respond(p.Status, api.MediaTypeProblem, p.JSON())
}

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
