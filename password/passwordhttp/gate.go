// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package passwordhttp connects net/http with a password.Verifier: it finds out whom a request
// comes from and until when it can be answered, refuses it early, and answers errors. It is not a
// sign-in: it knows no users, forms, sessions or cookies.
//
// A [Gate] does all of that around a handler that returns an error. Its parts can be used alone:
// [Gate.Principal], [Gate.WithDeadline], [ServeError]. [Shutdown] ends a server and its pool in the
// right order.
package passwordhttp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"fount/password"
	"fount/password/internal/client"
)

// A Gate stands before the handlers of a service that hash. The zero value is one for clients that
// connect themselves. Its methods may be called from any goroutine, its fields not changed after
// the first call.
type Gate struct {
	// Pool is asked before each handler, by Ready, so that a refusal takes a few microseconds and
	// no query. Default: nil, which asks nobody.
	Pool password.Verifier

	// Proxies are the addresses of your own proxies and load balancers; they must set or append to
	// X-Forwarded-For in every request. Make them narrow: a host in these ranges can forge any
	// client address. Default: none, and the header is not read.
	Proxies []netip.Prefix

	// UnixProxy says that whatever connects by a Unix socket is such a proxy.
	UnixProxy bool

	// Network is how many bits the network of an IPv6 client has, which is one principal, up to
	// 128. Default: 56, as of password.PrincipalOf. A service whose clients share such networks, as
	// a host's customers do, has 64.
	Network int

	// Timeout is how long clients wait for an answer, if you know; their requests' bodies must have
	// come by then, too. Default: unknown; then a Pool's MaxWait bounds the queue, by default five
	// hashes' time and at least 300 ms, and http.Server's ReadTimeout the body.
	Timeout time.Duration
}

// maxBody is for forms: a password of 1024 bytes takes 3 KiB in one. Without a limit a form of
// parts can fill the disk, as PostFormValue keeps large ones in files.
const maxBody = 64 << 10 // bytes

// Handle returns a handler that calls h with the request's Principal, its context WithDeadline and
// a body of at most 64 KiB, if g.Pool does not refuse. h answers the request, or returns an error
// and has written nothing. ServeError answers a refusal and that: with 408 or 413 if the body could
// not be read whole, with 415 if h has looked for a form and it is none. Errors that become a 500
// are logged by slog.Default. For Basic authentication h sets the header WWW-Authenticate before it
// returns ErrMismatch.
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
		if err = b.better(err, r); statusOf(err) == http.StatusInternalServerError {
			slog.ErrorContext(ctx, "passwordhttp: a request failed", "error", err)
		}
		ServeError(w, err)
	})
}

// A body knows what its handler saw of it.
type body struct {
	io.ReadCloser
	bounded *http.ResponseController // nil: no deadline was set
	read    atomic.Bool
	failed  atomic.Pointer[error]
}

// setDeadline bounds the time in which the body comes, where that can be done, by ctx.
func (b *body) setDeadline(ctx context.Context, w http.ResponseWriter) {
	deadline, ok := ctx.Deadline()
	server, _ := ctx.Value(http.ServerContextKey).(*http.Server)
	if !ok || server != nil && server.ReadTimeout > 0 && server.ReadTimeout < time.Until(deadline) {
		return
	}
	if c := http.NewResponseController(w); c.SetReadDeadline(deadline) == nil {
		b.bounded = c
	}
}

func (b *body) Read(p []byte) (int, error) {
	b.read.Store(true)
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == io.EOF && b.bounded != nil:
		// From now on net/http reads to see the client leave, and would take the deadline for that.
		b.bounded.SetReadDeadline(time.Time{})
	case err != nil && err != io.EOF:
		b.failed.Store(&err)
	}
	return n, err
}

var errNoForm = errors.New("passwordhttp: the request's body is no form")

// better returns the body's own error, if it has one, in the place of the handler's.
func (b *body) better(err error, r *http.Request) error {
	failed := b.failed.Load()
	switch {
	case failed != nil:
		return *failed
	case r.PostForm != nil && !b.read.Load() && r.ContentLength != 0 && statusOf(err) < 500:
		return errNoForm // ParseForm has looked at its type, and not into it
	}
	return err
}

// WithDeadline returns the request's context with the time by which an answer must be ready: when
// g.Timeout has passed, or nine tenths of the server's WriteTimeout, after which net/http sends
// nothing any more. An earlier deadline of the context, as of http.TimeoutHandler, stays. Without
// any of these there is none.
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

// Principal returns the Login.Principal of a request: password.PrincipalOf its RemoteAddr, or "" if
// it came by a Unix socket; unless it is from a proxy of g.Proxies, or came by a Unix socket and
// g.UnixProxy is set.
//
// Then X-Forwarded-For is read from its end, where the last proxy wrote, back to the first
// address that is not a proxy's: what stands before it was written by the client. What is no
// address ("unknown", "_secret") ends the search: the proxy that says so is the principal, with all
// its clients.
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

// Shutdown ends a server and then its pool. The server takes no more requests and answers those
// that it has, for which the pool must still work; then the pool closes. If ctx is done first, the
// calls left get ErrClosed, and their requests a second to be answered with that; then their
// connections are cut, and the error says so. Close the store after it.
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
