// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// The client of package remote against this server: what a pool answers, it answers too.

import (
	"context"
	"testing"

	"fount/internal/test/verifiertest"
	"fount/password"
	"fount/remote"
)

func TestRemoteClientIsAVerifier(t *testing.T) {
	verifiertest.Run(t, func(t *testing.T, o password.Options) (password.Verifier, *password.Pool) {
		s := serve(t, verifiertest.Patient(o), 100)
		return newRemote(t, s), s.pool.Now()
	})
}

func newRemote(t *testing.T, s *served) *remote.HTTPClient {
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

// The client reads how the server hashes.
func TestRemotePolicy(t *testing.T) {
	c := newRemote(t, serve(t, patient(), 100))
	policy, err := c.Policy(t.Context())
	if err != nil || policy.Policy != "bcrypt,cost=4" {
		t.Errorf("%+v, %v", policy, err)
	}
}
