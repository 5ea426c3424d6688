// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"io"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fount/remote/api"
)

// Without descriptors a listener says so, once a minute at most, and goes on.
func TestListenerWithoutDescriptors(t *testing.T) {
	pool := newServer(t, patient(), 1).o.Pool
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder // Accept is called by one goroutine
		s := New(Options{Pool: pool, MaxConns: 10, Idle: time.Minute, Log: slog.New(slog.NewTextHandler(&log, nil))}, api.Policy{})
		l := scripted{make(chan any), make(chan struct{})}
		go s.Serve(l, nil)
		failing := func(times int) (said []string) {
			log.Reset()
			for range times {
				l.next <- syscall.EMFILE
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
		l.next <- near
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
