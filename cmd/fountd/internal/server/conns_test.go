// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"fount/remote/api"
)

// ended waits until the server has closed a connection, on which it answered at most once.
func ended(t *testing.T, c net.Conn) {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(time.Minute))
	if got, err := io.ReadAll(c); err != nil && !strings.Contains(err.Error(), "reset") || strings.Count(string(got), "HTTP/1.1 ") > 1 {
		t.Errorf("%q, %v; want one answer, and the end of the connection", got, err)
	}
}

// What is no HTTP, too long, or ends early closes its own connection and no other; the room it took
// is free again.
func TestHostileConnections(t *testing.T) {
	t.Parallel() // it waits
	s := serve(t, patient(), 100)
	c := s.client()
	chunk := "1000\r\n" + strings.Repeat(" ", 1<<12) + "\r\n"

	for name, send := range map[string]string{
		"garbage":         "\x00\xff\x16\x03\x01 garbage\r\n\r\n",
		"tls":             "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"long header":     "GET /healthz HTTP/1.1\r\nHost: fountd\r\nX: " + strings.Repeat("x", 1<<20),
		"two lengths":     "POST /v1/verify HTTP/1.1\r\nHost: fountd\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
		"negative length": "POST /v1/verify HTTP/1.1\r\nHost: fountd\r\nContent-Length: -1\r\n\r\n",
		"bad chunk":       "POST /v1/verify HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"two bodies":      "POST /v1/hash HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + getHealth,
		"endless body":    "POST /v1/hash HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat(chunk, 256),
		"short body":      "POST /v1/verify HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
		"announced GiB":   "POST /v1/verify HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n",
		"HTTP/2":          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			hostile := s.dial()
			go func() {
				io.WriteString(hostile, send)
				hostile.CloseWrite()
			}()
			ended(t, hostile)

			if status, _, answer := do(t, c, "/v1/hash", `{"password":"a"}`); status != 200 {
				t.Errorf("after it: %d %s", status, answer)
			}
		})
	}

	eventually(t, "one connection is left, the caller's", func() bool { return testutil.ToFloat64(s.metrics.open) == 1 })
}

// Whoever asks with a body that is too large is answered at once, whether it writes all of it first
// or waits to be asked for it.
func TestTooLargeBody(t *testing.T) {
	s := serve(t, patient(), 10)
	body := strings.Repeat(" ", 255<<10)
	head := fmt.Sprintf("POST /v1/verify HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	for name, request := range map[string]string{
		"writes": head + "\r\n" + body,
		"waits":  head + "Expect: 100-continue\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			c := s.dial()
			c.SetDeadline(time.Now().Add(requestTime / 2))

			_, err := io.WriteString(c, request)
			if err == nil {
				err = answered(bufio.NewReader(c))
			}
			if err == nil || !strings.HasPrefix(err.Error(), "413 ") {
				t.Errorf("%v; want status 413", err)
			}
		})
	}
}

// Without descriptors a listener says so, once a minute at most, and goes on.
func TestListenerWithoutDescriptors(t *testing.T) {
	pool := newPool(t, patient())
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder // Accept is called by one goroutine
		s, next := bubbled(pool, 10, &log)
		failing := func(times int) (said []string) {
			log.Reset()
			for range times {
				next <- syscall.EMFILE
			}
			synctest.Wait()
			return strings.Split(strings.TrimSpace(log.String()), "\n")
		}

		const words = `level=WARN msg="no connection could be accepted" error="too many open files; retrying in `
		if said := failing(5); len(said) != 1 || !strings.Contains(said[0], words) || !strings.HasSuffix(said[0], "times=1") {
			t.Errorf("at first: %q", said)
		}

		time.Sleep(time.Minute)
		if said := failing(3); len(said) != 1 || !strings.Contains(said[0], words) || !strings.HasSuffix(said[0], "times=5") {
			t.Errorf("a minute later: %q", said)
		}

		near, far := net.Pipe()
		next <- near
		go io.WriteString(far, "GET /healthz HTTP/1.1\r\nHost: fountd\r\nConnection: close\r\n\r\n")
		answer, err := io.ReadAll(far)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") {
			t.Errorf("after it: %q, %v", answer, err)
		}

		log.Reset()
		if err := s.Shutdown(t.Context()); err != nil || log.Len() > 0 {
			t.Errorf("at its end: %v, %s", err, &log)
		}
	})
}

// bubbled is a server of connections that are sent to next, inside a bubble. It hashes nothing: the
// pool is outside.
func bubbled(pool *Pool, conns int, log io.Writer) (s *Server, next chan any) {
	s = New(Options{Pool: pool, MaxConns: conns, Idle: time.Minute, Log: slog.New(slog.NewTextHandler(log, nil))}, api.Policy{})
	l := scripted{make(chan any), make(chan struct{})}
	go s.Serve(l, nil)
	return s, l.next
}

// A scripted listener accepts what its test sends it.
type scripted struct {
	next chan any
	over chan struct{}
}

func (l scripted) Accept() (net.Conn, error) {
	select {
	case next := <-l.next:
		if err, ok := next.(error); ok {
			return nil, err
		}
		return next.(net.Conn), nil
	case <-l.over:
		return nil, net.ErrClosed
	}
}

func (l scripted) Close() error {
	select {
	case <-l.over: // before
	default:
		close(l.over)
	}
	return nil
}
func (scripted) Addr() net.Addr { return &net.UnixAddr{Net: "unix", Name: "scripted"} }
