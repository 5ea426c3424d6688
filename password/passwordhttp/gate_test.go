// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordhttp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
)

// readiness is a pool that answers Ready.
type readiness struct {
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
		gate       Gate
		status     int
		called     bool
		log        bool
	}{
		"answers":    {status: 200, called: true},
		"refused":    {ready: password.OverloadedError{After: time.Second}, status: 503},
		"closed":     {ready: password.ErrClosed, status: 503},
		"mismatch":   {err: password.ErrMismatch, status: 401, called: true},
		"challenge":  {err: password.ErrMismatch, gate: Gate{Challenge: `Basic realm="x"`}, status: 401, called: true},
		"no error's": {err: password.ErrEmpty, gate: Gate{Challenge: `Basic realm="x"`}, status: 400, called: true},
		"broken":     {err: errors.New("the disk is full"), status: 500, called: true, log: true},
	} {
		t.Run(name, func(t *testing.T) {
			log := new(bytes.Buffer)
			defer slog.SetDefault(slog.Default())
			slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
			pool := &readiness{err: c.ready}
			g := c.gate
			g.Pool = pool
			called := false
			handler := g.Handle(func(w http.ResponseWriter, r *http.Request, login password.Login) error {
				called = true
				if login != pool.login || login != (password.Login{Principal: "192.0.2.1"}) {
					t.Errorf("login %+v, asked for %+v", login, pool.login)
				}
				return c.err
			})
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest("POST", "/", nil)) // from 192.0.2.1
			if w.Code != c.status || called != c.called {
				t.Errorf("%d, called: %v", w.Code, called)
			}
			want := ""
			if c.status == 401 {
				want = c.gate.Challenge
			}
			if got := w.Header().Get("WWW-Authenticate"); got != want {
				t.Errorf("challenge %q, want %q", got, want)
			}
			if (log.Len() > 0) != c.log || strings.Contains(w.Body.String(), "disk") {
				t.Errorf("log %q, body %q", log, w.Body)
			}
		})
	}
}

// A handler reads no more of a body than the gate allows, in whatever form it comes: the README's quick start, which
// limits nothing by itself, writes no file for a large part.
func TestMaxBody(t *testing.T) {
	for _, c := range []struct {
		limit int64
		size  int
		fails bool
	}{
		{0, 64 << 10, false}, {0, 64<<10 + 1, true}, {10, 10, false}, {10, 11, true}, {-1, 1 << 20, false}, {0, 0, false},
	} {
		g := &Gate{MaxBody: c.limit}
		handler := g.Handle(func(_ http.ResponseWriter, r *http.Request, _ password.Login) error {
			n, err := io.Copy(io.Discard, r.Body)
			if (err != nil) != c.fails || !c.fails && n != int64(c.size) {
				t.Errorf("limit %d: %d of %d bytes, %v", c.limit, n, c.size, err)
			}
			return err
		})
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(strings.Repeat("x", c.size))))
		if (w.Code == http.StatusRequestEntityTooLarge) != c.fails {
			t.Errorf("limit %d, %d bytes: status %d", c.limit, c.size, w.Code)
		}
	}
}

// The form of parts that would be kept in a file does not come that far; without a limit it does, the control.
func TestMaxBodyKeepsPartsOffTheDisk(t *testing.T) {
	for _, limit := range []int64{0, -1} {
		body := new(bytes.Buffer)
		form := multipart.NewWriter(body)
		part, err := form.CreateFormFile("file", "large")
		if err != nil {
			t.Fatal(err)
		}
		part.Write(make([]byte, 43<<20)) // PostFormValue keeps 32 MiB and 10 in memory
		form.Close()
		r := httptest.NewRequest("POST", "/", body)
		r.Header.Set("Content-Type", form.FormDataContentType())
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		if os.TempDir() != dir {
			t.Skip("temporary files are elsewhere on this system")
		}
		files := 0
		(&Gate{MaxBody: limit}).Handle(func(_ http.ResponseWriter, r *http.Request, _ password.Login) error {
			r.PostFormValue("user")
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			files = len(entries)
			return nil
		}).ServeHTTP(httptest.NewRecorder(), r)
		if r.MultipartForm != nil {
			r.MultipartForm.RemoveAll()
		}
		if want := limit < 0; (files > 0) != want {
			t.Errorf("MaxBody %d: %d files", limit, files)
		}
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
		"too large":    {form, "x=" + strings.Repeat("x", 1<<16) + "&password=right", 413},
		"JSON":         {"application/json", `{"password":"right"}`, 415},
		"text":         {"text/plain", "password=right", 415},
		"without type": {"", "password=right", 415},
	} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.kind)
		if c.kind == "" {
			r.Header.Del("Content-Type")
		}
		w := httptest.NewRecorder()
		(&Gate{}).Handle(login).ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s: %d, want %d", name, w.Code, c.status)
		}
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

// A client that sends its form too slowly is answered when the time is over, and so does not keep a server from
// shutting down; and the server's own limit stays where it is earlier.
func TestSlowBody(t *testing.T) {
	for _, c := range []struct{ timeout, read, want time.Duration }{
		{2 * time.Second, 0, 2 * time.Second}, {2 * time.Second, time.Second, time.Second}, {2 * time.Second, time.Minute, 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := &http.Server{Handler: (&Gate{Timeout: c.timeout}).Handle(login), ReadTimeout: c.read}
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
			if err != nil || answer.StatusCode != http.StatusRequestTimeout || time.Since(began) != c.want {
				t.Errorf("%+v: after %v %+v, %v; want 408", c, time.Since(began), answer, err)
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
	for _, c := range []struct{ timeout, write, own, want time.Duration }{
		{0, 0, 0, 0},
		{time.Second, 0, 0, time.Second},
		{0, 10 * time.Second, 0, 9 * time.Second},
		{time.Second, 10 * time.Second, 0, time.Second},
		{time.Minute, 10 * time.Second, 0, 9 * time.Second},
		{0, 0, 2 * time.Second, 2 * time.Second},
		{time.Second, 10 * time.Second, time.Millisecond, time.Millisecond},
		{time.Second, 10 * time.Second, time.Minute, time.Second},
		{-1, -1, 0, 0},
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

// A server that is shut down while a login is hashed answers it; one whose time is over answers 503, and cuts only
// the connections of handlers that do not end. Closing the pool first would have refused the login: the control.
func TestShutdown(t *testing.T) {
	for name, c := range map[string]struct {
		within time.Duration
		stuck  bool // the handler does not end with its hash
		end    func(context.Context, *http.Server, *slow) error
		status int // 0: none
		fails  bool
	}{
		"in time": {within: time.Minute, status: 200},
		"late":    {within: time.Second, status: 503, fails: true},
		"stuck":   {within: time.Second, stuck: true, fails: true},
		"control: the pool first": {within: time.Minute, status: 503, end: func(ctx context.Context, s *http.Server, p *slow) error {
			at, cancel := context.WithCancel(ctx)
			cancel()
			p.Close(at)
			return s.Shutdown(ctx)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pool := &slow{closed: make(chan struct{}), left: make(chan struct{})}
				stuck := make(chan struct{})
				g := &Gate{}
				server := &http.Server{Handler: g.Handle(func(w http.ResponseWriter, r *http.Request, _ password.Login) error {
					err := pool.hash()
					if c.stuck {
						<-stuck
					}
					return err
				})}
				mine, its := net.Pipe()
				listener := &oneConn{conn: its, closed: make(chan struct{})}
				go server.Serve(listener)
				answer := make(chan int, 1)
				go func() {
					io.WriteString(mine, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
					line := make([]byte, 1024)
					n, _ := mine.Read(line)
					status := 0
					if fields := strings.Fields(string(line[:n])); len(fields) > 1 {
						for _, digit := range fields[1] {
							status = status*10 + int(digit-'0')
						}
					}
					answer <- status
					io.Copy(io.Discard, mine)
				}()
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), c.within)
				defer cancel()
				var err error
				if c.end != nil {
					err = c.end(ctx, server, pool)
				} else {
					err = Shutdown(ctx, server, pool)
				}
				if (err != nil) != c.fails {
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

// A request whose handler has not come to the pool when Shutdown begins, as it waits for the store, is hashed all the same.
// The control closes the pool first, and lets it wait for what it has.
func TestShutdownWaitsForHandlers(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(context.Context, *http.Server, *password.Pool) error
		want error
	}{
		{"Shutdown", func(ctx context.Context, s *http.Server, p *password.Pool) error { return Shutdown(ctx, s, p) }, password.ErrMismatch},
		{"control", func(ctx context.Context, s *http.Server, p *password.Pool) error {
			return errors.Join(p.Close(ctx), s.Shutdown(ctx))
		}, password.ErrClosed},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}, MaxWait: time.Hour})
				if err != nil {
					t.Fatal(err)
				}
				answer := make(chan error, 1)
				server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					time.Sleep(time.Second) // the store
					_, err := pool.Verify(r.Context(), password.Login{}, []byte("x"), "")
					answer <- err
				})}
				mine, its := net.Pipe()
				go server.Serve(&oneConn{conn: its, closed: make(chan struct{})})
				go func() {
					io.WriteString(mine, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
					io.Copy(io.Discard, mine)
				}()
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := c.end(ctx, server, pool); err != nil {
					t.Error(err)
				}
				if got := <-answer; got != c.want {
					t.Errorf("Verify during the end: %v; want %v", got, c.want)
				}
				mine.Close()
			})
		})
	}
}

// slow is a pool whose hashes take ten seconds.
type slow struct{ closed, left chan struct{} }

func (s *slow) hash() error {
	defer close(s.left)
	select {
	case <-time.After(10 * time.Second):
		return nil
	case <-s.closed:
		return password.ErrClosed
	}
}

func (s *slow) Close(ctx context.Context) error {
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
