// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// scripted answers Verify and Hash as a test says.
type scripted struct {
	Verifier
	result   Result
	err      error
	hash     func(ctx context.Context) (string, error)
	hashed   atomic.Int32
	login    Login
	given    []byte // Hash's own: it must be wiped
	contents string
}

func (s *scripted) Verify(_ context.Context, _ Login, password []byte, _ string) (Result, error) {
	s.given = password
	return s.result, s.err
}

func (s *scripted) Hash(ctx context.Context, login Login, password []byte) (string, error) {
	s.hashed.Add(1)
	s.login = login
	s.given = password
	s.contents = string(password)
	return s.hash(ctx)
}

type key struct{}

// Each way that an upgrade can end: the sign-in has its answer before, and it is Verify's.
func TestSignIn(t *testing.T) {
	outdated := Result{NeedsRehash: true}
	made := func(context.Context) (string, error) { return "new", nil }
	never := func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() }
	slowly := func(ctx context.Context) (string, error) { time.Sleep(time.Second); return "new", nil }
	for name, c := range map[string]struct {
		result Result
		err    error
		hash   func(context.Context) (string, error)
		save   func(ctx context.Context) (bool, error)
		nosave bool

		hashes, saves int
		log           string // a part of it; "" for none
	}{
		"match":        {},
		"mismatch":     {err: ErrMismatch},
		"overloaded":   {err: OverloadedError{After: time.Second}},
		"error":        {result: outdated, err: errors.New("broken"), hash: made},
		"upgrade":      {result: outdated, hash: made, hashes: 1, saves: 1},
		"slowly":       {result: outdated, hash: slowly, hashes: 1, saves: 1},
		"no save":      {result: outdated, hash: made, nosave: true},
		"hash refused": {result: outdated, hash: func(context.Context) (string, error) { return "", ErrClosed }, hashes: 1},
		"hash hangs":   {result: outdated, hash: never, hashes: 1},
		"save fails": {result: outdated, hash: made, hashes: 1, saves: 1, log: "disk full",
			save: func(context.Context) (bool, error) { return false, errors.New("disk full") }},
		"save hangs": {result: outdated, hash: made, hashes: 1, saves: 1, log: "deadline exceeded",
			save: func(ctx context.Context) (bool, error) { <-ctx.Done(); return false, ctx.Err() }},
		"save panics": {result: outdated, hash: made, hashes: 1, saves: 1, log: "out of range",
			save: func(context.Context) (bool, error) { panic("out of range") }},
		"another is stored": {result: outdated, hash: made, hashes: 1, saves: 1,
			save: func(context.Context) (bool, error) { return false, nil }},
	} {
		t.Run(name, func(t *testing.T) {
			log := new(bytes.Buffer)
			defer slog.SetDefault(slog.Default())
			slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))

			synctest.Test(t, func(t *testing.T) {
				v := &scripted{result: c.result, err: c.err, hash: c.hash}
				saves := 0
				save := func(ctx context.Context, old, new string) (bool, error) {
					saves++

					deadline, ok := ctx.Deadline()
					hasTime := ok && time.Until(deadline) <= upgradeTime
					if old != "old" || new != "new" || ctx.Value(key{}) != "value" || ctx.Err() != nil || !hasTime {
						t.Errorf("save(%q, %q), context %v", old, new, ctx)
					}
					if bytes.Contains(v.given, []byte("word")) {
						t.Errorf("%q is left of the password", v.given)
					}

					if c.save != nil {
						return c.save(ctx)
					}
					return true, nil
				}
				if c.nosave {
					save = nil
				}

				ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
				given := []byte("password")

				began := time.Now()
				result, err := SignIn(ctx, v, Login{Principal: "p"}, given, "old", save)
				if result != c.result || err != c.err || time.Since(began) != 0 {
					t.Errorf("%+v, %v, after %v", result, err, time.Since(began))
				}

				cancel() // the request is over, and its caller wipes what it has
				clear(given)
				synctest.Wait()
				time.Sleep(upgradeTime)
				synctest.Wait()

				if got := int(v.hashed.Load()); got != c.hashes || saves != c.saves {
					t.Errorf("%d hashes, %d saves; want %d, %d", got, saves, c.hashes, c.saves)
				}
				if c.hashes > 0 && (v.contents != "password" || v.login != Login{Principal: "p", Upgrade: true}) {
					t.Errorf("Hash got %q for %+v", v.contents, v.login)
				}
				if bytes.Contains(v.given, []byte("word")) {
					t.Errorf("%q is left of the password", v.given)
				}
			})

			got := log.String()
			isLogged := got != ""
			if isLogged != (c.log != "") || !strings.Contains(got, c.log) || strings.Contains(got, "password=") {
				t.Errorf("the log has %q; want %q", got, c.log)
			}
		})
	}
}

// asked is a Verifier before a pool, as accountlimit's.
type asked struct{ Verifier }

// Close returns when what it hashed is saved, or its context is done.
func TestCloseWaitsForUpgrades(t *testing.T) {
	stored := must(Hash(cheapest, []byte("right")))(t)
	for _, within := range []time.Duration{5 * time.Second, 500 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			pool := must(NewPool(Options{Policy: Policy{Algorithm: Bcrypt, Cost: 5}, MaxWait: time.Hour}))(t)
			var saved atomic.Bool
			began := make(chan struct{})
			save := func(context.Context, string, string) (bool, error) {
				close(began)
				time.Sleep(time.Second)
				saved.Store(true)
				return true, nil
			}
			must(SignIn(t.Context(), asked{pool}, Login{}, "right", stored, save))(t)

			<-began
			ctx, cancel := context.WithTimeout(t.Context(), within)
			defer cancel()
			if err := pool.Close(ctx); (err == nil) != (within > time.Second) || errors.Is(err, context.DeadlineExceeded) == saved.Load() {
				t.Errorf("Close within %v: %v; saved: %v", within, err, saved.Load())
			}
			time.Sleep(upgradeTime)
		})
	}
}
