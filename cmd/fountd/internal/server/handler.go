// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// HTTP requests: routes, limits on the body, and replies.

import (
	"cmp"
	"crypto/x509"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"fount/remote/api"
)

// A route says how requests to one path are handled.
type route struct {
	method   string
	handle   func(*Server, *exchange)
	admin    bool // the admin listener serves it too
	unixOnly bool // of the other listeners only Unix sockets serve it
}

var routes = map[string]route{
	api.PathVerify: {http.MethodPost, (*Server).verifyOrHash, false, false},
	api.PathHash:   {http.MethodPost, (*Server).verifyOrHash, false, false},
	api.PathPolicy: {http.MethodGet, (*Server).showPolicy, false, false},
	api.PathTop:    {http.MethodGet, (*Server).top, true, true},
	"/healthz":     {http.MethodGet, (*Server).healthy, true, false},
	"/readyz":      {http.MethodGet, (*Server).ready, true, false},
	"/metrics":     {http.MethodGet, func(s *Server, x *exchange) { s.metrics.ServeHTTP(x.w, x.r) }, true, false},
}

const textType = "text/plain; charset=utf-8"

// An exchange is a request and its reply.
type exchange struct {
	server *Server
	w      http.ResponseWriter
	r      *http.Request
	start  time.Time
	status int
}

// allowedHosts matches the Host of plaintext requests over TCP. Otherwise a web page could map its
// own name to loopback and read our replies in a local browser (DNS rebinding).
var allowedHosts = regexp.MustCompile(`^(?i:localhost|127\.0\.0\.1|\[::1\]|fountd)(:[0-9]*)?$`)

// serveClient handles requests of clients.
func (s *Server) serveClient(w http.ResponseWriter, r *http.Request) {
	s.route(w, r, func(to route) bool { return !to.unixOnly || network(r) == "unix" })
}

// serveAdmin handles requests to the admin listener: health, metrics and top.
func (s *Server) serveAdmin(w http.ResponseWriter, r *http.Request) {
	s.route(w, r, func(to route) bool { return to.admin })
}

// route answers a request by its path, if serves reports true for the path's route.
func (s *Server) route(w http.ResponseWriter, r *http.Request, serves func(route) bool) {
	if r.TLS != nil && s.o.Allows != nil && !s.o.Allows(r.TLS) {
		panic(http.ErrAbortHandler) // closes the connection, as a new one would be refused
	}
	x := &exchange{server: s, w: w, r: r, start: time.Now(), status: http.StatusOK}
	defer func() {
		if v := recover(); v != nil {
			s.o.Log.Error("a handler panicked", "value", v, "stack", string(debug.Stack()))
			panic(http.ErrAbortHandler) // closes the connection and logs nothing
		}
	}()
	if len(r.TransferEncoding) > 0 { // may stand beside a Content-Length that differs
		w.Header().Set("Connection", "close")
	}
	if r.ContentLength == 0 {
		s.noteRead(r)
	}
	route, ok := routes[r.URL.Path]
	served := ok && serves(route)
	switch {
	case r.TLS == nil && network(r) == "tcp" && !allowedHosts.MatchString(r.Host):
		x.problem(api.NewProblem(api.ReasonHost, "the Host is not localhost, 127.0.0.1, [::1] or fountd", 0))
	case ok && (served || route.unixOnly) && // the API's description has /v1/top for all listeners
		r.Method != route.method && !(r.Method == http.MethodHead && route.method == http.MethodGet):
		w.Header().Set("Allow", route.method)
		x.problem(api.NewProblem(api.ReasonMethod, "the method is not "+route.method, 0))
	case !served:
		x.problem(api.NewProblem(api.ReasonNotFound, "there is no such path", 0))
	default:
		route.handle(s, x)
	}
	s.metrics.count(r.URL.Path, served, x.status)
}

func (s *Server) showPolicy(x *exchange) { x.respond(http.StatusOK, api.MediaType, *s.policy.Load()) }

// top lists the principals that use most of the pool, and the ID of one that the query names.
func (s *Server) top(x *exchange) {
	pool, answer := s.o.Pool.Current(), api.Top{Principals: []api.TopPrincipal{}}
	for _, p := range pool.Stats().Top {
		answer.Principals = append(answer.Principals, api.TopPrincipal{ID: p.ID, Weight: p.Weight.Milliseconds()})
	}
	if query := x.r.URL.Query(); query.Has("principal") {
		answer.ID = pool.PrincipalID(principalOf(query.Get("principal")))
	}
	x.respond(http.StatusOK, api.MediaType, encode(answer))
}

// healthy answers as long as the process serves, in an overload too. It does not if the pool hangs.
func (s *Server) healthy(x *exchange) {
	s.o.Pool.Wait()
	x.respond(http.StatusOK, textType, []byte("ok\n"))
}

// Alive reports whether the handler of clients' requests answers one for health. It hangs if that
// does.
func (s *Server) Alive() bool {
	r, err := http.NewRequest(http.MethodGet, "/healthz", nil)
	if err != nil {
		return false
	}
	answer := inProcess{header: http.Header{}}
	s.http.Handler.ServeHTTP(&answer, r)
	return answer.status == http.StatusOK
}

// inProcess is the reply to a request that came by no connection.
type inProcess struct {
	header http.Header
	status int
}

func (w *inProcess) Header() http.Header            { return w.header }
func (w *inProcess) WriteHeader(status int)         { w.status = status }
func (w *inProcess) Write(body []byte) (int, error) { return len(body), nil }

func (s *Server) ready(x *exchange) {
	if s.draining.Load() {
		x.problem(api.NewProblem(api.ReasonClosed, "the server shuts down", time.Second))
		return
	}
	text := "ok\n"
	if s.o.State != nil {
		text += s.o.State()
	}
	x.respond(http.StatusOK, textType, []byte(text))
}

// verifyOrHash answers a request to verify or hash a password.
func (s *Server) verifyOrHash(x *exchange) {
	if n := x.r.ContentLength; n < 0 || n > shortBody && n <= api.MaxRequest {
		select {
		case s.longBodies <- struct{}{}:
			defer func() { <-s.longBodies }()
		default:
			x.w.Header().Set("Connection", "close")
			busy := api.NewProblem(api.ReasonOverload, "too many requests of more than 4096 bytes", time.Second)
			busy.NotBegun = true
			x.problem(busy)
			return
		}
	}
	body, reason, detail := readBody(x.w, x.r)
	if reason != "" {
		x.w.Header().Set("Connection", "close") // the rest of the body is not a request
		x.problem(api.NewProblem(reason, detail, 0))
		return
	}
	s.noteRead(x.r)
	reply, problem := s.answer(x.r.Context(), x.start, caller(x.r), x.r.URL.Path, body)
	x.w.Header().Set(api.HeaderWait, strconv.FormatInt(s.o.Pool.Wait().Milliseconds(), 10))
	if problem != nil {
		x.problem(*problem)
		return
	}
	x.respond(http.StatusOK, api.MediaType, reply)
}

// caller identifies the client by its certificate or, over a Unix socket, by its user. For
// plaintext over loopback it returns "".
func caller(r *http.Request) string {
	if r.TLS != nil && len(r.TLS.PeerCertificates) > 0 {
		c := r.TLS.PeerCertificates[0]
		return "certificate " + cmp.Or(strings.Join(Names(c), " "), c.Subject.String())
	}
	if network(r) == "unix" {
		return r.RemoteAddr // the user, as package daemon's listener sets it
	}
	return ""
}

// network returns the network of the listener, "tcp" or "unix".
func network(r *http.Request) string {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return ""
	}
	return at.Network()
}

// Names returns the subject alternative names of a certificate.
func Names(c *x509.Certificate) []string {
	names := slices.Concat(c.DNSNames, c.EmailAddresses)
	for _, u := range c.URIs {
		names = append(names, u.String())
	}
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	return names
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
	if x.server.draining.Load() {
		header.Set("Connection", "close")
	}
	http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(answerTime))
	x.w.WriteHeader(status)
	x.w.Write(body)
}

// Clients that hold back the end of a body must not fill the memory. So there is room for only
// maxLongBodies that have more than shortBody bytes, or don't say how many. Shorter ones have room
// as long as there are connections; no password that a server accepts needs more in base64.
const (
	shortBody     = 4 << 10 // bytes
	maxLongBodies = 512
)

// readBody reads a body of at most api.MaxRequest bytes, which the caller wipes. It reads to the
// end because net/http notices only after that if the client leaves.
func readBody(w http.ResponseWriter, r *http.Request) (body []byte, reason api.Reason, detail string) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil || kind != api.MediaType:
		return nil, api.ReasonMediaType, "the Content-Type is not " + api.MediaType
	case r.Header.Get("Content-Encoding") != "":
		return nil, api.ReasonMediaType, "the body has a Content-Encoding; want none"
	case r.ContentLength > api.MaxRequest:
		return nil, api.ReasonTooLarge, tooLarge
	}
	first := int64(shortBody) // nearly all need no more, whatever is announced
	if r.ContentLength >= 0 {
		first = min(first, r.ContentLength)
	}
	body = make([]byte, 0, first+1)
	for {
		if len(body) == cap(body) {
			larger := append(make([]byte, 0, min(2*cap(body), api.MaxRequest+1)), body...)
			clear(body)
			body = larger
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case len(body) > api.MaxRequest:
			clear(body)
			return nil, api.ReasonTooLarge, tooLarge
		case err == io.EOF:
			// requestTime does not include the wait for the answer.
			http.NewResponseController(w).SetReadDeadline(time.Time{})
			return body, "", ""
		case errors.Is(err, os.ErrDeadlineExceeded):
			clear(body)
			return nil, api.ReasonInvalid, "the request did not come within " + requestTime.String()
		case err != nil:
			clear(body)
			return nil, api.ReasonInvalid, "the body ended early"
		}
	}
}

const tooLarge = "the body is longer than 32768 bytes"
