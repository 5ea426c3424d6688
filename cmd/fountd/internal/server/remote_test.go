// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// What a pool answers, the client of package remote against the server answers too.

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"fount/internal/test/require"
	"fount/internal/test/verifiertest"
	"fount/password"
	"fount/remote"
)

func TestRemoteClientIsAVerifier(t *testing.T) {
	verifiertest.Run(t, func(t *testing.T, o password.Options) (password.Verifier, *password.Pool) {
		s := serve(t, verifiertest.Patient(o), 100)
		return newRemote(t, s), s.o.Pool.Current()
	})
}

func newRemote(t testing.TB, s *served) *remote.HTTPClient {
	t.Helper()
	c, err := remote.HTTP(s.path, remote.HTTPOptions{Timeout: verifiertest.Patience})
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}

// A server that ends under load: each request that it has read is answered, and the answer arrives.
func TestShutdownUnderLoad(t *testing.T) {
	s := serve(t, patient(), 100)
	c := newRemote(t, s)
	encoded := stored(t, cheap, "secret")
	var arrived atomic.Int64
	var callers sync.WaitGroup
	for i := range 8 {
		callers.Go(func() {
			for {
				if _, err := c.Verify(t.Context(), password.Login{Principal: fmt.Sprint(i)}, []byte("secret"), encoded); err != nil {
					return // the server takes no more
				}
				arrived.Add(1)
			}
		})
	}
	eventually(t, "calls are answered", func() bool { return arrived.Load() > 100 })

	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	callers.Wait()
	if n := testutil.CollectAndCount(s.metrics.requests); n != 1 {
		t.Errorf("%d kinds of answers, want one", n)
	}
	if n := testutil.ToFloat64(s.metrics.requests); n != float64(arrived.Load()) {
		t.Errorf("%v requests were read, and %d answers arrived", n, arrived.Load())
	}
}

// Schemathesis judges the answers to requests of the document, right and wrong. One that fits it
// may still not be served: its hash is unreadable, or its deadline too short.
func TestSchemathesis(t *testing.T) {
	program, err := exec.LookPath("schemathesis")
	if err != nil {
		require.Skip(t, "schemathesis", "there is no schemathesis (PyPI: schemathesis==4.32.5)")
	}
	s := newServer(t, patient(), 100)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go s.Serve(l, nil)
	defer s.Shutdown(context.Background())

	document, err := filepath.Abs("../../../../docs/fountd.openapi.json")
	require.NoError(t, err)
	cmd := exec.Command(program, "run", document, "--url", "http://"+l.Addr().String(), "--checks", "all",
		"--exclude-checks", "positive_data_acceptance,not_a_server_error", "--max-examples", "50", "--seed", "1", "--no-color")
	cmd.Dir = t.TempDir() // where it keeps notes
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if testutil.ToFloat64(s.metrics.requests.WithLabelValues("/v1/hash", "200")) == 0 {
		t.Error("no hash was made")
	}
	for _, path := range []string{"/v1/hash", "/v1/verify"} {
		if testutil.ToFloat64(s.metrics.requests.WithLabelValues(path, "500")) > 0 {
			t.Errorf("%s: a status of 500", path)
		}
	}
}
