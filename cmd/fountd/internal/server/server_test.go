// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
	"fount/remote/api"
)

var cheap = password.Policy{Algorithm: password.Bcrypt, Cost: 4, Limits: password.Limits{Time: 1 << 60}}

// patient lets calls wait as long as this machine needs.
func patient() password.Options {
	return password.Options{Policy: cheap, Workers: 1, MaxWait: time.Hour, Memory: 1 << 28}
}

// A served is a server on a socket of its own.
type served struct {
	*Server
	t    testing.TB
	path string
	log  *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newServer(t testing.TB, o password.Options, conns int) *served {
	t.Helper()
	s := &served{t: t, log: new(lockedBuffer)}
	s.Server = New(Options{
		Pool:          newPool(t, o),
		MaxConns:      conns,
		MaxHandshakes: conns,
		Idle:          time.Minute,
		Log:           slog.New(slog.NewTextHandler(s.log, nil)),
	}, api.Policy{Policy: "bcrypt,cost=4", KeyIDs: []string{}})
	return s
}

// newPool makes a pool that gives up its calls when the test ends.
func newPool(t testing.TB, o password.Options) *Pool {
	t.Helper()
	p, err := NewPool(o)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		p.Close(ctx)
	})
	return p
}

func serve(t testing.TB, o password.Options, conns int) *served {
	t.Helper()
	s := newServer(t, o, conns)
	s.start(func(l net.Listener) error { return s.Serve(l, nil) })
	return s
}

// start serves on a socket in some way.
func (s *served) start(serve func(net.Listener) error) {
	t := s.t
	t.Helper()
	s.path = filepath.Join(socketdir.New(t), "s")
	l, err := net.Listen("unix", s.path)
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		s.Shutdown(ctx)
		if err := <-ended; err != nil && err != http.ErrServerClosed {
			t.Error(err)
		}
	})
}

func (s *served) client() *http.Client {
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", s.path)
	}}
	s.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// post sends a body and returns the answer.
func (s *served) post(path, body string) (status int, header http.Header, answer string) {
	s.t.Helper()
	return do(s.t, s.client(), path, body)
}

func do(t testing.TB, c *http.Client, path, body string) (status int, header http.Header, answer string) {
	t.Helper()
	r, err := c.Post("http://fountd"+path, api.MediaType, strings.NewReader(body))
	require.NoError(t, err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return r.StatusCode, r.Header, string(text)
}

// dial connects without a client.
func (s *served) dial() *net.UnixConn {
	s.t.Helper()
	c, err := net.Dial("unix", s.path)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	return c.(*net.UnixConn)
}

// eventually waits for what has no event.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func stored(t testing.TB, p password.Policy, secret string) string {
	t.Helper()
	encoded, err := password.Hash(p, []byte(secret))
	require.NoError(t, err)
	return encoded
}

// endless is a request whose hash takes days.
func endless(t testing.TB) string {
	return fmt.Sprintf(`{"password":"secret","hash":%q}`, strings.Replace(stored(t, cheap, "secret"), "$04$", "$31$", 1))
}

const getHealth = "GET /healthz HTTP/1.1\r\nHost: fountd\r\n\r\n"

// answered reads an answer, and is an error unless it is 200.
func answered(in *bufio.Reader) error {
	r, err := http.ReadResponse(in, nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = errors.New(r.Status)
	}
	return errors.Join(err, r.Body.Close())
}

func request(body string) string {
	return fmt.Sprintf("POST /v1/verify HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// Each kind of request has its answer, and the log has nothing of what clients sent.
func TestAnswers(t *testing.T) {
	o := patient()
	o.Memory = 1 << 20
	s := serve(t, o, 100)

	mine := stored(t, cheap, "secret")
	weak := stored(t, password.Policy{Algorithm: password.PBKDF2SHA256, Iterations: 1000}, "secret")
	argon := stored(t, password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1}, "secret")
	long := strings.Repeat("x", 80)
	verify := func(password, hash, more string) string {
		return fmt.Sprintf(`{"password":%q,"hash":%q%s}`, password, hash, more)
	}

	for name, c := range map[string]struct {
		path   string // if "", PathVerify
		body   string
		status int    // if 0, 200
		want   string // in the answer
	}{
		"right":         {body: verify("secret", mine, ""), want: `{"match":true,"needs_rehash":false,"truncated":false}`},
		"wrong":         {body: verify("Secret", mine, ""), want: `{"match":false,"needs_rehash":false,"truncated":false}`},
		"unknown user":  {body: verify("secret", "", ""), want: `{"match":false,"needs_rehash":false,"truncated":false}`},
		"weak":          {body: verify("secret", weak, ""), want: `{"match":true,"needs_rehash":true,"truncated":false}`},
		"truncated":     {body: verify(long, stored(t, cheap, long[:72]), ""), want: `"match":true,"needs_rehash":false,"truncated":true}`},
		"nothing to do": {body: verify("secret", mine, `,"renew":true`), want: `{"match":true,"needs_rehash":false,"truncated":false}`},
		"all members": {
			body: fmt.Sprintf(`{"password_b64":"c2VjcmV0","hash":%q,"principal":"192.0.2.1","class":"sign_in","deadline_ms":3600000}`, mine),
			want: `{"match":true,`,
		},

		"no hash":      {body: verify("secret", "secret", ""), status: 422, want: `"reason":"malformed"`},
		"above limits": {body: verify("secret", strings.Replace(argon, "m=8", "m=99999999", 1), ""), status: 422, want: `"reason":"cost"`},
		"above memory": {body: verify("secret", strings.Replace(argon, "m=8", "m=8192", 1), ""), status: 422, want: `"reason":"memory"`},
		"former member": {
			body:   verify("secret", mine, `,"upgrade":true`),
			status: 400,
			want:   `\"upgrade\" is not a member of this request; want password, password_b64, principal, class, deadline_ms, hash, renew"`,
		},
		"former class": {body: verify("secret", mine, `,"class":"rehash"`), status: 400, want: `class is not a class; want \"sign_in\" or \"upgrade\""`},
		"largest body": {body: strings.Repeat(" ", api.MaxRequest-2) + "{}", status: 400, want: `"reason":"invalid"`},
		"too large":    {body: strings.Repeat(" ", api.MaxRequest-1) + "{}", status: 413, want: `"reason":"too_large"`},

		"new hash":       {path: api.PathHash, body: `{"password":"secret"}`, want: `{"hash":"$2b$04$`},
		"new beside old": {path: api.PathHash, body: verify("secret", mine, ""), status: 400, want: `hash`},

		"no such path": {path: "/v1/nothing", body: `{}`, status: 404, want: `"reason":"not_found"`},
		"wrong method": {path: api.PathPolicy, body: `{}`, status: 405, want: `"reason":"method"`},
	} {
		t.Run(name, func(t *testing.T) {
			want := cmp.Or(c.status, http.StatusOK)
			status, header, answer := s.post(cmp.Or(c.path, api.PathVerify), c.body)
			if status != want || !strings.Contains(answer, c.want) {
				t.Fatalf("%d %s; want %d and %s", status, answer, want, c.want)
			}
			if wait := header.Get("Retry-After"); wait != "" {
				t.Errorf("Retry-After is %q, of what no retry mends", wait)
			}
			_, err := strconv.ParseUint(header.Get(api.HeaderWait), 10, 64)
			if isRead := status == http.StatusOK || status == http.StatusUnprocessableEntity; isRead && err != nil {
				t.Errorf("%s: %v", api.HeaderWait, err)
			}

			kind := api.MediaType
			if status != http.StatusOK {
				kind = api.MediaTypeProblem
				if p, err := api.DecodeProblem([]byte(answer)); err != nil || p.Status != status || !p.NotBegun {
					t.Errorf("%s: %v; want a problem that says that no hash was begun", answer, err)
				}
			}
			if got := header.Get("Content-Type"); got != kind {
				t.Errorf("Content-Type %q; want %q", got, kind)
			}
		})
	}

	for _, word := range []string{"secret", "192.0.2.1", mine, "nothing"} {
		if log := s.log.String(); strings.Contains(log, word) {
			t.Errorf("the log has %q: %s", word, log)
		}
	}
}

// An error that is two has one reason, each time: a Format may wrap any.
func TestReasonOfTwo(t *testing.T) {
	err := fmt.Errorf("%w: %w", password.ErrMalformed, password.ErrCost)
	for range 64 {
		if p := problemOf(err); p.Reason != api.ReasonMalformed {
			t.Fatalf("the reason is %q; want %q", p.Reason, api.ReasonMalformed)
		}
	}
}

// A server that shuts down is not ready, and is healthy. A form is no JSON.
func TestOtherPaths(t *testing.T) {
	s := serve(t, patient(), 100)
	ask := func(method, path string, status int) {
		t.Helper()
		r, _ := http.NewRequest(method, "http://fountd"+path, strings.NewReader("password=secret"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer, err := s.client().Do(r)
		require.NoError(t, err)
		answer.Body.Close()
		if answer.StatusCode != status {
			t.Errorf("%s %s: %d; want %d", method, path, answer.StatusCode, status)
		}
	}

	ask("POST", "/v1/verify", 415)
	ask("GET", "/readyz", 200)
	s.draining.Store(true)
	ask("GET", "/readyz", 503)
	ask("GET", "/healthz", 200)
}

// While a hash that never ends has the only worker: its client's leaving ends it, and others are
// refused at once.
func TestClientLeaves(t *testing.T) {
	s := serve(t, patient(), 100)
	pool := s.o.Pool.Current()
	body := endless(t)
	for name, leave := range map[string]func(*net.UnixConn) error{
		"closed":      (*net.UnixConn).Close,
		"half-closed": (*net.UnixConn).CloseWrite,
	} {
		t.Run(name, func(t *testing.T) {
			before := pool.Stats().SignIns.Of(password.OutcomeCanceled)
			c := s.dial()
			io.WriteString(c, request(body))
			eventually(t, "the hash runs", func() bool { return pool.Stats().Busy == 1 })

			status, header, answer := s.post("/v1/verify", `{"password":"a","hash":""}`)
			p, err := api.DecodeProblem([]byte(answer))
			if err != nil || status != 503 || p.Reason != api.ReasonDeadline || p.RetryAfter <= 0 || !p.NotBegun {
				t.Errorf("beside it: %d %s", status, answer)
			}
			after := time.Duration(p.RetryAfter) * time.Millisecond // what a Go client's OverloadedError has
			if got := header.Get("Retry-After"); got != fmt.Sprint(math.Ceil(after.Seconds())) {
				t.Errorf("Retry-After is %q; a Go client waits %v", got, after)
			}

			leave(c)
			eventually(t, "the worker is free", func() bool {
				stats := pool.Stats()
				return stats.Busy == 0 && stats.SignIns.Of(password.OutcomeCanceled) == before+1
			})
		})
	}
}

// top asks who uses most of the server, and for the ID of a principal.
func (s *served) top(principal string) (answer api.Top) {
	s.t.Helper()
	r, err := s.client().Get("http://fountd/v1/top?principal=" + url.QueryEscape(principal))
	require.NoError(s.t, err)
	defer r.Body.Close()
	require.NoError(s.t, json.NewDecoder(r.Body).Decode(&answer))
	return answer
}

// Who a client is, the server decides: an address in any form is one principal with its network, by
// HTTP and by a fleet. What is no address, also a network that a Gate has made, is a principal as it
// was sent.
func TestPrincipals(t *testing.T) {
	s := serve(t, patient(), 100)
	ids := map[string]string{} // the principal of each ID
	for want, sent := range map[string][]string{
		"2001:db8:1:200::/56": {
			"2001:db8:1:200::1", "2001:db8:1:2ff:ffff:ffff:ffff:ffff", "[2001:db8:1:234::7]", "[2001:db8:1:234::7]:443",
			"2001:DB8:1:234::7%eth0", "[2001:db8:1:234::7%eth0]:443",
		},
		"192.0.2.1": {
			"192.0.2.1:443", "::ffff:192.0.2.1", "[::ffff:192.0.2.1]:443", "::ffff:c000:201", "64:ff9b::192.0.2.1", "[64:ff9b::c000:201]:443",
		},
		"2001:db8:1:234::/64": nil,
		"192.0.2.0/24":        nil,
		"client 7":            nil,
		"192.0.2.1, 10.0.0.1": nil,
		"":                    nil,
	} {
		t.Run(want, func(t *testing.T) {
			id := s.top(want).ID
			if other, taken := ids[id]; taken {
				t.Fatalf("it is one principal with %q", other)
			}
			ids[id] = want
			for _, text := range sent {
				if got := s.top(text).ID; got != id {
					t.Errorf("%s has the ID %s; want %s", text, got, id)
				}
			}

			body := func(principal string) string {
				return fmt.Sprintf(`{"password":"a","hash":"","principal":%q}`, principal)
			}
			for _, text := range append(sent, want) {
				if status, _, answer := s.post("/v1/verify", body(text)); status != 200 {
					t.Errorf("%s: %d %s", text, status, answer)
				}
				if status, answer := s.Answer(t.Context(), api.PathVerify, []byte(body(text))); status != 200 {
					t.Errorf("a fleet's %s: %d %s", text, status, answer)
				}
			}
			for _, p := range s.top("").Principals {
				if _, known := ids[p.ID]; !known {
					t.Errorf("a call counted for another principal than the one that /v1/top names")
				}
			}
		})
	}
}

// A client that keeps a connection may use it once more after Shutdown has begun. That answer ends
// the connection, as does that of a call that was in progress. Connections that stay idle are
// closed after a second, and new ones are answered until then.
func TestShutdownOfKeptConnections(t *testing.T) {
	pool := newPool(t, patient())
	defer delete(routes, "/gate")
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan bool)
		routes["/gate"] = route{method: http.MethodGet, handle: func(_ *Server, x *exchange) {
			<-gate
			x.respond(http.StatusOK, textType, nil)
		}}

		s, next := bubbled(pool, 10, io.Discard)
		dial := func() (net.Conn, *bufio.Reader) {
			near, far := net.Pipe()
			t.Cleanup(func() { far.Close() })
			next <- near
			return far, bufio.NewReader(far)
		}

		get := func(c net.Conn, path string) {
			t.Helper()
			if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: fountd\r\n\r\n"); err != nil {
				t.Error(err)
			}
		}
		ends := func(what string, in *bufio.Reader) {
			t.Helper()
			r, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Errorf("%s: %v", what, err)
				return
			}
			io.Copy(io.Discard, r.Body)

			if r.StatusCode != http.StatusOK || !r.Close {
				t.Errorf("%s: %s, and the connection is kept: %v", what, r.Status, !r.Close)
			}
		}

		kept, fromKept := dial()
		idle, fromIdle := dial()
		busy, fromBusy := dial()
		get(kept, "/healthz")
		get(idle, "/healthz")
		require.NoError(t, errors.Join(answered(fromKept), answered(fromIdle)))

		get(busy, "/gate")
		synctest.Wait()

		began := time.Now()
		over := make(chan error)
		go func() { over <- s.Shutdown(t.Context()) }()

		time.Sleep(keptTime * 9 / 10)
		get(kept, "/healthz")
		ends("a kept connection", fromKept)
		fresh, fromFresh := dial()
		get(fresh, "/healthz")
		ends("a new connection", fromFresh)

		_, err := fromIdle.ReadByte()
		if took := time.Since(began); err != io.EOF || took != keptTime {
			t.Errorf("an idle connection: %v after %v", err, took)
		}

		gate <- true
		ends("a call in progress", fromBusy)
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
}

// A client that stops in the middle of its body keeps no Shutdown waiting, with its first request
// or a later one.
func TestShutdownWhileABodyStops(t *testing.T) {
	t.Parallel() // it waits
	s := serve(t, patient(), 100)
	for before := range 2 { // requests
		c := s.dial()
		in := bufio.NewReader(c)
		for range before {
			io.WriteString(c, getHealth)
			require.NoError(t, answered(in))
		}
		io.WriteString(c, "POST /v1/verify HTTP/1.1\r\nHost: fountd\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n{")
		if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") { // it reads the body
			t.Fatalf("%q, %v", line, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	if err := s.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}

// A deadline that passes after admission is 504, and one that has passed before it too.
func TestDeadlinePasses(t *testing.T) {
	s := serve(t, patient(), 100)
	body := `{"password":"a","hash":"","deadline_ms":1}`
	c := s.dial()
	head, _, _ := strings.Cut(request(body), "\r\n\r\n")
	io.WriteString(c, head+"\r\nExpect: 100-continue\r\n\r\n")
	in := bufio.NewReader(c)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	in.ReadString('\n')
	time.Sleep(2 * time.Millisecond) // the deadline passes: it runs from the header
	io.WriteString(c, body)
	r, err := http.ReadResponse(in, nil)
	require.NoError(t, err)
	if r.StatusCode != http.StatusGatewayTimeout {
		t.Errorf("%d, want 504", r.StatusCode)
	}
}

// A panic closes the connection of its request, is logged, and hurts nobody else.
func TestPanic(t *testing.T) {
	routes["/panic"] = route{method: http.MethodGet, handle: func(*Server, *exchange) { panic("boom") }}
	defer delete(routes, "/panic")
	s := serve(t, patient(), 100)
	if r, err := s.client().Get("http://fountd/panic"); err == nil {
		t.Errorf("answered with %d", r.StatusCode)
	}
	eventually(t, "the log has it", func() bool {
		return strings.Contains(s.log.String(), "level=ERROR") && strings.Contains(s.log.String(), "boom")
	})
	if status, _, _ := s.post("/v1/hash", `{"password":"a"}`); status != 200 {
		t.Errorf("after it: %d", status)
	}
}

// Clients beyond the limit wait, and are served when one of those before has left, here by its idle
// time.
func TestConnectionsHaveANumber(t *testing.T) {
	pool := newPool(t, patient())
	synctest.Test(t, func(t *testing.T) {
		s, next := bubbled(pool, 2, io.Discard)
		start := time.Now()
		for i := range 3 {
			near, far := net.Pipe()
			defer far.Close()
			go func() { next <- near }()
			in := bufio.NewReader(far)
			_, err := io.WriteString(far, getHealth)
			require.NoError(t, err)
			require.NoError(t, answered(in))
			if waited := time.Since(start); (waited >= time.Minute) != (i == 2) {
				t.Errorf("client %d was answered after %v", i, waited)
			}
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
