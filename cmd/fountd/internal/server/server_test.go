// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"bufio"
	"bytes"
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
	h, err := NewPool(o)
	if err != nil {
		t.Fatal(err)
	}
	s := &served{t: t, log: new(lockedBuffer)}
	s.Server = New(Options{Pool: h, MaxConns: conns, Idle: time.Minute, Log: slog.New(slog.NewTextHandler(s.log, nil))},
		api.Policy{Policy: "bcrypt,cost=4", KeyIDs: []string{}})
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		h.Close(ctx)
	})
	return s
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, r.Header, string(text)
}

// dial connects without a client.
func (s *served) dial() *net.UnixConn {
	s.t.Helper()
	c, err := net.Dial("unix", s.path)
	if err != nil {
		s.t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// endless is a request whose hash takes days.
func endless(t testing.TB) string {
	return fmt.Sprintf(`{"password":"secret","hash":%q}`, strings.Replace(stored(t, cheap, "secret"), "$04$", "$31$", 1))
}

const getHealth = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

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
	return fmt.Sprintf("POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func TestAnswers(t *testing.T) {
	o := patient()
	o.Memory = 1 << 20
	s := serve(t, o, 100)
	mine, weak := stored(t, cheap, "secret"), stored(t, password.Policy{Algorithm: password.PBKDF2SHA256, Iterations: 1000}, "secret")
	long := strings.Repeat("x", 80)
	longest := stored(t, cheap, long[:72])
	verify := func(password, hash, more string) string {
		return fmt.Sprintf(`{"password":%q,"hash":%q%s}`, password, hash, more)
	}
	for _, c := range []struct {
		path, body string
		status     int
		want       string // in the answer
	}{
		{"/v1/verify", verify("secret", mine, ""), 200, `{"match":true,"needs_rehash":false,"truncated":false}`},
		{"/v1/verify", fmt.Sprintf(`{"password_b64":"c2VjcmV0","hash":%q,"principal":"192.0.2.1","class":"sign_in","deadline_ms":3600000}`, mine), 200, `{"match":true,`},
		{"/v1/verify", verify("Secret", mine, ""), 200, `{"match":false,"needs_rehash":false,"truncated":false}`},
		{"/v1/verify", verify("secret", "", ""), 200, `{"match":false,"needs_rehash":false,"truncated":false}`},
		{"/v1/verify", verify("", mine, ""), 200, `{"match":false,`},
		{"/v1/verify", verify("secret", weak, ""), 200, `{"match":true,"needs_rehash":true,"truncated":false}`},
		{"/v1/verify", verify(long, longest, `,"renew":true`), 200, `"match":true,"needs_rehash":false,"truncated":true}`},
		{"/v1/verify", verify("secret", "secret", ""), 422, `"reason":"malformed"`},
		{"/v1/verify", verify("secret", strings.Replace(stored(t, password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1}, "a"), "m=8", "m=99999999", 1), ""), 422, `"reason":"cost"`},
		{"/v1/verify", verify("secret", strings.Replace(stored(t, password.Policy{Algorithm: password.Argon2id, Memory: 8, Iterations: 1}, "a"), "m=8", "m=8192", 1), ""), 422, `"reason":"memory"`},
		{"/v1/verify", verify(strings.Repeat("x", 1025), mine, ""), 422, `"reason":"too_long"`},
		{"/v1/verify", verify(strings.Repeat("x", api.MaxRequest-500), mine, ""), 422, `"reason":"too_long"`},
		{"/v1/verify", `{"password":"secret"}`, 400, `hash is missing`},
		{"/v1/verify", verify("secret", mine, `,"upgrade":true`), 400, `\"upgrade\" is not a member of this request; want password, password_b64, principal, class, deadline_ms, hash, renew"`},
		{"/v1/verify", verify("secret", mine, `,"class":"rehash"`), 400, `class is not a class; want \"sign_in\" or \"upgrade\""`},
		{"/v1/verify", `{"password":"secret",`, 400, `"reason":"invalid"`},
		{"/v1/verify", "", 400, `"reason":"invalid"`},
		{"/v1/verify", verify("secret", mine, `,"deadline_ms":0`), 400, `deadline_ms`},
		{"/v1/verify", strings.Repeat(" ", api.MaxRequest-1) + "{}", 413, `"reason":"too_large"`},
		{"/v1/verify", strings.Repeat(" ", api.MaxRequest-2) + "{}", 400, `hash is missing`},
		{"/v1/hash", `{"password":"secret"}`, 200, `{"hash":"$2b$04$`},
		{"/v1/hash", `{"password":""}`, 422, `"reason":"empty"`},
		{"/v1/hash", `{"password":"a\u0000b"}`, 422, `"reason":"nul"`},
		{"/v1/hash", fmt.Sprintf(`{"password":%q}`, long), 422, `"reason":"too_long"`},
		{"/v1/hash", verify("secret", mine, ""), 400, `hash`},
		{"/v1/nothing", `{}`, 404, `"reason":"not_found"`},
		{"/v1/policy", `{}`, 405, `"reason":"method"`},
	} {
		status, header, answer := s.post(c.path, c.body)
		if status != c.status || !strings.Contains(answer, c.want) {
			t.Errorf("%s %.90s: %d %s; want %d and %s", c.path, c.body, status, answer, c.status, c.want)
		}
		if wait, err := strconv.Atoi(header.Get(api.HeaderWait)); status != 404 && status != 405 && status != 413 && (err != nil || wait < 0) {
			t.Errorf("%s %.90s: %d with %s %q", c.path, c.body, status, api.HeaderWait, header.Get(api.HeaderWait))
		}
		if wait := header.Get("Retry-After"); (wait != "") != (status == 503) {
			t.Errorf("%s %.90s: %d with Retry-After %q", c.path, c.body, status, wait)
		}
		if kind := header.Get("Content-Type"); status == 200 && kind != api.MediaType || status != 200 && kind != api.MediaTypeProblem {
			t.Errorf("%s %.90s: %d with Content-Type %q", c.path, c.body, status, kind)
		}
		if status != 200 {
			if p, err := api.DecodeProblem([]byte(answer)); err != nil || p.Status != status || !p.NotBegun {
				t.Errorf("%s: %v; want a problem that says that no hash was begun", answer, err)
			}
		}
	}
	// Not a line of it holds what clients sent.
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

func TestOtherPaths(t *testing.T) {
	s := serve(t, patient(), 100)
	ask := func(method, path string, status int, want string) {
		t.Helper()
		r, _ := http.NewRequest(method, "http://fountd"+path, strings.NewReader("password=secret"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer, err := s.client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != status || !strings.Contains(string(text), want) {
			t.Errorf("%s %s: %d %.300s; want %d and %s", method, path, answer.StatusCode, text, status, want)
		}
	}
	ask("POST", "/v1/verify", 415, "")
	ask("GET", "/readyz", 200, "ok\n")
	s.draining.Store(true)
	ask("GET", "/readyz", 503, `"reason":"closed"`)
	ask("GET", "/healthz", 200, "ok\n")
}

// While a hash that never ends has the only worker: its client's leaving ends it, and others are
// refused at once.
func TestClientLeaves(t *testing.T) {
	s := serve(t, patient(), 100)
	pool := s.o.Pool.Current()
	body := endless(t)
	for name, leave := range map[string]func(*net.UnixConn) error{
		"closed": (*net.UnixConn).Close, "half-closed": (*net.UnixConn).CloseWrite,
	} {
		before := pool.Stats().SignIns.Of(password.OutcomeCanceled)
		c := s.dial()
		io.WriteString(c, request(body))
		eventually(t, "the hash runs", func() bool { return pool.Stats().Busy == 1 })
		status, header, answer := s.post("/v1/verify", `{"password":"a","hash":""}`)
		if status != 503 || header.Get("Retry-After") == "" || !strings.Contains(answer, `"reason":"deadline"`) || !strings.Contains(answer, `"retry_after_ms":`) || !strings.Contains(answer, `"not_begun":true`) {
			t.Errorf("beside it: %d %v %s", status, header, answer)
		}
		p, _ := api.DecodeProblem([]byte(answer)) // what a Go client's OverloadedError has
		if after := time.Duration(p.RetryAfter) * time.Millisecond; header.Get("Retry-After") != fmt.Sprint(math.Ceil(after.Seconds())) {
			t.Errorf("Retry-After is %s; a Go client waits %v", header.Get("Retry-After"), after)
		}
		leave(c)
		eventually(t, name+": the worker is free", func() bool {
			stats := pool.Stats()
			return stats.Busy == 0 && stats.SignIns.Of(password.OutcomeCanceled) == before+1
		})
	}
}

// top asks who uses most of the server, and for the ID of a principal.
func (s *served) top(principal string) (answer api.Top) {
	s.t.Helper()
	r, err := s.client().Get("http://fountd/v1/top?principal=" + url.QueryEscape(principal))
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil {
		s.t.Fatal(err)
	}
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
	pool := newServer(t, patient(), 1).o.Pool
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
			if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
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
		if err := errors.Join(answered(fromKept), answered(fromIdle)); err != nil {
			t.Fatal(err)
		}
		get(busy, "/gate")
		synctest.Wait()

		began, over := time.Now(), make(chan error)
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
	for before := range 2 {
		c := s.dial()
		in := bufio.NewReader(c)
		for range before {
			io.WriteString(c, getHealth)
			if err := answered(in); err != nil {
				t.Fatal(err)
			}
		}
		io.WriteString(c, "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n{")
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
	if err != nil {
		t.Fatal(err)
	}
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
	pool := newServer(t, patient(), 1).o.Pool
	synctest.Test(t, func(t *testing.T) {
		s, next := bubbled(pool, 2, io.Discard)
		start := time.Now()
		for i := range 3 {
			near, far := net.Pipe()
			defer far.Close()
			go func() { next <- near }()
			in := bufio.NewReader(far)
			if _, err := io.WriteString(far, getHealth); err != nil {
				t.Fatal(err)
			}
			if err := answered(in); err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(start); (waited >= time.Minute) != (i == 2) {
				t.Errorf("client %d was answered after %v", i, waited)
			}
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
