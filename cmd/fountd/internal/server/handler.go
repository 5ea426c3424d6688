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
	"slices"
	"strconv"
	"strings"
	"time"

	"fount/internal/erase"
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
	api.PathVerify: {method: http.MethodPost, handle: (*Server).verifyOrHash},
	api.PathHash:   {method: http.MethodPost, handle: (*Server).verifyOrHash},
	api.PathPolicy: {method: http.MethodGet, handle: (*Server).showPolicy},
	api.PathTop:    {method: http.MethodGet, handle: (*Server).top, admin: true, unixOnly: true},
	"/healthz":     {method: http.MethodGet, handle: (*Server).healthy, admin: true},
	"/readyz":      {method: http.MethodGet, handle: (*Server).ready, admin: true},
	"/metrics":     {method: http.MethodGet, handle: (*Server).showMetrics, admin: true},
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
	s.route(w, r, func(to route) bool { return !to.unixOnly || isUnix(r) })
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
	if len(r.TransferEncoding) > 0 { // may stand beside a Content-Length that differs
		w.Header().Set("Connection", "close")
	}
	if r.ContentLength == 0 {
		s.noteRead(r)
	}

	// A wrong method is told where this listener does not serve the path, too, as the API's
	// description says of all its paths.
	route, known := routes[r.URL.Path]
	served := known && serves(route)
	isPlaintext := r.TLS == nil && !isUnix(r)
	isHead := r.Method == http.MethodHead && route.method == http.MethodGet
	switch {
	case isPlaintext && !allowedHosts.MatchString(r.Host):
		x.problem(api.NewProblem(api.ReasonHost, "the Host is not localhost, 127.0.0.1, [::1] or fountd", 0))
	case known && r.Method != route.method && !isHead:
		w.Header().Set("Allow", route.method)
		x.problem(api.NewProblem(api.ReasonMethod, "the method is not "+route.method, 0))
	case !served:
		x.problem(api.NewProblem(api.ReasonNotFound, "there is no such path", 0))
	default:
		route.handle(s, x)
	}

	label := r.URL.Path
	if !served {
		label = "other" // so that clients can't create series
	}
	s.metrics.requests.WithLabelValues(label, strconv.Itoa(x.status)).Inc()
}

func (s *Server) showPolicy(x *exchange) { x.respond(http.StatusOK, api.MediaType, *s.policy.Load()) }

// top lists the principals that use most of the pool, and the ID of one that the query names.
func (s *Server) top(x *exchange) {
	pool := s.o.Pool.Current()
	answer := api.Top{Principals: []api.TopPrincipal{}}
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
	body, refusal := readBody(x.w, x.r)
	if refusal != nil {
		x.w.Header().Set("Connection", "close") // the rest of the body is not a request
		x.problem(*refusal)
		http.NewResponseController(x.w).Flush()
		discard(x.r.Body)
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
	if isUnix(r) {
		return r.RemoteAddr // the user, as package daemon's listener sets it
	}
	return ""
}

// isUnix reports whether a request came over a Unix socket.
func isUnix(r *http.Request) bool {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return ok && at.Network() == "unix"
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

// Why a body is refused.
var (
	wrongType = api.NewProblem(api.ReasonMediaType, "the Content-Type is not "+api.MediaType, 0)
	tooLarge  = api.NewProblem(api.ReasonTooLarge, "the body is longer than 8192 bytes", 0) // api.MaxRequest
	tooSlow   = api.NewProblem(api.ReasonInvalid, "the request did not come within "+requestTime.String(), 0)
	cutShort  = api.NewProblem(api.ReasonInvalid, "the body ended early", 0)
)

// readBody reads a body of at most api.MaxRequest bytes, which the caller wipes, or returns why it
// is refused. It reads to the end because net/http notices only after that if the client leaves.
func readBody(w http.ResponseWriter, r *http.Request) (body []byte, refusal *api.Problem) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != api.MediaType {
		return nil, &wrongType
	}

	size := r.ContentLength
	switch {
	case size > api.MaxRequest:
		return nil, &tooLarge
	case size < 0:
		size = api.MaxRequest
	}

	body, err = readUpTo(size+1, r.Body)
	switch {
	case len(body) > api.MaxRequest:
		refusal = &tooLarge
	case err == io.EOF:
		http.NewResponseController(w).SetReadDeadline(time.Time{}) // requestTime ends with the body
		return body, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		refusal = &tooSlow
	default:
		refusal = &cutShort
	}
	erase.Wipe(body)
	return nil, refusal
}

// readUpTo reads until an error, which may be io.EOF, or until it has size bytes. It leaves no copy,
// as a buffer that grows does.
func readUpTo(size int64, from io.Reader) (read []byte, err error) {
	read = make([]byte, 0, size)
	for err == nil && len(read) < cap(read) {
		var n int
		n, err = from.Read(read[len(read):cap(read)])
		read = read[:len(read)+n]
	}
	return read, err
}

// discard reads the rest of a body that was refused, if that is not much, and wipes it. A client
// that is writing when the connection ends finds an error, and no answer.
func discard(body io.Reader) {
	const part = 4 << 10
	for range 256 << 10 / part {
		read, err := readUpTo(part, body)
		erase.Wipe(read)
		if err != nil {
			return
		}
	}
}
