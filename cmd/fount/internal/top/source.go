// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package top

// Where the figures come from: HTTP, over TCP or a Unix socket.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// What a process may do to its reader is bounded.
const (
	patience   = 10 * time.Second // for one answer, its last byte included: as long as Prometheus waits
	mostBytes  = 16 << 20         // of one answer, unpacked
	mostHeader = 64 << 10
)

// A Source is a process that publishes its figures. It is used by one goroutine.
type Source struct {
	address string // as messages name it
	base    url.URL
	pages   []page // that may have the figures
	found   *page  // that has had them
	client  http.Client

	patience time.Duration
}

// A page is one that may have figures.
type page struct {
	path string
	kind string
	read func(io.Reader) (*sample, error)
}

var (
	expvarPage     = page{"/debug/vars", "expvar", readExpvar}
	prometheusPage = page{"/metrics", "prometheus", readPrometheus}
)

// NewSource returns the process at address: HOST:PORT, a URL, or a Unix socket as unix:PATH, unix!PATH or a path. Unless a URL has a path of
// its own, the figures are looked for at /debug/vars and /metrics. The error completes "ADDRESS ".
func NewSource(address string) (*Source, error) {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, MaxResponseHeaderBytes: mostHeader, MaxIdleConns: 1}
	s := &Source{
		address: address, base: url.URL{Scheme: "http", Host: address}, pages: []page{expvarPage, prometheusPage},
		client: http.Client{Transport: transport}, patience: patience,
	}
	if path, ok := socket(address); ok {
		if path == "" {
			return nil, errors.New("has no path; use for example unix:/run/app.sock")
		}
		s.base.Host = "localhost"
		transport.Proxy = nil
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		}
		return s, nil
	}
	if strings.Contains(address, "://") {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, errors.New("is no URL of http or https; use for example http://127.0.0.1:8080/debug/vars")
		}
		s.base, s.address = *u, u.Redacted()
		if path := u.EscapedPath(); path != "" && path != "/" {
			s.pages = []page{{path, "expvar", readExpvar}, {path, "prometheus", readPrometheus}}
		}
		return s, nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" || strings.ContainsAny(host, "/@?# ") {
		return nil, errors.New("is no HOST:PORT, URL or Unix socket; use for example 127.0.0.1:8080 or unix:/run/app.sock")
	}
	if host == "" {
		s.base.Host = net.JoinHostPort("localhost", port)
	}
	return s, nil
}

// socket returns the path of a Unix socket, and whether address means one.
func socket(address string) (string, bool) {
	if path, ok := strings.CutPrefix(address, "unix!"); ok { // as Plan 9 writes it
		return path, true
	}
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		if rest, ok := strings.CutPrefix(path, "//"); ok { // unix:///run/app.sock
			path = rest
		}
		return path, true
	}
	if strings.Contains(address, "://") {
		return "", false
	}
	info, err := os.Stat(address)
	return address, strings.ContainsAny(address, "/\\") || err == nil && info.Mode().Type() == os.ModeSocket
}

// Address is the address as it may be shown.
func (s *Source) Address() string { return clean(s.address) }

// kind is expvar or prometheus, "" before the first sample.
func (s *Source) kind() string {
	if s.found == nil {
		return ""
	}
	return s.found.kind
}

// read returns what the process says now. The error says what is there instead.
func (s *Source) read(ctx context.Context) (*sample, error) {
	pages := s.pages
	if s.found != nil {
		pages = []page{*s.found}
	}
	var wrong []string
	for _, page := range pages {
		sample, err := s.get(ctx, page)
		if err == nil {
			s.found = &page
			return sample, nil
		}
		var unlike *unlikeError
		if !errors.As(err, &unlike) {
			return nil, err
		}
		wrong = append(wrong, clean(page.path+": "+unlike.Error()))
	}
	s.found = nil // another program may be there next time
	return nil, fmt.Errorf("no figures of fount: %s", strings.Join(wrong, "; "))
}

// An unlikeError says that a page has something else than figures of fount's.
type unlikeError struct{ what error }

func (e *unlikeError) Error() string { return e.what.Error() }

// get reads one page.
func (s *Source) get(ctx context.Context, p page) (*sample, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	u := s.base
	if len(s.pages) > 0 && u.EscapedPath() != p.path {
		u.Path = p.path
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json, text/plain;version=0.0.4;q=0.9, */*;q=0.1")
	response, err := s.client.Do(request)
	if err != nil {
		return nil, s.innermost(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, &unlikeError{fmt.Errorf("HTTP status %d", response.StatusCode)}
	}
	body := &bounded{from: response.Body, left: mostBytes}
	sample, err := p.read(body)
	switch {
	case body.err != nil:
		return nil, s.innermost(body.err)
	case err != nil:
		return nil, &unlikeError{err}
	}
	sample.at = time.Now()
	return sample, nil
}

// bounded is a body that fails where it is too long. It keeps its own error: what reads it may reword it.
type bounded struct {
	from io.Reader
	left int
	err  error
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.from.Read(p[:min(len(p), b.left+1)])
	if n > b.left {
		b.err = fmt.Errorf("its answer is longer than %d MiB", mostBytes>>20)
		return b.left, b.err
	}
	b.left -= n
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// innermost is the cause without what was tried, which the caller knows.
func (s *Source) innermost(err error) error {
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("no answer within %v", s.patience)
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var system *os.SyscallError
	if errors.As(err, &system) {
		err = system.Err
	}
	return errors.New(clean(err.Error()))
}
