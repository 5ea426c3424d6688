// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

// The client of package remote against this server: what a pool answers, it answers too.

import (
	"context"
	"errors"
	"testing"
	"time"

	"fount/internal/test/verifiertest"
	"fount/password"
	"fount/remote"
	"fount/remote/api"
)

func TestRemoteClientIsAVerifier(t *testing.T) {
	verifiertest.Run(t, func(t *testing.T, o password.Options) (password.Verifier, *password.Pool) {
		s := serve(t, verifiertest.Patient(o), 100)
		return newRemote(t, s), s.hasher.Pool()
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

// What the server says of a refusal arrives: why, and how long to wait.
func TestRemoteClientReadsReasons(t *testing.T) {
	o := patient()
	o.Workers, o.MaxWait = 1, time.Millisecond
	s := serve(t, o, 100)
	c := newRemote(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go c.Verify(ctx, password.Login{}, []byte("a"), "$2b$15$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a")
	eventually(t, "it runs", func() bool { return s.hasher.Pool().Stats().Busy == 1 })
	_, err := c.Hash(t.Context(), password.Login{}, []byte("a"))
	e, ok := errors.AsType[*remote.Error](err)
	if !ok || e.Reason != api.ReasonDeadline || !errors.As(err, new(password.OverloadedError)) {
		t.Errorf("%v; want reason %s and OverloadedError", err, api.ReasonDeadline)
	}
	policy, err := c.Policy(t.Context())
	if want := (api.Policy{Algorithm: "bcrypt", Cost: 4, MaxPassword: 72}); err != nil || policy != want {
		t.Errorf("%+v, %v; want %+v", policy, err, want)
	}
}
