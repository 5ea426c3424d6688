// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package accountlimit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
)

func newLimiter(t testing.TB, o Options) *Limiter {
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
	for _, c := range []struct {
		name         string
		client       func(int) string
		atOnce, aDay int
	}{
		{"a botnet", botnet, 100, 96},
		{"one client", one, 10, 90}, // 240 a day, but the account's limit is reached first
	} {
		synctest.Test(t, func(t *testing.T) {
			l := newLimiter(t, Options{})
			total := guesses(l, "ada", c.client)
			if total != c.atOnce {
				t.Errorf("%s has %d guesses at once; want %d", c.name, total, c.atOnce)
			}
			for range 24 * 60 {
				time.Sleep(time.Minute)
				total += guesses(l, "ada", func(i int) string { return c.client(total + i) })
			}
			if c.name == "a botnet" && total-c.atOnce != c.aDay {
				t.Errorf("%s has %d guesses in the day after; want %d", c.name, total-c.atOnce, c.aDay)
			}
			if total > 100+96 {
				t.Errorf("%s has %d guesses in all; want at most 196", c.name, total)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // a known client has the client's limit alone
		l := newLimiter(t, Options{})
		l.Trust("ada", one(0))
		total := 0
		for range 24*60 + 1 {
			total += guesses(l, "ada", one)
			time.Sleep(time.Minute)
		}
		if total != 10+240 {
			t.Errorf("a known client has %d guesses in a day; want 250", total)
		}
	})
}

// Who guesses behind the owner's address has no more guesses for it that the owner signs in all day, but for what one
// sign-in a day forgives.
func TestGuessesBehindTheOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, Options{})
		l.Trust("ada", one(0))
		signedIn, total := 0, 0
		for day := 1; day <= 3; day++ {
			for range 24 * 60 * 2 {
				if signIn(l, "ada", one(0)) == nil {
					signedIn++
				}
				for range 9 { // so that the owner's next one is let in
					if guess(l, "ada", one(0)) == nil {
						total++
					}
				}
				time.Sleep(30 * time.Second)
			}
			if most := 10 + day*250; total > most {
				t.Errorf("%d guesses in %d days, beside %d sign-ins; want at most %d", total, day, signedIn, most)
			}
		}
	})
}

// While a botnet guesses, the owner signs in from where he did before, as often as he likes; from elsewhere he is told when.
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

// One client can't use up the account's guesses for all others, nor know a client of another account.
func TestClientsAreApart(t *testing.T) {
	l := newLimiter(t, Options{})
	guesses(l, "ada", one)
	if err := signIn(l, "ada", "elsewhere"); err != nil {
		t.Errorf("one client's guesses refuse another: %v", err)
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

// Guesses that come together are no more than those that come one by one.
func TestManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, Options{})
		var admitted atomic.Int64
		var all sync.WaitGroup
		for i := range 1000 {
			all.Go(func() {
				if a, err := l.Begin("ada", botnet(i)); err == nil {
					admitted.Add(1)
					time.Sleep(time.Second) // its hash
					a.End(password.ErrMismatch)
				}
			})
		}
		all.Wait()
		if n := admitted.Load(); n != 100 {
			t.Errorf("%d of 1000 guesses at once were let in; want 100", n)
		}
	})
}

// A fake answers with an error.
type fake struct{ err error }

func (f fake) Verify(context.Context, password.Login, []byte, string) (password.Result, error) {
	return password.Result{NeedsRehash: f.err == nil}, f.err
}
func (f fake) Hash(context.Context, password.Login, []byte) (string, error) { return "made", nil }

// Only a mismatch counts, whatever else an attempt ends with.
func TestFor(t *testing.T) {
	for _, c := range []struct {
		err    error
		counts bool
	}{
		{nil, false}, {password.ErrMismatch, true}, {fmt.Errorf("remote: %w", password.ErrMismatch), true},
		{password.OverloadedError{After: time.Second}, false}, {context.DeadlineExceeded, false}, {context.Canceled, false},
		{password.ErrClosed, false}, {password.ErrMalformed, false}, {password.ErrTooLong, false},
	} {
		for _, known := range []bool{false, true} {
			l := newLimiter(t, Options{Account: Rate{20, time.Hour}, Client: Rate{10, time.Hour}})
			v := l.For(fake{c.err}, "ada")
			login := password.Login{Principal: "192.0.2.1"}
			if known {
				l.Trust("ada", login.Principal)
			}
			var err error
			for i := range 10 {
				var result password.Result
				if result, err = v.Verify(t.Context(), login, []byte("s"), "stored"); err != c.err || result.NeedsRehash != (c.err == nil) {
					t.Fatalf("call %d: %+v, %v; want the Verifier's %v", i, result, err, c.err)
				}
			}
			_, err = v.Verify(t.Context(), login, []byte("s"), "stored")
			if _, limited := errors.AsType[LimitedError](err); limited != c.counts {
				t.Errorf("after 10 times %v from a client that is known, %v: %v", c.err, known, err)
			}
			if hash, err := v.Hash(t.Context(), login, []byte("s")); hash != "made" || err != nil {
				t.Errorf("Hash: %q, %v", hash, err)
			}
		}
	}
}

// What costs no hash counts nothing: empty passwords, however many, keep no owner out.
func TestEmptyPasswords(t *testing.T) {
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := pool.Hash(t.Context(), password.Login{}, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	v := newLimiter(t, Options{}).For(pool, "ada")
	for i := range 1000 {
		if _, err := v.Verify(t.Context(), password.Login{Principal: botnet(i)}, nil, stored); !errors.Is(err, password.ErrMismatch) {
			t.Fatalf("an empty password: %v", err)
		}
	}
	if _, err := v.Verify(t.Context(), password.Login{Principal: "192.0.2.1"}, []byte("right"), stored); err != nil {
		t.Errorf("after a thousand empty passwords, the owner: %v", err)
	}
}

// A guesser's limit is not the server's overload, which balancers act on.
func TestLimitedError(t *testing.T) {
	if o, ok := errors.AsType[password.OverloadedError](LimitedError{90 * time.Second}); ok {
		t.Errorf("it is %v, too", o)
	}
	if e := (LimitedError{90 * time.Second}); e.RetryAfter() != e.After || e.Error() != "accountlimit: too many wrong passwords, retry after 1m30s" {
		t.Errorf("%v: %v", e.RetryAfter(), e)
	}
}

func TestEndTwice(t *testing.T) {
	l := newLimiter(t, Options{Account: Rate{1, time.Hour}})
	a, _ := l.Begin("ada", "x")
	a.End(password.ErrMismatch)
	a.End(nil)
	if err := guess(l, "ada", "y"); err == nil {
		t.Error("a second End took the failure back")
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{
		{Account: Rate{-1, time.Second}}, {Account: Rate{10, 0}}, {Client: Rate{0, time.Second}}, {Client: Rate{math.MaxInt, time.Hour}},
		{Known: -1}, {Entries: -1}, {Entries: maxEntries + 1},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// An exact account of failures, for each account: what a table without bounds would have.
type exact map[string]time.Duration

// searchTable plays guesses, sign-ins and calls that come to nothing on a table of eight places, for more accounts than that,
// and returns the first guess that the exact account would have refused.
func searchTable(t *testing.T, seed uint64, accounts int) (wrong string) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 23))
		rate := Rate{3, time.Minute}
		l := newLimiter(t, Options{Account: rate, Client: Rate{1 << 20, 1}, Entries: 8})
		truth := exact{}
		type pending struct {
			attempt *Attempt
			account string
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
				if len(waiting) > 0 {
					p := waiting[0]
					waiting = waiting[1:]
					err := []error{password.ErrMismatch, password.ErrClosed, nil}[rng.IntN(3)]
					if err != password.ErrMismatch {
						truth[p.account] -= rate.Every
					}
					p.attempt.End(err)
				}
			default:
				a, err := l.Begin(account, fmt.Sprint("client ", i)) // never a known one
				room := rate.wait(truth[account], now) <= 0
				switch {
				case err == nil && !room:
					wrong = fmt.Sprintf("step %d: %s has a failure too many", i, account)
					return
				case err != nil && room && accounts <= ways:
					wrong = fmt.Sprintf("step %d: %s was refused with room left", i, account)
					return
				case err == nil:
					truth[account] = rate.charge(truth[account], now)
					waiting = append(waiting, pending{a, account})
				}
			}
		}
	})
	return wrong
}

// No account ever has more guesses than its limit, however many others there are, and exactly as many if the table holds all.
func TestTableNeverForgets(t *testing.T) {
	for seed := range uint64(150) {
		for _, accounts := range []int{8, 12, 40} {
			if wrong := searchTable(t, seed, accounts); wrong != "" {
				t.Fatalf("seed %d, %d accounts: %s", seed, accounts, wrong)
			}
		}
	}
}

// A spray of names makes the table no larger, refuses no stranger and no known client, and has no account forgotten.
func TestMillionNames(t *testing.T) {
	names := 300_000 // more than there are places
	if os.Getenv("FOUNT_LONG") != "" {
		names = 1_000_000
	}
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, Options{})
		l.Trust("ada", "home")
		guesses(l, "ada", botnet)
		places := &l.accounts.sets[0]
		for i := range names {
			if err := guess(l, fmt.Sprint("name ", i), botnet(i)); err != nil {
				t.Fatalf("name %d: %v", i, err)
			}
		}
		if &l.accounts.sets[0] != places || len(l.accounts.sets) != 1<<17/ways {
			t.Error("the table has grown")
		}
		if l.Stats().Displaced == 0 {
			t.Error("control: nobody was displaced")
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

// An attacker fills the table with names that have two failures each, so that every newcomer has fewest, and then displaces the
// account that he guesses after each guess. The account is refused all the same, as a newcomer inherits.
func TestFillingTheTableResetsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, Options{Entries: 128})
		next := 0
		spray := func(names, times int) {
			for range names {
				next++
				for i := range times {
					guess(l, fmt.Sprint("name ", next), botnet(i))
				}
			}
		}
		spray(2000, 2)
		guessed := 0
		for i := range 150 {
			if guess(l, "ada", botnet(i)) == nil {
				guessed++
			}
			spray(100, 1) // some for each of 16 sets
		}
		if guessed > 100 {
			t.Errorf("%d guesses", guessed)
		}
	})
}

// Whoever has no right password can't make a client unknown.
func TestSprayLeavesKnownClients(t *testing.T) {
	l := newLimiter(t, Options{Entries: 8})
	for i := range ways {
		l.Trust("ada", fmt.Sprint("home ", i))
	}
	for i := range 10_000 {
		guess(l, fmt.Sprint("name ", i), botnet(i))
	}
	for i := range ways {
		if l.known.find(l.id("ada", fmt.Sprint("home ", i)), time.Since(l.start)) == nil {
			t.Errorf("home %d is unknown", i)
		}
	}
	l.Trust("bob", "home")
	if l.known.find(l.id("bob", "home"), time.Since(l.start)) == nil {
		t.Error("the newest is unknown")
	}
	if l.known.find(l.id("ada", "home 0"), time.Since(l.start)) != nil {
		t.Error("the oldest is known, and there is no place for it")
	}
}

func BenchmarkBegin(b *testing.B) {
	l := newLimiter(b, Options{})
	b.ReportAllocs()
	for b.Loop() {
		a, err := l.Begin("ada", "192.0.2.1")
		if err != nil {
			b.Fatal(err)
		}
		a.End(password.ErrClosed)
	}
}
