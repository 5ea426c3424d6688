// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

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

// What is no HTTP, too long, or ends early closes its own connection and no other; the room it took
// is free again.
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
	eventually(t, "one connection is left, the caller's", func() bool { return testutil.ToFloat64(s.metrics.open) == 1 })
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
