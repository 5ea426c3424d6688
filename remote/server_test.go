// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

// A server of the API in as few lines as it takes: fountd's is tested in its own module.

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"fount/internal/test/socketdir"
	"fount/internal/test/verifiertest"
	"fount/password"
	"fount/remote/api"
)

// handler serves a pool.
func handler(pool *password.Pool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+api.PathVerify, func(w http.ResponseWriter, r *http.Request) {
		m, err := api.DecodeVerifyRequest(read(r))
		if err != nil {
			answer(w, api.NewProblem(api.ReasonInvalid, err.Error(), 0))
			return
		}
		ctx, cancel := within(r.Context(), m.Deadline)
		defer cancel()
		result, err := pool.Verify(ctx, loginOf(m.Principal, m.Class), m.Password, m.Hash)
		switch {
		case err == nil:
			answerJSON(w, `{"match":true,"needs_rehash":`+strconv.FormatBool(result.NeedsRehash)+`,"truncated":`+strconv.FormatBool(result.Truncated)+`}`)
		case errors.Is(err, password.ErrMismatch):
			answerJSON(w, `{"match":false,"needs_rehash":false,"truncated":false}`)
		default:
			answer(w, problemOf(err))
		}
	})
	mux.HandleFunc("POST "+api.PathHash, func(w http.ResponseWriter, r *http.Request) {
		m, err := api.DecodeHashRequest(read(r))
		if err != nil {
			answer(w, api.NewProblem(api.ReasonInvalid, err.Error(), 0))
			return
		}
		ctx, cancel := within(r.Context(), m.Deadline)
		defer cancel()
		encoded, err := pool.Hash(ctx, loginOf(m.Principal, m.Class), m.Password)
		if err != nil {
			answer(w, problemOf(err))
			return
		}
		answerJSON(w, `{"hash":"`+encoded+`"}`)
	})
	mux.HandleFunc("GET "+api.PathPolicy, func(w http.ResponseWriter, r *http.Request) {
		answerJSON(w, `{"policy":"bcrypt,cost=4","key_ids":["k"],"legacy":true}`)
	})
	return mux
}

func read(r *http.Request) []byte {
	body, _ := io.ReadAll(r.Body) // half a body is no JSON
	return body
}

func within(ctx context.Context, left time.Duration) (context.Context, context.CancelFunc) {
	if left == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, left)
}

func loginOf(principal string, class api.Class) password.Login {
	return password.Login{Principal: principal, Upgrade: class == api.ClassRehash}
}

func problemOf(err error) api.Problem {
	if overloaded, ok := errors.AsType[password.OverloadedError](err); ok {
		return api.NewProblem(api.ReasonOverload, err.Error(), overloaded.After)
	}
	if errors.Is(err, password.ErrClosed) {
		return api.NewProblem(api.ReasonClosed, err.Error(), time.Second)
	}
	for reason, meaning := range map[api.Reason]error{
		api.ReasonMalformed: password.ErrMalformed, api.ReasonCost: password.ErrCost, api.ReasonKey: password.ErrKey,
		api.ReasonTooLong: password.ErrTooLong, api.ReasonEmpty: password.ErrEmpty, api.ReasonNUL: password.ErrNUL,
		api.ReasonExpired: context.DeadlineExceeded,
	} {
		if errors.Is(err, meaning) {
			return api.NewProblem(reason, err.Error(), 0)
		}
	}
	return api.NewProblem(api.ReasonInternal, err.Error(), 0)
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

func TestHTTPClientIsAVerifier(t *testing.T) {
	t.Run("socket", func(t *testing.T) {
		verifiertest.Run(t, func(t *testing.T, o password.Options) (password.Verifier, *password.Pool) {
			pool := verifiertest.NewPool(t, o)
			return connect(t, serveUnix(t, handler(pool)), HTTPOptions{}), pool
		})
	})
	t.Run("loopback", func(t *testing.T) {
		verifiertest.Run(t, func(t *testing.T, o password.Options) (password.Verifier, *password.Pool) {
			pool := verifiertest.NewPool(t, o)
			s := httptest.NewServer(handler(pool))
			t.Cleanup(s.Close)
			return connect(t, s.URL, HTTPOptions{}), pool
		})
	})
}

// quietLog swallows what servers say of clients that were to fail.
var quietLog = log.New(io.Discard, "", 0)
