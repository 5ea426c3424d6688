// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
)

// readiness is a pool that answers Ready.
type readiness struct {
	password.Verifier
	err   error
	login password.Login
	left  time.Duration
}

func (r *readiness) Ready(ctx context.Context, login password.Login) error {
	r.login = login
	if deadline, ok := ctx.Deadline(); ok {
		r.left = time.Until(deadline)
	}
	return r.err
}

func TestHandle(t *testing.T) {
	for name, c := range map[string]struct {
		ready, err error
		status     int
		called     bool
		log        bool
	}{
		"answers":  {status: 200, called: true},
		"refused":  {ready: password.OverloadedError{After: time.Second}, status: 503},
		"mismatch": {err: password.ErrMismatch, status: 401, called: true},
		"broken":   {err: errors.New("the disk is full"), status: 500, called: true, log: true},
	} {
		t.Run(name, func(t *testing.T) {
			log := new(bytes.Buffer)
			defer slog.SetDefault(slog.Default())
			slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))

			pool := &readiness{err: c.ready}
			called := false
			handler := (&Gate{Pool: pool}).Handle(func(w http.ResponseWriter, r *http.Request, login password.Login) error {
				called = true
				if login != pool.login || login != (password.Login{Principal: "192.0.2.1"}) {
					t.Errorf("login %+v, asked for %+v", login, pool.login)
				}
				return c.err
			})

			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest("POST", "/?a;b", nil)) // from 192.0.2.1
			if w.Code != c.status || called != c.called {
				t.Errorf("%d, called: %v", w.Code, called)
			}
			if (log.Len() > 0) != c.log || strings.Contains(w.Body.String(), "disk") {
				t.Errorf("log %q, body %q", log, w.Body)
			}
		})
	}
}

// login is a handler that reads a form, as the README's does.
func login(_ http.ResponseWriter, r *http.Request, _ password.Login) error {
	if r.PostFormValue("password") == "right" {
		return nil
	}
	return password.ErrMismatch
}

// What is no form, or none that can be read, is not a wrong password.
func TestBodiesThatAreNoForm(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	parts := "--x\r\nContent-Disposition: form-data; name=password\r\n\r\nright\r\n--x--\r\n"
	for name, c := range map[string]struct {
		kind, body string
		status     int
	}{
		"right":        {form, "password=right", 200},
		"parts":        {"multipart/form-data; boundary=x", parts, 200},
		"wrong":        {form, "password=wrong", 401},
		"empty":        {form, "", 401},
		"large":        {form, "password=right&x=" + strings.Repeat("x", 1<<16-17), 200},
		"too large":    {form, "password=right&x=" + strings.Repeat("x", 1<<16-16), 413},
		"JSON":         {"application/json", `{"password":"right"}`, 415},
		"text":         {"text/plain", "password=right", 415},
		"without type": {"", "password=right", 415},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
			r.Header.Set("Content-Type", c.kind)
			if c.kind == "" {
				r.Header.Del("Content-Type")
			}
			w := httptest.NewRecorder()
			(&Gate{}).Handle(login).ServeHTTP(w, r)
			if w.Code != c.status {
				t.Errorf("%d, want %d", w.Code, c.status)
			}
		})
	}

	// A handler that reads JSON itself says itself what is wrong with it.
	w := httptest.NewRecorder()
	(&Gate{}).Handle(func(_ http.ResponseWriter, r *http.Request, _ password.Login) error {
		r.FormValue("user") // of the query
		io.Copy(io.Discard, r.Body)
		return password.ErrMismatch
	}).ServeHTTP(w, httptest.NewRequest("POST", "/?user=ada", strings.NewReader(`{"password":"wrong"}`)))
	if w.Code != 401 {
		t.Errorf("JSON that the handler reads: %d, want 401", w.Code)
	}
}

// A body that its client cuts or garbles is answered with 400, and not logged, also where the
// handler returns what the parsing of the form says: no client can make a server answer with a 5xx.
func TestBrokenBody(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("this system has no network: ", err)
	}
	l.Close()

	log := new(bytes.Buffer)
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	strict := func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		err := r.ParseForm()
		if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
			err = r.ParseMultipartForm(1 << 20)
		}
		if err != nil {
			return fmt.Errorf("sign-in: %w", err)
		}
		return login(w, r, from)
	}
	lax := func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		if err := login(w, r, from); err != nil {
			return errors.New("the store has no user \"\"")
		}
		return nil
	}
	closes := func(w http.ResponseWriter, r *http.Request, from password.Login) error {
		r.Body.Close()
		return strict(w, r, from)
	}

	const form = "Content-Type: application/x-www-form-urlencoded\r\n"
	const parts = "Content-Type: multipart/form-data; boundary=x\r\n"
	for name, c := range map[string]struct {
		handler       func(http.ResponseWriter, *http.Request, password.Login) error
		request, sent string // the query and the rest
		status        int
	}{
		"cut":              {lax, "/", form + "Content-Length: 100\r\n\r\npassword=ri", 400},
		"cut, returned":    {strict, "/", form + "Content-Length: 100\r\n\r\npassword=ri", 400},
		"chunks":           {lax, "/", form + "Transfer-Encoding: chunked\r\n\r\nchunk\r\n", 400},
		"chunks, returned": {strict, "/", form + "Transfer-Encoding: chunked\r\n\r\n3\r\nab", 400},
		"escape":           {strict, "/", form + "Content-Length: 12\r\n\r\npassword=%zz", 400},
		"semicolon":        {strict, "/", form + "Content-Length: 16\r\n\r\npassword=right;x", 400},
		"query":            {strict, "/?%zz", form + "Content-Length: 14\r\n\r\npassword=right", 400},
		"parts":            {strict, "/", parts + "Content-Length: 10\r\n\r\n--x\r\nbad\r\n", 400},
		"parts cut":        {strict, "/", parts + "Content-Length: 100\r\n\r\n--x\r\n", 400},
		"type":             {strict, "/", "Content-Type: text/;\r\nContent-Length: 1\r\n\r\nx", 400},
		"closed":           {closes, "/", form + "Content-Length: 14\r\n\r\npassword=right", 500}, // the program must be mended
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer((&Gate{Timeout: time.Hour}).Handle(c.handler))
			defer server.Close()
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			io.WriteString(conn, "POST "+c.request+" HTTP/1.1\r\nHost: x\r\n"+c.sent)
			conn.(*net.TCPConn).CloseWrite()
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil || answer.StatusCode != c.status {
				t.Errorf("%v, %v; want %d", answer, err, c.status)
			}
			if (log.Len() > 0) != (c.status == 500) {
				t.Errorf("logged: %q", log)
			}
			log.Reset()
		})
	}
}

// A client that sends its form too slowly is answered when the time is over, and so does not keep a
// server from shutting down; and the server's own limit stays where it is earlier.
func TestSlowBody(t *testing.T) {
	for read, want := range map[time.Duration]time.Duration{0: 2 * time.Second, time.Second: time.Second, time.Minute: 2 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			server := &http.Server{Handler: (&Gate{Timeout: 2 * time.Second}).Handle(login), ReadTimeout: read}
			mine, its := net.Pipe()
			go server.Serve(&oneConn{conn: its, closed: make(chan struct{})})
			began := time.Now()
			var client sync.WaitGroup
			client.Go(func() {
				io.WriteString(mine, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\npassword=")
				for err := error(nil); err == nil; _, err = io.WriteString(mine, "x") {
					time.Sleep(time.Second)
				}
			})
			answer, err := http.ReadResponse(bufio.NewReader(mine), nil)
			if err != nil || answer.StatusCode != http.StatusRequestTimeout || time.Since(began) != want {
				t.Errorf("ReadTimeout %v: after %v %+v, %v; want 408 after %v", read, time.Since(began), answer, err, want)
			}
			if err := server.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			mine.Close()
			client.Wait()
		})
	}
}

// A handler has the least of what the client, the server and the request's own context give it.
func TestWithDeadline(t *testing.T) {
	const s = time.Second
	for _, c := range []struct{ timeout, write, own, want time.Duration }{
		{},
		{timeout: s, want: s},
		{write: 10 * s, want: 9 * s},
		{timeout: s, write: 10 * s, want: s},
		{timeout: 60 * s, write: 10 * s, want: 9 * s},
		{own: 2 * s, want: 2 * s},
		{own: 1, timeout: s, write: 10 * s, want: 1},
		{own: 60 * s, timeout: s, write: 10 * s, want: s},
		{timeout: -1, write: -1},
	} {
		synctest.Test(t, func(t *testing.T) {
			pool := &readiness{}
			g := &Gate{Pool: pool, Timeout: c.timeout}
			ctx := context.WithValue(t.Context(), http.ServerContextKey, &http.Server{WriteTimeout: c.write})
			if c.own > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, c.own)
				defer cancel()
			}
			var kept context.Context
			g.Handle(func(_ http.ResponseWriter, r *http.Request, _ password.Login) error {
				kept = r.Context()
				return nil
			}).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", nil).WithContext(ctx))
			deadline, ok := kept.Deadline()
			if ok != (c.want > 0) || ok && time.Until(deadline) != c.want || pool.left != c.want {
				t.Errorf("%+v: %v left, in Ready %v", c, time.Until(deadline), pool.left)
			}
		})
	}
}

// A server that is shut down answers a login that is hashed, or whose handler waits for the store
// and has not come to the pool; one whose time is over answers 503, and cuts only the connections
// of handlers that do not end.
func TestShutdown(t *testing.T) {
	for name, c := range map[string]struct {
		within, store time.Duration
		stuck         bool // the handler does not end with its hash
		status        int  // 0: none
		fails         bool
	}{
		"in time":               {within: time.Minute, status: 200},
		"not yet at the pool":   {within: time.Minute, store: time.Second, status: 200},
		"late":                  {within: time.Second, status: 503, fails: true},
		"stuck behind its hash": {within: time.Second, stuck: true, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pool := &slow{make(chan struct{}), make(chan struct{}), make(chan struct{})}
				stuck := make(chan struct{})
				server := &http.Server{Handler: (&Gate{}).Handle(func(w http.ResponseWriter, r *http.Request, _ password.Login) error {
					time.Sleep(c.store)
					err := pool.hash()
					if c.stuck {
						<-stuck
					}
					return err
				})}
				mine, its := net.Pipe()
				go server.Serve(&oneConn{conn: its, closed: make(chan struct{})})
				answer := make(chan int, 1)
				go func() {
					io.WriteString(mine, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
					status := 0
					if response, err := http.ReadResponse(bufio.NewReader(mine), nil); err == nil {
						status = response.StatusCode
					}
					answer <- status
					io.Copy(io.Discard, mine)
				}()

				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), c.within)
				defer cancel()
				if err := Shutdown(ctx, server, pool); (err != nil) != c.fails {
					t.Errorf("%v", err)
				}
				if got := <-answer; got != c.status {
					t.Errorf("answered with %d, want %d", got, c.status)
				}
				close(stuck)
				mine.Close()
			})
		})
	}
}

// slow is a pool whose hashes take ten seconds.
type slow struct{ closing, closed, left chan struct{} }

func (s *slow) hash() error {
	select {
	case <-s.closing:
		return password.ErrClosed
	default:
	}
	defer close(s.left)
	select {
	case <-time.After(10 * time.Second):
		return nil
	case <-s.closed:
		return password.ErrClosed
	}
}

func (s *slow) Close(ctx context.Context) error {
	close(s.closing)
	select {
	case <-s.left:
		return nil
	case <-ctx.Done():
		close(s.closed)
		return ctx.Err()
	}
}

// oneConn is a listener for one connection.
type oneConn struct {
	conn   net.Conn
	closed chan struct{}
}

func (l *oneConn) Accept() (net.Conn, error) {
	if c := l.conn; c != nil {
		l.conn = nil
		return c, nil
	}
	<-l.closed
	return nil, net.ErrClosed
}

func (l *oneConn) Close() error {
	select {
	case <-l.closed:
	default:
		close(l.closed)
	}
	return nil
}

func (l *oneConn) Addr() net.Addr { return &net.TCPAddr{} }
