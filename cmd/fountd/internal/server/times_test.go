// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package server

// The times that clients have, in bubbles of testing/synctest, whose clock moves when all wait.

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"fount/remote/api"
)

// A closing connection says when it is closed.
type closing struct {
	net.Conn
	closed context.CancelFunc
}

func (c closing) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

// Whoever does not send a header, a body, or take the answer loses the connection when the
// documented time is over, within a second: net/http waits for half of one after a body that it has
// not read.
func TestTimes(t *testing.T) {
	pool := newPool(t, patient())
	const post = "POST /v1/verify HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\n"
	for name, c := range map[string]struct {
		send   string
		unread bool // it takes no answer
		after  int  // seconds
	}{
		"nothing":             {after: 5},
		"half a header":       {send: post, after: 5},
		"no body":             {send: post + "Content-Length: 90\r\n\r\n", after: 10},
		"half a body":         {send: post + "Content-Length: 90\r\n\r\n{", after: 10},
		"half a chunk":        {send: post + "Transfer-Encoding: chunked\r\n\r\n5\r\n{", after: 10},
		"an answer":           {send: getHealth, unread: true, after: 10},
		"a refusal":           {send: "GET /nothing HTTP/1.1\r\nHost: fountd\r\n\r\n", unread: true, after: 10},
		"a refusal of a half": {send: post + "Content-Length: 90\r\n\r\n{", unread: true, after: 20},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, next := bubbled(pool, 10, io.Discard)
				near, far := net.Pipe()
				defer far.Close()

				ctx, closed := context.WithCancel(t.Context())
				start := time.Now()
				next <- closing{near, closed}
				io.WriteString(far, c.send)
				if !c.unread {
					go io.Copy(io.Discard, far)
				}

				select {
				case <-ctx.Done():
				case <-time.After(2 * time.Hour):
				}
				if took := int(time.Since(start).Seconds()); took != c.after {
					t.Errorf("closed after %d s, want %d", took, c.after)
				}

				far.Close()
				if err := s.Shutdown(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A request that has come waits for its result longer than it had to come.
func TestWaitIsNoPartOfRequestTime(t *testing.T) {
	routes["/wait"] = route{method: http.MethodPost, handle: func(_ *Server, x *exchange) {
		if _, refusal := readBody(x.w, x.r); refusal != nil {
			return
		}
		ctx := x.r.Context()
		select {
		case <-time.After(time.Minute):
			x.respond(http.StatusOK, api.MediaType, nil)
		case <-ctx.Done():
			x.problem(problemOf(ctx.Err()))
		}
	}}
	defer delete(routes, "/wait")

	pool := newPool(t, patient())

	synctest.Test(t, func(t *testing.T) {
		s, next := bubbled(pool, 10, io.Discard)
		near, far := net.Pipe()
		defer far.Close()
		next <- near

		io.WriteString(far, "POST /wait HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
		if err := answered(bufio.NewReader(far)); err != nil {
			t.Error(err)
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
