// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package passwordhttp connects net/http with a password.Verifier: it finds the principal and the
// deadline of a request, refuses it early in an overload, and answers errors. It is not a sign-in:
// it knows no users, forms, sessions or cookies.
//
// A [Gate] does all of this around a handler that returns an error. Its parts can be used alone:
// [Gate.Principal], [Gate.WithDeadline], [ServeError]. [Shutdown] ends a server and its pool in the
// right order.
package passwordhttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"fount/password"
	"fount/password/internal/client"
)

// A Gate wraps handlers that hash passwords. The zero Gate is for clients that connect without a
// proxy. Any goroutine may call its methods. Its fields must not change after the first call.
type Gate struct {
	// Pool, if not nil, is asked by Ready before each handler, so that a refusal takes a few
	// microseconds and no query.
	Pool password.Verifier

	// Proxies are the addresses of your own proxies and load balancers; they must set or append to
	// X-Forwarded-For in every request. Make them narrow: a host in these ranges can forge any
	// client address. Default: none, and the header is not read.
	Proxies []netip.Prefix

	// UnixProxy says that all who connect by a Unix socket are such proxies.
	UnixProxy bool

	// Network is the length in bits of an IPv6 network that is one principal, up to 128. Set 64 if
	// your clients share networks, as a hoster's customers do. Default: 56, as in
	// password.PrincipalOf.
	Network int

	// Timeout, if known, is how long clients wait for an answer. A request's body must have come by
	// then, too. Default: unknown; then Options.MaxWait of a Pool bounds the wait, and
	// http.Server's ReadTimeout the body.
	Timeout time.Duration
}

// maxBody bounds requests in bytes. A password of 1024 bytes takes 3 KiB in a form. Without a bound
// a multipart form can fill the disk, as PostFormValue keeps large ones in files.
const maxBody = 64 << 10

// Handle returns a handler that calls h, unless g.Pool refuses, with the request's Principal, a
// context as WithDeadline returns it, and a body of at most 64 KiB. h must either answer the
// request, or write nothing and return an error. ServeError answers errors of h and of g.Pool. If
// the body could not be read, the answer is 400, 408 or 413; if h returns the error of ParseForm or
// ParseMultipartForm, 400; and if the body is not the form that h has looked for, 415. If h parses
// the body in another way, as JSON, it answers what it can't parse itself.
//
// Errors that become a 500 are logged by slog.Default. For Basic authentication h sets the header
// WWW-Authenticate before it returns ErrMismatch.
func (g *Gate) Handle(h func(w http.ResponseWriter, r *http.Request, login password.Login) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		login := password.Login{Principal: g.Principal(r)}
		ctx, cancel := g.WithDeadline(r)
		defer cancel()

		b := new(body)
		if r.ContentLength != 0 {
			b.setDeadline(ctx, w)
		}
		b.ReadCloser = http.MaxBytesReader(w, r.Body, maxBody)
		r = r.WithContext(ctx)
		r.Body = b

		var err error
		if g.Pool != nil {
			err = g.Pool.Ready(ctx, login)
		}
		if err == nil {
			err = h(w, r, login)
		}
		if err == nil {
			return
		}

		err = b.better(err, r)
		if statusOf(err) == http.StatusInternalServerError {
			slog.ErrorContext(ctx, "passwordhttp: a request failed", "error", err)
		}
		ServeError(w, err)
	})
}

// A body is a request's body that remembers what the handler has read.
type body struct {
	io.ReadCloser
	bounded *http.ResponseController // nil if no deadline was set

	mu     sync.Mutex // a handler may leave the body to another goroutine
	read   bool
	kept   []byte // what was read; not wiped, nor are the strings of a parsed form
	failed error
}

// setDeadline has the body end with ctx's deadline, if the server supports that and has no earlier
// one.
func (b *body) setDeadline(ctx context.Context, w http.ResponseWriter) {
	deadline, ok := ctx.Deadline()
	server, _ := ctx.Value(http.ServerContextKey).(*http.Server)
	hasEarlier := server != nil && server.ReadTimeout > 0 && server.ReadTimeout < time.Until(deadline)
	if !ok || hasEarlier {
		return
	}

	if c := http.NewResponseController(w); c.SetReadDeadline(deadline) == nil {
		b.bounded = c
	}
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)

	b.mu.Lock()
	defer b.mu.Unlock()
	b.read = true
	b.kept = append(b.kept, p[:n]...)

	switch {
	case err == io.EOF && b.bounded != nil:
		// From now on net/http reads to notice that the client leaves. The deadline would look so.
		b.bounded.SetReadDeadline(time.Time{})
	case err != nil && err != io.EOF && err != http.ErrBodyReadAfterClose: // the program closed it
		b.failed = err
	}
	return n, err
}

var (
	errBody   = errors.New("passwordhttp: the request can't be read or parsed")
	errNoForm = errors.New("passwordhttp: the request's body is no form")
)

// better returns the error of the body, if there is one, instead of the handler's, which follows
// from it.
func (b *body) better(err error, r *http.Request) error {
	b.mu.Lock()
	defer b.mu.Unlock()

	switch status := statusOf(err); {
	case b.failed != nil:
		return fmt.Errorf("%w: %w", errBody, b.failed)
	case status == http.StatusInternalServerError && b.explains(err, r):
		return errBody
	case r.PostForm != nil && !b.read && r.ContentLength != 0 && status < 500:
		return errNoForm // ParseForm did not read it, because of its type
	}
	return err
}

// explains reports whether the handler's error is that of parsing the request's form. It parses
// once more, as those errors have no types.
func (b *body) explains(err error, r *http.Request) bool {
	again := &http.Request{Method: r.Method, URL: r.URL, Header: r.Header, Body: io.NopCloser(bytes.NewReader(b.kept))}
	for _, parse := range []error{again.ParseForm(), again.ParseMultipartForm(maxBody)} {
		if parse != nil && strings.Contains(err.Error(), parse.Error()) {
			return true
		}
	}
	return false
}

// WithDeadline returns the request's context with a deadline for the answer: after g.Timeout or
// nine tenths of the server's WriteTimeout, whichever is first, as net/http sends nothing after
// that timeout. An earlier deadline, such as http.TimeoutHandler's, stays. If neither is set, there
// is no deadline.
func (g *Gate) WithDeadline(r *http.Request) (context.Context, context.CancelFunc) {
	limit := g.Timeout
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		if writing := server.WriteTimeout / 10 * 9; limit <= 0 || writing < limit {
			limit = writing
		}
	}

	if limit <= 0 {
		return r.Context(), func() {}
	}
	return context.WithTimeout(r.Context(), limit)
}

// principal is password.PrincipalOf, but for g.Network.
func (g *Gate) principal(addr netip.Addr) string {
	bits := g.Network
	if bits <= 0 || bits > 128 {
		bits = client.Network
	}
	return client.Principal(addr, bits)
}

// Principal returns the Login.Principal of a request. For a request from a client it is
// password.PrincipalOf RemoteAddr, or "" if it came by a Unix socket.
//
// For a request from one of g.Proxies, or by a Unix socket with g.UnixProxy, it is the last address
// in X-Forwarded-For that is not a proxy's; what is before it was written by the client. If an
// entry after it is not an address, such as "unknown" or "_secret", the proxy that wrote that entry
// is the principal, with all its clients.
func (g *Gate) Principal(r *http.Request) string {
	_, unix := r.Context().Value(http.LocalAddrContextKey).(*net.UnixAddr)

	var addr netip.Addr
	if !unix { // RemoteAddr is a name that the client may have chosen
		addr = client.Parse(r.RemoteAddr)
	}
	if !g.trusted(addr) && !(g.UnixProxy && unix) {
		return g.principal(addr)
	}

	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		next := client.Parse(strings.TrimSpace(hop))
		if !next.IsValid() {
			break
		}
		addr = next
		if !g.trusted(addr) {
			break
		}
	}
	return g.principal(addr)
}

// trusted reports whether the address is a proxy's.
func (g *Gate) trusted(addr netip.Addr) bool {
	for _, p := range g.Proxies {
		if a := p.Addr(); a.Is4In6() && p.Bits() >= 96 { // "::ffff:10.0.0.0/104" is 10.0.0.0/8
			p = netip.PrefixFrom(a.Unmap(), p.Bits()-96)
		}
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// Shutdown shuts down a server, so that it answers the requests that it has and takes no more, and
// then closes its pool. If ctx is done first, the remaining calls get ErrClosed, and the server has
// a second to answer their requests; then Shutdown closes the connections and returns an error.
// Close the store after Shutdown.
func Shutdown(ctx context.Context, server *http.Server, pool interface{ Close(context.Context) error }) error {
	late := server.Shutdown(ctx)
	err := pool.Close(ctx)
	if late == nil {
		return err
	}

	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if server.Shutdown(grace) != nil {
		server.Close()
	}
	return late
}
