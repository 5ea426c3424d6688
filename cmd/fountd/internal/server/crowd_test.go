// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
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
