// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package verifiertest is one test for each password.Verifier: what a password.Pool answers, its
// remote clients answer too. It is not for programs.
package verifiertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/password"
)

// A Maker returns a Verifier of a new pool with these options, and the pool. Both last as long as
// the test.
type Maker func(t *testing.T, o password.Options) (password.Verifier, *password.Pool)

// Run tests the Verifiers that a Maker makes.
func Run(t *testing.T, maker Maker) {
	t.Run("round trips", func(t *testing.T) { roundTrips(t, maker) })
	t.Run("results", func(t *testing.T) { results(t, maker) })
	t.Run("errors", func(t *testing.T) { refusals(t, maker) })
	t.Run("principals", func(t *testing.T) { principals(t, maker) })
	t.Run("upgrades", func(t *testing.T) { upgrades(t, maker) })
	t.Run("deadline", func(t *testing.T) { deadline(t, maker) })
	t.Run("cancel", func(t *testing.T) { cancel(t, maker) })
	t.Run("many at once", func(t *testing.T) { manyAtOnce(t, maker) })
	t.Run("closed", func(t *testing.T) { closed(t, maker) })
}

// Patience is longer than a pool ever expects a test's call to take: on a busy machine it expects a
// slow hash to take minutes, and refuses those that have less.
const Patience = time.Hour

// Patient returns o with the cheapest policy, if it has none, and with time for a slow machine.
func Patient(o password.Options) password.Options {
	if o.Policy.Algorithm == 0 {
		o.Policy.Algorithm, o.Policy.Cost = password.Bcrypt, 4 // the cheapest: 1 ms
	}
	if o.MaxWait == 0 {
		o.MaxWait = Patience
	}
	return o
}

// slow is a stored hash that nobody has waited for: a bcrypt of cost 15 takes 2 s.
const slow = "$2b$15$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a"

var login = password.Login{Principal: "192.0.2.1"}

func peppered(t *testing.T) *password.KeyRing {
	t.Helper()
	keys, err := password.NewKeyRing(password.Key{ID: "test", Secret: bytes.Repeat([]byte{7}, 32)})
	require.NoError(t, err)
	return keys
}

// Every byte of a password counts, whatever it is, and the caller's copy stays as it was.
func roundTrips(t *testing.T, maker Maker) {
	v, _ := maker(t, password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4, Keys: peppered(t)}})
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, secret := range [][]byte{
		[]byte("a"), {0}, []byte("\xff\xfe not UTF-8"), []byte("\"}\\u0000\n"), []byte("pässwörd 😀"), all, bytes.Repeat([]byte("\xff"), 1024),
	} {
		before := bytes.Clone(secret)
		stored, err := v.Hash(t.Context(), login, secret)
		if err != nil {
			t.Errorf("Hash(%.20q): %v", secret, err)
			continue
		}
		if got, err := v.Verify(t.Context(), login, secret, stored); err != nil || got != (password.Result{}) {
			t.Errorf("Verify(%.20q) = %+v, %v", secret, got, err)
		}
		if !bytes.Equal(secret, before) {
			t.Errorf("%.20q has become %.20q", before, secret)
		}
		wrong := bytes.Clone(secret)
		wrong[len(wrong)-1] ^= 1
		if got, err := v.Verify(t.Context(), login, wrong, stored); err != password.ErrMismatch || got != (password.Result{}) {
			t.Errorf("Verify(%.20q) of another password: %+v, %v; want ErrMismatch itself", wrong, got, err)
		}
	}
}

func results(t *testing.T, maker Maker) {
	bcrypt := func(cost int) password.Policy { return password.Policy{Algorithm: password.Bcrypt, Cost: cost} }
	v, _ := maker(t, password.Options{Policy: bcrypt(5)})
	long := bytes.Repeat([]byte("x"), 80)
	for name, c := range map[string]struct {
		policy password.Policy // of the stored hash; none: an unknown user
		secret []byte
		want   password.Result
		err    error
	}{
		"of the policy":                 {policy: bcrypt(5), secret: long[:72]},
		"of a cheaper one":              {policy: password.Policy{Algorithm: password.PBKDF2SHA256, Iterations: 10}, secret: long[:72], want: password.Result{NeedsRehash: true}},
		"of a cheaper one, perhaps cut": {policy: bcrypt(4), secret: long[:72]},
		"truncated":                     {policy: bcrypt(5), secret: long, want: password.Result{Truncated: true}},
		"unknown user":                  {secret: long, err: password.ErrMismatch},
		"empty password":                {policy: bcrypt(5), err: password.ErrMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			stored := ""
			if c.policy.Algorithm != 0 {
				var err error
				if stored, err = password.Hash(c.policy, long[:72]); err != nil {
					t.Fatal(err)
				}
			}

			got, err := v.Verify(t.Context(), login, c.secret, stored)
			if got != c.want || !errors.Is(err, c.err) {
				t.Errorf("%+v, %v; want %+v, %v", got, err, c.want, c.err)
			}
			if notBegun := errors.Is(err, password.ErrNotBegun); notBegun != (len(c.secret) == 0) {
				t.Errorf("not begun: %v", notBegun)
			}
		})
	}
}

// What can't be served is refused with the package's errors, whose text holds no secret.
func refusals(t *testing.T, maker Maker) {
	v, _ := maker(t, password.Options{Memory: 1 << 20})
	fine, err := password.Hash(password.Policy{Algorithm: password.Bcrypt, Cost: 4}, []byte("s3cret"))
	require.NoError(t, err)
	key, err := password.Hash(password.Policy{Algorithm: password.Bcrypt, Cost: 4, Keys: peppered(t)}, []byte("s3cret"))
	require.NoError(t, err)
	const salt = "MDEyMzQ1Njc4OWFiY2RlZg$gAwJW5vx5itn2V9KHlEUjyUCrpDYgKyQf0gMaHGx1h4"
	for name, c := range map[string]struct {
		secret, stored string
		want           error
	}{
		"no hash":                  {secret: "s3cret", stored: "plain text", want: password.ErrMalformed},
		"a hash of 10 MB":          {secret: "s3cret", stored: strings.Repeat(fine, 170_000), want: password.ErrMalformed},
		"a hash that is not UTF-8": {secret: "s3cret", stored: "\xff" + fine, want: password.ErrMalformed},
		"no password, and a hash that is not UTF-8": {stored: "\xff" + fine, want: password.ErrMismatch},
		"bcrypt of cost 31":                         {secret: "s3cret", stored: "$2b$31$" + fine[7:], want: password.ErrCost},
		"argon2id of 1 TiB":                         {secret: "s3cret", stored: "$argon2id$v=19$m=1073741824,t=1,p=1$" + salt, want: password.ErrCost},
		"argon2id above the pool's memory":          {secret: "s3cret", stored: "$argon2id$v=19$m=2048,t=1,p=1$" + salt, want: password.ErrCost},
		"a key that is not there":                   {secret: "s3cret", stored: key, want: password.ErrKey},
		"a password of 1025 bytes":                  {secret: strings.Repeat("s3cret7", 147)[:1025], stored: fine, want: password.ErrTooLong},
		"a password of 1 MB":                        {secret: strings.Repeat("s3cret", 170_000), stored: fine, want: password.ErrTooLong},
	} {
		t.Run("Verify: "+name, func(t *testing.T) {
			got, err := v.Verify(t.Context(), login, []byte(c.secret), c.stored)
			if !errors.Is(err, c.want) || !errors.Is(err, password.ErrNotBegun) || got != (password.Result{}) {
				t.Errorf("%+v, %v; want %v", got, err, c.want)
			}
			quiet(t, err, fine)
		})
	}
	for name, c := range map[string]struct {
		secret string
		want   error
	}{
		"no password":            {secret: "", want: password.ErrEmpty},
		"a password with NUL":    {secret: "s3cret\x00", want: password.ErrNUL},
		"a password of 73 bytes": {secret: strings.Repeat("s3cret7", 11)[:73], want: password.ErrTooLong},
		"a password of 1 MB":     {secret: strings.Repeat("s3cret", 170_000), want: password.ErrTooLong},
	} {
		t.Run("Hash: "+name, func(t *testing.T) {
			got, err := v.Hash(t.Context(), login, []byte(c.secret))
			if !errors.Is(err, c.want) || !errors.Is(err, password.ErrNotBegun) || got != "" {
				t.Errorf("%q, %v; want %v", got, err, c.want)
			}
			quiet(t, err, fine)
		})
	}
}

// quiet fails the test if an error's text is long, or reveals the password or the hash.
func quiet(t *testing.T, err error, stored string) {
	t.Helper()
	if err == nil {
		return
	}
	text := err.Error()
	if len(text) > 500 || strings.ContainsAny(text, "\n\r") {
		t.Errorf("the error is no short line: %.1000q", text)
	}
	if strings.Contains(text, "s3cret") || strings.Contains(text, stored[20:]) {
		t.Errorf("the error reveals a secret: %.1000q", text)
	}
}

// A principal is any string.
func principals(t *testing.T, maker Maker) {
	v, _ := maker(t, password.Options{})
	for _, name := range []string{"", "192.0.2.1", "\xff\x00", "\"}", strings.Repeat("x", 256), strings.Repeat("x", 1<<20)} {
		if _, err := v.Verify(t.Context(), password.Login{Principal: name}, []byte("a"), ""); err != password.ErrMismatch {
			t.Errorf("principal %.20q: %v; want ErrMismatch", name, err)
		}
	}
}

// Upgrades arrive as such.
func upgrades(t *testing.T, maker Maker) {
	v, pool := maker(t, password.Options{})
	for _, upgrade := range []bool{false, true, true} {
		if _, err := v.Hash(t.Context(), password.Login{Upgrade: upgrade}, []byte("a")); err != nil {
			t.Errorf("upgrade %v: %v", upgrade, err)
		}
	}
	s := pool.Stats()
	if a, b := s.SignIns.Of(password.OutcomeHashed), s.Upgrades.Of(password.OutcomeHashed); a != 1 || b != 2 {
		t.Errorf("a sign-in and 2 upgrades arrived as %d and %d", a, b)
	}
}

// A call that can't be answered before its deadline ends by then, or at once if its context is
// done.
func deadline(t *testing.T, maker Maker) {
	v, _ := maker(t, password.Options{Workers: 1})
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer stop()
	_, err := v.Verify(ctx, login, []byte("a"), slow)
	if _, overloaded := errors.AsType[password.OverloadedError](err); !overloaded && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("30 ms for a bcrypt of cost 15: %v; want OverloadedError or context.DeadlineExceeded", err)
	}
	<-ctx.Done()
	if err := v.Ready(ctx, login); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, password.ErrNotBegun) {
		t.Errorf("Ready after the deadline: %v; want context.DeadlineExceeded and ErrNotBegun", err)
	}
	if _, err := v.Verify(ctx, login, []byte("a"), ""); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, password.ErrNotBegun) {
		t.Errorf("a deadline that has passed: %v; want context.DeadlineExceeded and ErrNotBegun", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Hash(gone, login, []byte("a")); !errors.Is(err, context.Canceled) || !errors.Is(err, password.ErrNotBegun) {
		t.Errorf("a context that is canceled: %v; want context.Canceled and ErrNotBegun", err)
	}
}

// A call that is canceled gives up its place, running or waiting. The one that runs has begun.
func cancel(t *testing.T, maker Maker) {
	v, pool := maker(t, password.Options{Workers: 1})
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var begun atomic.Int64
	for i := range 3 {
		wg.Go(func() {
			_, err := v.Verify(ctx, password.Login{Principal: fmt.Sprint(i)}, []byte("a"), slow)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("canceled: %v; want context.Canceled", err)
			}
			if !errors.Is(err, password.ErrNotBegun) {
				begun.Add(1)
			}
		})
	}
	until(t, "one runs", func(s password.Calls) bool { return s.Running > 0 }, pool)
	stop()
	wg.Wait()
	if begun.Load() == 0 {
		t.Error("the call that ran was canceled with ErrNotBegun")
	}
	until(t, "all have given up their places", func(s password.Calls) bool {
		return s.Running == 0 && s.Queued == 0
	}, pool)
	if _, err := v.Verify(t.Context(), login, []byte("a"), ""); err != password.ErrMismatch {
		t.Errorf("afterwards: %v; want ErrMismatch", err)
	}
}

// until waits until the pool's sign-ins are as wanted, for at most a minute.
func until(t *testing.T, what string, wanted func(password.Calls) bool, pool *password.Pool) {
	t.Helper()
	end := time.Now().Add(time.Minute)
	for {
		s := pool.Stats().SignIns
		if wanted(s) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("a minute, and not yet: %s: %d run, %d wait", what, s.Running, s.Queued)
		}
		time.Sleep(time.Millisecond)
	}
}

// Answers go to the calls that they belong to.
func manyAtOnce(t *testing.T, maker Maker) {
	v, _ := maker(t, password.Options{})
	stored := map[string]string{}
	for _, secret := range []string{"a", "b", "c", "d"} {
		var err error
		if stored[secret], err = v.Hash(t.Context(), login, []byte(secret)); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for of, hash := range stored {
		for secret := range stored {
			for range 4 {
				wg.Go(func() {
					_, err := v.Verify(t.Context(), password.Login{Principal: secret}, []byte(secret), hash)
					if (err == nil) != (secret == of) || err != nil && err != password.ErrMismatch {
						t.Errorf("%q against a hash of %q: %v", secret, of, err)
					}
				})
			}
		}
	}
	wg.Wait()
}

// A pool that is closed says so, and so does a Verifier that is.
func closed(t *testing.T, maker Maker) {
	v, pool := maker(t, password.Options{})
	if err := v.Ready(t.Context(), login); err != nil {
		t.Errorf("Ready of one that nobody uses: %v", err)
	}
	require.NoError(t, pool.Close(t.Context()))
	if _, err := v.Verify(t.Context(), login, []byte("a"), ""); !errors.Is(err, password.ErrClosed) || !errors.Is(err, password.ErrNotBegun) {
		t.Errorf("the pool is closed: %v; want ErrClosed and ErrNotBegun", err)
	}
	if _, err := v.Hash(t.Context(), login, []byte("a")); !errors.Is(err, password.ErrClosed) {
		t.Errorf("the pool is closed: %v; want ErrClosed", err)
	}
	c, ok := v.(interface{ Close(context.Context) error })
	if !ok {
		return
	}
	for range 2 {
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if err := v.Ready(t.Context(), login); !errors.Is(err, password.ErrClosed) || !errors.Is(err, password.ErrNotBegun) {
		t.Errorf("Ready of one that is closed: %v; want ErrClosed and ErrNotBegun", err)
	}
	if _, err := v.Verify(t.Context(), login, []byte("a"), ""); !errors.Is(err, password.ErrClosed) || !errors.Is(err, password.ErrNotBegun) {
		t.Errorf("closed: %v; want ErrClosed and ErrNotBegun", err)
	}
}
