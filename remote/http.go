// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"fount/internal/loopback"
	"fount/password"
	"fount/remote/api"
)

// HTTPOptions set up an HTTPClient. A zero field means the default beside it.
type HTTPOptions struct {
	// TLS is for addresses that begin with https, and is copied. Default: no client certificate,
	// and the system's certificate authorities.
	TLS *tls.Config

	// Timeout bounds each call, unless its context has an earlier deadline. The server learns which
	// time is left. A call that times out gets OverloadedError. Default: 10 s.
	Timeout time.Duration

	// Calls bounds the calls under way, each with its own connection. Further calls get
	// OverloadedError at once. Default: 1024.
	Calls int
}

// An HTTPClient verifies and hashes passwords on fountd, within the context's deadline. It does not
// send Login.Caller, as the server identifies its client itself. A canceled call leaves the
// server's queue. A call without a complete answer gets OverloadedError. An error is
// password.ErrNotBegun if no server was reached, or if each that was asked reported that it had
// begun no hash. If a server was killed while it hashed and the request was sent again over a new
// connection, the second answer counts.
//
// It follows no redirect, uses no proxy and reads at most 16 KiB of an answer. It wipes its own
// copies of a password, but can't wipe those of the kernel and of crypto/tls.
//
// Its methods may be called from any goroutine.
type HTTPClient struct {
	*client
	transports []*http.Transport
}

var _ password.Verifier = (*HTTPClient)(nil)

// HTTP returns a client of the fountd at an address, or at several with commas between them:
//
//	/run/fountd/fountd.sock        a Unix socket
//	https://hashes.internal:8443   TLS; see HTTPOptions.TLS
//	http://127.0.0.1:8080          plaintext, to loopback only
//
// It connects with the first call. Several servers must have one policy and the same peppers. A
// call draws two at random and asks the one with the shorter expected wait, by what the server last
// reported and the client's own calls there. If it refuses, fails or is silent for half the time,
// the call asks one other, so a password may be verified twice. The first answer counts.
func HTTP(addresses string, o HTTPOptions) (*HTTPClient, error) {
	core, err := newClient("HTTPOptions", o.Timeout, o.Calls, isLastingOverHTTP)
	if err != nil {
		return nil, err
	}

	c := &HTTPClient{client: core}
	var all []address
	for text := range strings.SplitSeq(addresses, ",") {
		a, err := parseAddress(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		if slices.Contains(all, a) {
			return nil, fmt.Errorf("remote: the address %s is given twice; want each server once", a.name)
		}
		all = append(all, a)

		transport := newTransport(a, o, core.maxCalls)
		c.transports = append(c.transports, transport)
		core.servers.list = append(core.servers.list, &server{name: a.name, send: a.sender(transport)})
	}
	return c, nil
}

// Close refuses further calls and returns nil when all have ended. If ctx is done first, the calls
// left get ErrClosed, and the error wraps ctx's.
func (c *HTTPClient) Close(ctx context.Context) error {
	err := c.client.Close(ctx)
	for _, t := range c.transports {
		t.CloseIdleConnections()
	}
	return err
}

// An address is where a server listens.
type address struct {
	name   string  // for errors
	socket string  // path of a Unix socket; if "", the URL's host is dialed
	url    url.URL // of the API's root
}

func parseAddress(text string) (address, error) {
	if filepath.IsAbs(text) {
		return address{name: text, socket: text, url: url.URL{Scheme: "http", Host: "fountd"}}, nil
	}

	if strings.Contains(text, "@") {
		return address{}, errors.New("remote: the address holds credentials; fountd takes a client's certificate")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return address{}, fmt.Errorf("remote: address %q; want a socket's absolute path, https://HOST:PORT or http://127.0.0.1:PORT", text)
	case u.RawQuery != "" || u.Fragment != "":
		return address{}, fmt.Errorf("remote: address %q has a query or fragment; want a scheme, a host and a path only", text)
	case u.Scheme == "http" && !loopback.Is(u.Hostname()):
		return address{}, fmt.Errorf("remote: address %q would send passwords in plaintext; want https", text)
	}
	return address{name: u.Host, url: *u}, nil
}

func (a address) request(ctx context.Context, path string) *http.Request {
	u := a.url
	u.Path = strings.TrimSuffix(u.Path, "/") + path
	u.RawPath = ""
	r := &http.Request{
		Method: http.MethodPost,
		URL:    &u,
		Header: http.Header{"Accept": {api.MediaType}, "User-Agent": {"fount-remote"}},
	}
	return r.WithContext(ctx)
}

// sender returns a sender to the server at the address.
func (a address) sender(t http.RoundTripper) sender {
	return func(ctx context.Context, path string, q api.Request) (response, error) {
		r := a.request(ctx, path)
		b := &body{text: encode(ctx, path, q)}
		defer b.wipe()
		b.attach(r)

		answer, err := t.RoundTrip(r)
		if err != nil {
			if !b.wipe() {
				err = notSent{err}
			}
			return response{}, err
		}
		defer answer.Body.Close()

		body, err := io.ReadAll(io.LimitReader(answer.Body, api.MaxReply+1))
		if err == nil && len(body) > api.MaxReply {
			err = errLong
		}
		return response{status: answer.StatusCode, header: answer.Header, body: body}, err
	}
}

var errLong = fmt.Errorf("an answer of more than %d bytes", api.MaxReply)

const (
	dialTimeout = 5 * time.Second  // a dial outlives a canceled call, for the next call to use
	idleTimeout = 60 * time.Second // below the servers'
)

var errPlaintext = errors.New("the address is not loopback, and passwords would travel in plaintext; want https")

// newTransport returns a transport with a connection for each call. As it dials itself it does not
// speak HTTP/2, which has one for all, in which calls would delay each other.
func newTransport(a address, o HTTPOptions, calls int) *http.Transport {
	dialer := net.Dialer{Timeout: dialTimeout}
	if a.socket == "" && a.url.Scheme == "http" { // the resolver may map localhost to any address
		dialer.Control = func(_, resolved string, _ syscall.RawConn) error {
			if host, _, err := net.SplitHostPort(resolved); err != nil || !loopback.Is(host) {
				return errPlaintext
			}
			return nil
		}
	}

	secure := tls.Dialer{NetDialer: &dialer, Config: o.TLS.Clone()}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, host string) (net.Conn, error) {
			if a.socket != "" {
				network = "unix"
				host = a.socket
			}
			c, err := dialer.DialContext(ctx, network, host)
			return wipingConn{c}, err
		},
		DialTLSContext: func(ctx context.Context, network, host string) (net.Conn, error) {
			c, err := secure.DialContext(ctx, network, host)
			return wipingConn{c}, err
		},
		DisableCompression:     true,
		MaxIdleConnsPerHost:    calls,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: api.MaxReply,
	}
}

// isLastingOverHTTP reports whether no retry succeeds until an address or a certificate is mended.
func isLastingOverHTTP(err error) bool {
	var (
		certificate *tls.CertificateVerificationError
		notTLS      tls.RecordHeaderError
		op          *net.OpError
	)
	isAlert := errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error")
	return isAlert || errors.As(err, &certificate) || errors.As(err, &notTLS) ||
		errors.Is(err, errPlaintext) || errors.Is(err, errLong) || errors.Is(err, fs.ErrPermission)
}

// A wipingConn clears the bytes that it has written. io.Writer forbids that, but its only caller,
// the transport's bufio.Writer, would keep a password until the next call and does not reread it.
//
// It tells a failure by its next Read. A request whose kept connection ends is sent again if that
// is read, but not if it is met between writing the header and the body.
type wipingConn struct{ net.Conn }

func (c wipingConn) Write(p []byte) (int, error) {
	defer clear(p)
	if _, err := c.Conn.Write(p); err != nil {
		c.Close()
	}
	return len(p), nil
}

// A body is a request's body. The transport may still read it after the call has ended.
type body struct {
	mu    sync.Mutex
	text  []byte
	read  bool // the transport, once connected, has read some of it
	wiped bool
}

// attach makes b the body of r. The transport sends it again only if the server had closed an idle
// connection; hashing twice does no harm.
func (b *body) attach(r *http.Request) {
	r.Header["Content-Type"] = []string{api.MediaType}
	r.Header["Idempotency-Key"] = nil // allows that, and is not sent; see http.Transport
	r.ContentLength = int64(len(b.text))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(&reader{b, bytes.NewReader(b.text)}), nil }
	r.Body, _ = r.GetBody()
}

// wipe clears the text, even if the transport still sends it, and reports whether any was read.
func (b *body) wipe() (read bool) {
	b.mu.Lock()
	defer b.mu.Unlock()

	clear(b.text)
	b.wiped = true
	return b.read
}

type reader struct {
	of   *body
	text *bytes.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()

	if r.of.wiped {
		return 0, net.ErrClosed
	}
	r.of.read = true
	return r.text.Read(p)
}
