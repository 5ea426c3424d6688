// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// A service of the reader's own, over HTTP.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"fount/password"
)

// A Service is a mechanism beyond this process. A request to it is a client of its own, with its
// own connection, and waits for its answer however late that is.
type Service struct {
	URL    *url.URL
	Data   string // what is posted, {n} being the request's number; if empty, requests are GET
	Header http.Header
	Beyond bool // the URL may lead beyond loopback

	client http.Client
	asked  atomic.Int64
}

// ErrBeyond is the error of a Service that leads beyond loopback and must not.
var ErrBeyond = errors.New("not on loopback")

// open looks the host up once, so that all requests go to the one address that was checked.
func (s *Service) open() (Mechanism, error) {
	address, err := net.ResolveTCPAddr("tcp", net.JoinHostPort(s.URL.Hostname(), cmp.Or(s.URL.Port(), s.URL.Scheme)))
	if err != nil {
		return nil, err
	}
	if !s.Beyond && !address.IP.IsLoopback() {
		return nil, fmt.Errorf("%s is at %v, %w", s.URL.Host, address, ErrBeyond)
	}

	var dialer net.Dialer
	s.client = http.Client{
		Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, address.String())
			},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s, nil
}

// maxReply is how many bytes of a reply's body are read before it counts as an answer.
const maxReply = 1 << 20

// Compare asks once. Its error is the status of the answer.
func (s *Service) Compare(context.Context, string) error {
	data := strings.ReplaceAll(s.Data, "{n}", strconv.FormatInt(s.asked.Add(1), 10))
	request, err := http.NewRequest(http.MethodGet, s.URL.String(), strings.NewReader(data))
	if err != nil {
		return err
	}

	request.Host = s.Header.Get("Host")
	if data != "" {
		request.Method = http.MethodPost
		request.Header.Set("Content-Type", contentType(data))
	}
	maps.Copy(request.Header, s.Header)

	reply, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()

	if _, err := io.CopyN(io.Discard, reply.Body, maxReply); err != nil && err != io.EOF {
		return err
	}
	return status(reply.StatusCode)
}

func contentType(data string) string {
	if json.Valid([]byte(data)) {
		return "application/json"
	}
	return "application/x-www-form-urlencoded"
}

// A status is the HTTP status of an answer, as an error.
type status int

func (s status) Error() string { return fmt.Sprintf("status %d %s", int(s), http.StatusText(int(s))) }

// outcome returns nil for an answer to a login, which may say that name or password is wrong. Other
// errors of the client count as failures: a wrong URL must not look like a fast service.
func (s status) outcome() error {
	switch s {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return password.OverloadedError{}
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity:
		return nil
	}
	if s < 400 {
		return nil
	}
	return s
}
