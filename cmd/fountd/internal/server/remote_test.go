// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// The client of package remote against this server: what a pool answers, it answers too.

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"fount/internal/test/verifiertest"
	"fount/password"
	"fount/remote"
)

func TestRemoteClientIsAVerifier(t *testing.T) {
	verifiertest.Run(t, func(t *testing.T, o password.Options) (password.Verifier, *password.Pool) {
		s := serve(t, verifiertest.Patient(o), 100)
		return newRemote(t, s), s.o.Pool.Now()
	})
}

func newRemote(t testing.TB, s *served) *remote.HTTPClient {
	t.Helper()
	c, err := remote.HTTP(s.path, remote.HTTPOptions{Timeout: verifiertest.Patience})
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

// A server that ends under load: each request that it has read is answered, and the answer arrives.
func TestShutdownUnderLoad(t *testing.T) {
	s := serve(t, patient(), 100)
	c, encoded := newRemote(t, s), stored(t, cheap, "secret")
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
