// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

// What http.Transport needs to carry passwords: where to, and bodies that are wiped.

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"fount/remote/api"
)

// An address is where a server listens.
type address struct {
	name   string  // for errors
	socket string  // the Unix socket; "": the URL's host
	url    url.URL // of the API's root
}

func parseAddress(text string) (address, error) {
	if path, ok := strings.CutPrefix(text, "unix:"); ok || filepath.IsAbs(text) {
		if ok && strings.HasPrefix(path, "//") {
			path = path[2:]
		}
		if !filepath.IsAbs(path) {
			return address{}, fmt.Errorf("remote: the socket %q is not an absolute path", path)
		}
		return address{name: path, socket: path, url: url.URL{Scheme: "http", Host: "fountd"}}, nil
	}
	if strings.Contains(text, "@") {
		return address{}, errors.New("remote: the address holds credentials; fountd takes a client's certificate")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return address{}, fmt.Errorf("remote: address %q; want a socket's absolute path, unix:PATH, https://HOST:PORT or http://127.0.0.1:PORT", text)
	case u.RawQuery != "" || u.Fragment != "":
		return address{}, fmt.Errorf("remote: address %q has more than a scheme, a host and a path", text)
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return address{}, fmt.Errorf("remote: address %q would send passwords in plaintext; want https", text)
	}
	return address{name: u.Host, url: *u}, nil
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func (a address) request(ctx context.Context, path string) *http.Request {
	u := a.url
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/")+path, ""
	r := &http.Request{
		Method: http.MethodGet, URL: &u, Header: http.Header{"Accept": {api.MediaType}, "User-Agent": {"fount-remote"}},
	}
	return r.WithContext(ctx)
}

const (
	dialTimeout = 5 * time.Second  // goes on without the call that began it, for the next one
	idleTimeout = 60 * time.Second // below the servers'
)

var errPlaintext = errors.New("the address is not loopback, and passwords would travel in plaintext; want https")

// newTransport returns a transport that keeps a connection for each call: HTTP/2 would put all calls behind each other in
// one, and a canceled call must be seen at once.
func newTransport(a address, o HTTPOptions) *http.Transport {
	dialer := net.Dialer{Timeout: dialTimeout}
	if a.socket == "" && a.url.Scheme == "http" { // localhost is whatever the resolver says
		dialer.Control = func(_, resolved string, _ syscall.RawConn) error {
			if host, _, err := net.SplitHostPort(resolved); err != nil || !loopback(host) {
				return errPlaintext
			}
			return nil
		}
	}
	dial := func(ctx context.Context, network, host string) (net.Conn, error) {
		if a.socket != "" {
			network, host = "unix", a.socket
		}
		return dialer.DialContext(ctx, network, host)
	}
	config := o.TLS.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	if config.ServerName == "" {
		config.ServerName = a.url.Hostname()
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext: func(ctx context.Context, network, host string) (net.Conn, error) {
			return wiped(dial(ctx, network, host))
		},
		DialTLSContext: func(ctx context.Context, network, host string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, dialTimeout)
			defer cancel()
			plain, err := dial(ctx, network, host)
			if err != nil {
				return nil, err
			}
			c := tls.Client(plain, config)
			if err := c.HandshakeContext(ctx); err != nil {
				plain.Close()
				return nil, err
			}
			return wiped(c, nil)
		},
		Protocols:              protocols,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    o.Calls,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: api.MaxReply,
	}
}

// misconfigured reports whether a call failed for a reason that does not pass by itself: permissions, TLS, or plaintext.
func misconfigured(err error) bool {
	var (
		certificate *tls.CertificateVerificationError
		notTLS      tls.RecordHeaderError
		op          *net.OpError
	)
	return errors.Is(err, errPlaintext) || errors.Is(err, fs.ErrPermission) || errors.As(err, &certificate) || errors.As(err, &notTLS) ||
		errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") // alerts of TLS
}

// A wipingConn clears what it has written: the transport's buffer, which would keep a password until the next call. That
// io.Writer's contract forbids; bufio.Writer, which alone calls it, reads no byte again that it has handed on.
type wipingConn struct{ net.Conn }

func wiped(c net.Conn, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	return wipingConn{c}, nil
}

func (c wipingConn) Write(p []byte) (int, error) {
	defer clear(p)
	return c.Conn.Write(p)
}

// A message is a request of package api.
type message interface {
	AppendJSON(b []byte) []byte
	Size() int
}

// A body is the message of one call, written anew each time it is sent, with the time left then.
type body struct {
	ctx     context.Context
	message func(left time.Duration) message
	length  int // of the first; later ones have less time, and as many bytes

	mu      sync.Mutex
	written [][]byte
	over    bool // and wiped
}

func newBody(ctx context.Context, m func(time.Duration) message) *body {
	return &body{ctx: ctx, message: m}
}

// attach makes r carry the body. The transport sends it again only on a connection that an idle server had closed; to verify
// or hash twice is harmless.
func (b *body) attach(r *http.Request) {
	r.Method = http.MethodPost
	r.Header["Content-Type"] = []string{api.MediaType}
	r.Header["Idempotency-Key"] = nil // is not sent; see http.Transport
	first := b.write()
	b.length = len(first)
	r.Body, r.ContentLength = &reader{body: b, rest: first}, int64(len(first))
	r.GetBody = func() (io.ReadCloser, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.over {
			return nil, net.ErrClosed
		}
		return &reader{body: b, rest: b.write()}, nil
	}
}

// write writes the message anew. b.mu is held, except by attach.
func (b *body) write() []byte {
	left := api.MaxDeadline
	if deadline, ok := b.ctx.Deadline(); ok {
		left = min(max(time.Until(deadline), time.Millisecond), api.MaxDeadline)
	}
	m := b.message(left)
	text := m.AppendJSON(make([]byte, 0, m.Size()))
	for len(text) < b.length {
		text = append(text, ' ')
	}
	b.written = append(b.written, text)
	return text
}

// wipe clears all copies, also where the transport still sends one.
func (b *body) wipe() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.written {
		clear(text)
	}
	b.written, b.over = nil, true
}

type reader struct {
	body *body
	rest []byte
}

func (r *reader) Read(p []byte) (int, error) {
	r.body.mu.Lock()
	defer r.body.mu.Unlock()
	switch {
	case r.body.over:
		return 0, net.ErrClosed
	case len(r.rest) == 0:
		return 0, io.EOF
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (*reader) Close() error { return nil }
