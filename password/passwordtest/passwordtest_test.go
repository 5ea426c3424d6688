// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package passwordtest

import (
	"context"
	"errors"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
	"fount/password/passwordhttp"
)

// both are what a service may be given.
type both interface {
	password.Verifier
	Ready(context.Context, password.Login) error
	Fail(error)
}

// In a bubble or not, both kinds verify what they hashed, and fail when they are told, until they are told otherwise.
func TestBoth(t *testing.T) {
	test := func(t *testing.T, v both) {
		ctx, login := t.Context(), password.Login{Principal: "192.0.2.1"}
		works := func() {
			t.Helper()
			stored, err := v.Hash(ctx, login, []byte("right"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := v.Verify(ctx, login, []byte("right"), stored); err != nil {
				t.Errorf("the right password: %v", err)
			}
			for given, encoded := range map[string]string{"wrong": stored, "right": "", "": stored} {
				if _, err := v.Verify(ctx, login, []byte(given), encoded); err != password.ErrMismatch {
					t.Errorf("%q, %q: %v", given, encoded, err)
				}
			}
			if _, err := v.Verify(ctx, login, []byte("right"), "damaged"); !errors.Is(err, password.ErrMalformed) {
				t.Errorf("a damaged hash: %v", err)
			}
			if _, err := v.Hash(ctx, login, nil); !errors.Is(err, password.ErrEmpty) {
				t.Errorf("an empty password: %v", err)
			}
			if err := v.Ready(ctx, login); err != nil {
				t.Errorf("not ready: %v", err)
			}
		}
		works()
		for i, err := range Errors() {
			v.Fail(err)
			_, verified := v.Verify(ctx, login, []byte("right"), "")
			_, hashed := v.Hash(ctx, login, []byte("right"))
			if verified != err || hashed != err {
				t.Errorf("%v: Verify %v, Hash %v", err, verified, hashed)
			}
			want := error(nil)
			if i >= 1 && i <= 4 {
				want = err
			}
			if got := v.Ready(ctx, login); got != want {
				t.Errorf("%v: Ready %v", err, got)
			}
		}
		v.Fail(nil)
		works()
	}
	for name, make := range map[string]func(t *testing.T) both{
		"Verifier": func(*testing.T) both { return new(Verifier) },
		"Pool":     func(t *testing.T) both { return NewPool(t, password.Options{}) },
	} {
		t.Run(name, func(t *testing.T) { test(t, make(t)) })
		t.Run(name+" in a bubble", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, make(t)) })
		})
	}
}

// Errors has each error that package password declares for calls.
func TestErrors(t *testing.T) {
	status := map[int]int{}
	for _, err := range Errors() {
		w := httptest.NewRecorder()
		passwordhttp.ServeError(w, err)
		status[w.Code]++
	}
	if status[401] != 1 || status[503] != 4 || status[400] != 3 || status[500] != 3 {
		t.Errorf("by status: %v", status)
	}
}

// A delay passes at once in a bubble, and ends with the context.
func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &Verifier{Delay: time.Minute, Result: password.Result{Truncated: true}}
		began := time.Now()
		if r, err := v.Verify(t.Context(), password.Login{}, []byte("x"), Stored("x")); err != nil || !r.Truncated || time.Since(began) != time.Minute {
			t.Errorf("%+v, %v after %v", r, err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := v.Hash(ctx, password.Login{Upgrade: true}, []byte("x")); err != context.DeadlineExceeded {
			t.Errorf("%v", err)
		}
		if err := v.Ready(ctx, password.Login{}); err != context.DeadlineExceeded {
			t.Errorf("%v", err)
		}
		want := []Call{{"verify", password.Login{}}, {"hash", password.Login{Upgrade: true}}, {"ready", password.Login{}}}
		if got := v.Calls(); !slices.Equal(got, want) {
			t.Errorf("%+v", got)
		}
	})
}
