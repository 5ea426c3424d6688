// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package accountlimit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
)

func newLimiter(t *testing.T, o Options) *Limiter {
	t.Helper()
	l, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// guess tries one wrong password.
func guess(l *Limiter, account, client string) error {
	a, err := l.Begin(account, client)
	if err == nil {
		a.End(password.ErrMismatch)
	}
	return err
}

// guesses tries wrong passwords until one is refused, and returns how many were not.
func guesses(l *Limiter, account string, client func(int) string) (n int) {
	for guess(l, account, client(n)) == nil {
		n++
	}
	return n
}

func one(int) string      { return "192.0.2.1" }
func botnet(i int) string { return fmt.Sprint("bot ", i) }
func signIn(l *Limiter, account, client string) error {
	a, err := l.Begin(account, client)
	if err == nil {
		a.End(nil)
	}
	return err
}

// The defaults let a day's guessers have as many as the documentation says.
func TestGuessesOfADay(t *testing.T) {
	for name, c := range map[string]struct {
		known       bool
		client      func(int) string
		atOnce, all int
	}{
		"a botnet":       {client: botnet, atOnce: 100, all: 100 + 96},
		"one client":     {client: one, atOnce: 10, all: 100 + 96}, // the account's limit is reached first
		"a known client": {client: one, known: true, atOnce: 10, all: 10 + 240},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLimiter(t, Options{})
				if c.known {
					l.Trust("ada", one(0))
				}
				total := guesses(l, "ada", c.client)
				if total != c.atOnce {
					t.Errorf("%d guesses at once; want %d", total, c.atOnce)
				}
				for range 24 * 60 {
					time.Sleep(time.Minute)
					total += guesses(l, "ada", func(i int) string { return c.client(total + i) })
				}
				if total > c.all || total < c.all-1 {
					t.Errorf("%d guesses in a day; want %d", total, c.all)
				}
			})
		})
	}
}

// While a botnet guesses, the owner signs in from where he did before, as often as he likes; from
// elsewhere he is told when.
func TestOwnerSignsInWhileOthersGuess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, Options{})
		if err := signIn(l, "ada", "home"); err != nil {
			t.Fatal(err)
		}

		for day := range 29 {
			guesses(l, "ada", botnet)
			for range 20 {
				if err := signIn(l, "ada", "home"); err != nil {
					t.Fatalf("day %d: %v", day, err)
				}
			}
			for range 9 { // a forgotten password, then the right one
				guess(l, "ada", "home")
			}
			if err := signIn(l, "ada", "home"); err != nil {
				t.Fatalf("day %d, after 9 wrong ones: %v", day, err)
			}
			time.Sleep(24 * time.Hour)
		}
		guesses(l, "ada", botnet)

		limited, ok := errors.AsType[LimitedError](signIn(l, "ada", "abroad"))
		if !ok || limited.After <= 0 || limited.After > 15*time.Minute {
			t.Errorf("from abroad: %v; want a LimitedError of at most 15 minutes", limited)
		}
		time.Sleep(limited.After)
		if err := signIn(l, "ada", "abroad"); err != nil {
			t.Errorf("after the time that was named: %v", err)
		}

		l.Trust("ada", "mail")
		guesses(l, "ada", botnet)
		if err := signIn(l, "ada", "mail"); err != nil {
			t.Errorf("with a link by mail: %v", err)
		}

		time.Sleep(31 * 24 * time.Hour)
		guesses(l, "ada", botnet)
		if err := signIn(l, "ada", "home"); err == nil {
			t.Error("a client is known after 31 days")
		}
	})
}

// Whoever guesses behind the owner's address has ten guesses more with one sign-in of the owner's a
// day, not with each.
func TestForgivesOnceADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, Options{})
		for day := range 2 {
			for i, want := range []int{10, 1} { // that are left after a sign-in
				for range 9 {
					guess(l, "ada", "home")
				}
				if err := signIn(l, "ada", "home"); err != nil {
					t.Fatalf("day %d, sign-in %d: %v", day, i, err)
				}
				if left := guesses(l, "ada", func(int) string { return "home" }); left != want {
					t.Errorf("day %d: %d guesses after sign-in %d; want %d", day, left, i, want)
				}
				time.Sleep(time.Hour) // ten guesses refill
			}
			time.Sleep(24 * time.Hour)
		}
	})
}

// One client can't use up the account's guesses for all others, nor know a client of another
// account; an attempt ends once.
func TestClientsAreApart(t *testing.T) {
	l := newLimiter(t, Options{})
	guesses(l, "ada", one)
	a, err := l.Begin("ada", "elsewhere")
	if err != nil {
		t.Fatalf("one client's guesses refuse another: %v", err)
	}

	a.End(password.ErrMismatch)
	a.End(nil)
	guesses(l, "ada", botnet)
	if err := signIn(l, "ada", "elsewhere"); err == nil {
		t.Error("a second End has made a client known")
	}

	if err := signIn(l, "bob", one(0)); err != nil {
		t.Errorf("guesses at one account refuse another: %v", err)
	}
	if err := signIn(l, "ada", one(0)); err == nil {
		t.Error("a sign-in to another account has reset the limit")
	}
	if l.id("ada", "bc") == l.id("adab", "c") {
		t.Error("account and client can be divided otherwise")
	}
}

// A fake answers with an error.
type fake struct {
	password.Verifier
	err error
}

func (f fake) Verify(context.Context, password.Login, []byte, string) (password.Result, error) {
	return password.Result{NeedsRehash: f.err == nil}, f.err
}
func (f fake) Hash(context.Context, password.Login, []byte) (string, error) { return "made", nil }

// What has begun, or may have, counts, whatever it ends with, unless the password was right.
func TestFor(t *testing.T) {
	overloaded := password.OverloadedError{After: time.Second}
	counted := []error{
		password.ErrMismatch, fmt.Errorf("remote: %w", password.ErrMismatch), overloaded, context.DeadlineExceeded,
		context.Canceled, password.ErrClosed, errors.New("lost"),
	}
	free := []error{nil}
	for _, err := range append(counted, password.ErrMalformed) {
		free = append(free, errors.Join(err, password.ErrNotBegun))
	}

	counts := func(t *testing.T, verified error, known bool) bool {
		l := newLimiter(t, Options{Account: Rate{20, time.Hour}, Client: Rate{10, time.Hour}})
		v := l.For(fake{err: verified}, "ada")
		login := password.Login{Principal: "192.0.2.1"}
		if known {
			l.Trust("ada", login.Principal)
		}
		for i := range 10 {
			result, err := v.Verify(t.Context(), login, []byte("s"), "stored")
			if err != verified || result.NeedsRehash != (verified == nil) {
				t.Fatalf("call %d: %+v, %v; want the Verifier's %v", i, result, err, verified)
			}
		}

		_, err := v.Verify(t.Context(), login, []byte("s"), "stored")
		_, limited := errors.AsType[LimitedError](err)
		return limited
	}
	for _, known := range []bool{false, true} {
		t.Run(fmt.Sprint("known: ", known), func(t *testing.T) {
			for _, err := range counted {
				if !counts(t, err, known) {
					t.Errorf("%v does not count", err)
				}
			}
			for _, err := range free {
				if counts(t, err, known) {
					t.Errorf("%v counts", err)
				}
			}
		})
	}
}

// full returns when a bucket with failures at these times is full again.
func full(rate Rate, failures []time.Duration) (full time.Duration) {
	for _, at := range failures {
		full = max(full, at) + rate.Every
	}
	return full
}

// searchTable plays guesses, sign-ins and calls that come to nothing for some accounts on eight
// buckets a row, and returns the first guess that an exact count for each account would have
// refused.
func searchTable(t *testing.T, seed uint64, accounts int) (wrong string) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 23))
		rate := Rate{3, time.Minute}
		l := newLimiter(t, Options{Account: rate, Client: Rate{1 << 20, 1}, Entries: 8})

		exact := map[string][]time.Duration{}
		type pending struct {
			attempt *Attempt
			account string
			begun   time.Duration
		}
		var waiting []pending
		for i := range 400 {
			account := fmt.Sprint("account ", rng.IntN(accounts))
			if rng.IntN(3) > 0 {
				account = "account 0" // the one that is attacked
			}

			now := time.Since(l.start)
			switch rng.IntN(8) {
			case 0:
				time.Sleep(time.Duration(rng.Int64N(int64(time.Minute))))
			case 1, 2: // one of those that wait ends
				if len(waiting) == 0 {
					continue
				}
				p := waiting[0]
				waiting = waiting[1:]
				err := []error{password.ErrMismatch, password.ErrNotBegun, nil}[rng.IntN(3)]
				if err != password.ErrMismatch {
					at := slices.Index(exact[p.account], p.begun)
					exact[p.account] = slices.Delete(exact[p.account], at, at+1)
				}
				p.attempt.End(err)
			default:
				a, err := l.Begin(account, fmt.Sprint("client ", i)) // never a known one
				if err != nil {
					continue
				}
				exact[account] = append(exact[account], now)
				waiting = append(waiting, pending{a, account, now})
				if full(rate, exact[account])-now > 3*rate.Every {
					wrong = fmt.Sprintf("step %d: %s has a failure too many", i, account)
					return
				}
			}
		}
	})
	return wrong
}

// No account ever has more guesses than its limit, however many others there are.
func TestNothingIsForgotten(t *testing.T) {
	for seed := range uint64(150) {
		for _, accounts := range []int{8, 12, 40} {
			if wrong := searchTable(t, seed, accounts); wrong != "" {
				t.Fatalf("seed %d, %d accounts: %s", seed, accounts, wrong)
			}
		}
	}
}

// A spray of more names than there are places refuses no stranger and no known client, and has no
// account forgotten.
func TestMillionNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, Options{})
		l.Trust("ada", "home")
		guesses(l, "ada", botnet)

		for i := range 300_000 {
			if err := guess(l, fmt.Sprint("name ", i), botnet(i)); err != nil {
				t.Fatalf("name %d: %v", i, err)
			}
		}

		if n := guesses(l, "ada", botnet); n > 0 {
			t.Errorf("%d guesses more", n)
		}
		if err := signIn(l, "ada", "home"); err != nil {
			t.Errorf("the owner: %v", err)
		}
		if err := signIn(l, "a stranger", "anywhere"); err != nil {
			t.Errorf("a stranger: %v", err)
		}
	})
}

// Whoever has no right password can't make a client unknown; who has, those that were signed in
// longest ago.
func TestSprayLeavesKnownClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, Options{Entries: ways / 2}) // one set of clients
		for i := range ways {
			l.Trust("ada", fmt.Sprint("home ", i))
			time.Sleep(time.Hour)
		}

		for i := range 100 {
			guess(l, fmt.Sprint("name ", i), botnet(i))
		}
		guesses(l, "ada", botnet)
		for i := range ways {
			if err := signIn(l, "ada", fmt.Sprint("home ", i)); err != nil {
				t.Errorf("home %d: %v", i, err)
			}
			time.Sleep(time.Minute)
		}

		l.Trust("ada", "new")
		guesses(l, "ada", botnet)
		for home, known := range map[string]bool{"home 0": false, "home 1": true, "new": true} {
			if err := signIn(l, "ada", home); (err == nil) != known {
				t.Errorf("%s: %v; known: %v", home, err, known)
			}
		}
	})
}
