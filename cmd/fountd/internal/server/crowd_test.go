// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"fount/remote/api"
)

// ended waits until the server has closed a connection.
func ended(t *testing.T, c net.Conn) {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("want the end of the connection: %v", err)
	}
}

// Clients that send nothing, or half of a header, or half of a body, hold all places: a caller gets in all the same, and the
// one that came first makes way.
func TestSlowClientsMakeWay(t *testing.T) {
	s := serve(t, patient(), 3)
	var slow []net.Conn
	half := "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"
	for _, sent := range []string{"", half[:40], half} {
		c := s.dial()
		io.WriteString(c, sent)
		n := len(slow) + 1
		eventually(t, "it is in", func() bool { return s.crowd.count().open == n })
		slow = append(slow, c)
	}
	for i := range slow {
		if status, _, answer := s.post("/v1/hash", `{"password":"a"}`); status != 200 {
			t.Fatalf("%d %s", status, answer)
		}
		if i == 0 {
			ended(t, slow[0])
		}
	}
	if n := s.crowd.count(); n.open > 3 || n.evicted == 0 || n.refused != 0 {
		t.Errorf("%+v", n)
	}
}

// Of idle connections that have proved themselves the one that is idle for longest makes way, and after those that have not.
func TestIdleMakesWay(t *testing.T) {
	s := serve(t, patient(), 3)
	call := func(c net.Conn) error {
		if _, err := io.WriteString(c, request(`{"password":"a","hash":""}`)); err != nil {
			return err
		}
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err == nil {
			_, err = io.Copy(io.Discard, r.Body)
		}
		return err
	}
	idle := func(n int) {
		eventually(t, "it is idle", func() bool {
			s.crowd.mu.Lock()
			defer s.crowd.mu.Unlock()
			return s.crowd.idle.Len() == n
		})
	}
	first, second := s.dial(), s.dial()
	for i, c := range []net.Conn{first, second} {
		if err := call(c); err != nil {
			t.Fatal(err)
		}
		idle(i + 1)
	}
	silent := s.dial()
	eventually(t, "it is in", func() bool { return s.crowd.count().open == 3 })
	third := s.dial()
	if err := call(third); err != nil {
		t.Fatal(err)
	}
	ended(t, silent)
	idle(3)
	fourth := s.dial()
	if err := call(fourth); err != nil {
		t.Fatal(err)
	}
	ended(t, first)
	idle(3)
	for i, c := range []net.Conn{second, third, fourth} {
		if err := call(c); err != nil {
			t.Errorf("connection %d: %v", i+2, err)
		}
	}
}

// A connection whose request is being answered keeps its place.
func TestServedKeepTheirPlace(t *testing.T) {
	o := patient()
	o.Workers = 2
	s := serve(t, o, 2)
	body := endless(t)
	var busy []*net.UnixConn
	for range 2 {
		c := s.dial()
		io.WriteString(c, request(body))
		n := len(busy) + 1
		eventually(t, "its hash runs", func() bool { return s.hasher.Pool().Stats().Busy == n })
		busy = append(busy, c)
	}
	ended(t, s.dial())
	if n := s.crowd.count(); n != (census{open: 2, serving: 2, refused: 1}) {
		t.Errorf("%+v", n)
	}
	busy[0].Close()
	eventually(t, "there is room", func() bool { return s.crowd.count().open == 1 })
	r, err := s.client().Get("http://fountd/healthz")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	busy[1].Close()
	eventually(t, "all are gone", func() bool { return s.crowd.count().serving == 0 })
}

// What is no HTTP, too long, or ends early closes its own connection and no other; the room it took is free again.
func TestHostileConnections(t *testing.T) {
	s := serve(t, patient(), 100)
	c := s.client()
	for name, send := range map[string]string{
		"garbage":         "\x00\xff\x16\x03\x01 garbage\r\n\r\n",
		"tls":             "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"long header":     "GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 1<<20),
		"two lengths":     "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
		"negative length": "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
		"bad chunk":       "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"short body":      "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
		"announced GiB":   "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n",
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
	eventually(t, "one connection is left, the caller's", func() bool { return s.crowd.count().open == 1 })
}

// A listener of test connections, or of errors, one after the other.
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

func (l scripted) Close() error { close(l.over); return nil }
func (scripted) Addr() net.Addr { return &net.UnixAddr{Net: "unix", Name: "scripted"} }

// Without a descriptor for a new connection, another one makes way, if there is one.
func TestNoDescriptorMakesWay(t *testing.T) {
	first, firstFar := net.Pipe()
	second, _ := net.Pipe()
	l := crowded{scripted{next: make(chan any, 4)}, newCrowd(10), false}
	for _, next := range []any{first, syscall.EMFILE, second} {
		l.Listener.(scripted).next <- next
	}
	for range 2 {
		if _, err := l.Accept(); err != nil {
			t.Fatal(err)
		}
	}
	ended(t, firstFar)
	if n := l.crowd.count(); n != (census{open: 1, evicted: 1}) {
		t.Errorf("%+v", n)
	}
	l.crowd = newCrowd(10)
	l.Listener.(scripted).next <- syscall.EMFILE
	if _, err := l.Accept(); err != syscall.EMFILE {
		t.Errorf("with no other connection: %v", err)
	}
}

// Shutdown waits for no client that has not sent a header: net/http alone gives each 5 s.
func TestShutdownWaitsForNoHeader(t *testing.T) {
	pool := newServer(t, patient(), 1).hasher
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Hasher: pool, MaxConns: 10, Idle: time.Minute, Log: slog.New(slog.DiscardHandler)}, api.Policy{})
		l := scripted{make(chan any), make(chan struct{})}
		go s.Serve(l, nil)
		for _, sent := range []string{"", "G", "GET /healthz HTTP/1.1\r\nHo"} {
			near, far := net.Pipe()
			l.next <- near
			if sent != "" {
				io.WriteString(far, sent)
			}
		}
		synctest.Wait()
		start := time.Now()
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took >= time.Second {
			t.Errorf("Shutdown took %v of the bubble's time", took)
		}
	})
}

// A connection that joins when the crowd is shut is closed.
func TestShutTakesNobody(t *testing.T) {
	near, far := net.Pipe()
	c := newCrowd(10)
	c.close()
	if c.join(near) != nil {
		t.Fatal("it has a place")
	}
	if n := c.count(); n != (census{refused: 1}) {
		t.Errorf("%+v", n)
	}
	ended(t, far)
}

// An evicted connection whose server goes on for a while has no place and takes none.
func TestEvictedIsGone(t *testing.T) {
	near, _ := net.Pipe()
	c := newCrowd(10)
	m := c.join(near)
	c.makeWay()
	m.serve()
	m.rest() // answered before its request came as a whole
	if m.park(time.Time{}) {
		t.Error("it is parked")
	}
	m.Close()
	if n := c.count(); n != (census{evicted: 1}) {
		t.Errorf("%+v", n)
	}
}

// net/http finds what it needs to end an answer before it closes the connection.
func TestCloseWrite(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	far, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	near, err := crowded{l, newCrowd(1), true}.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	half, ok := near.(interface{ CloseWrite() error })
	if !ok {
		t.Fatal("there is no CloseWrite")
	}
	if err := half.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	ended(t, far)
	io.WriteString(far, "x")
	if n, err := near.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("the other half: %d, %v", n, err)
	}
}

// A header of 8 KiB is too long.
func TestLongHeader(t *testing.T) {
	s := serve(t, patient(), 100)
	for n, want := range map[int]int{7 << 10: 200, 8 << 10: 431} {
		r, err := http.NewRequest(http.MethodGet, "http://fountd/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X", strings.Repeat("x", n))
		answer, err := s.client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%d bytes: %s, want %d", n, answer.Status, want)
		}
	}
}

// A body has room for itself and a byte, also where its end comes alone.
func TestBodyRoom(t *testing.T) {
	for _, n := range []int{0, firstRoom, api.MaxRequest - 1, api.MaxRequest, api.MaxRequest + 1} {
		r := httptest.NewRequest(http.MethodPost, "/v1/verify", io.LimitReader(rand.Reader, int64(n)))
		r.Header.Set("Content-Type", api.MediaType)
		body, reason, _ := readBody(httptest.NewRecorder(), r)
		if (reason == "") != (n <= api.MaxRequest) || reason == "" && len(body) != n || cap(body) > api.MaxRequest+1 {
			t.Errorf("%d bytes: %d in room for %d, %q", n, len(body), cap(body), reason)
		}
	}
}

// A body that never ends is cut off after 32 KiB, whatever was announced.
func TestEndlessBody(t *testing.T) {
	s := serve(t, patient(), 100)
	c := s.dial()
	io.WriteString(c, "POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
	go func() {
		chunk := fmt.Sprintf("%x\r\n%s\r\n", 4096, strings.Repeat(" ", 4096))
		for {
			if _, err := io.WriteString(c, chunk); err != nil {
				return
			}
		}
	}()
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != http.StatusRequestEntityTooLarge || !r.Close {
		t.Errorf("%d, close %v; want 413 and the end of the connection", r.StatusCode, r.Close)
	}
}
