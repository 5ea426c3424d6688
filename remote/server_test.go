// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

// A server of the API in as few lines as it takes: fountd's is tested in its own module.

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"testing"

	"fount/internal/test/socketdir"
	"fount/internal/test/verifiertest"
	"fount/remote/api"
)

func read(r *http.Request) []byte {
	body, _ := io.ReadAll(r.Body) // half a body is no JSON
	return body
}

func answer(w http.ResponseWriter, p api.Problem) {
	w.Header().Set("Content-Type", api.MediaTypeProblem)
	if seconds := p.RetryAfterSeconds(); seconds > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
	}
	w.WriteHeader(p.Status)
	w.Write(p.JSON())
}

func answerJSON(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", api.MediaType)
	io.WriteString(w, body)
}

// socketPath returns a path for a socket.
func socketPath(t *testing.T) string {
	t.Helper()
	return filepath.Join(socketdir.New(t), "s")
}

// serveUnix serves on a new Unix socket and returns its path.
func serveUnix(t *testing.T, h http.Handler) string {
	t.Helper()
	path := socketPath(t)
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Skipf("no Unix sockets here: %v", err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: h}}
	s.Start()
	t.Cleanup(s.Close)
	return path
}

// newClient returns a client that lasts as long as the test.
func connect(t *testing.T, address string, o HTTPOptions) *HTTPClient {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = verifiertest.Patience
	}
	c, err := HTTP(address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}

// quietLog swallows what servers say of clients that were to fail.
var quietLog = log.New(io.Discard, "", 0)
