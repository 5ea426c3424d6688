// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package redislimit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"fount"
	"fount/internal/test/require"
	"fount/internal/test/socketdir"
	"fount/password"
	"fount/password/accountlimit"
)

// A server is a real Redis that lasts as long as the test.
type server struct {
	client *redis.Client
	kill   func()
}

func start(t *testing.T) server {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		require.Skip(t, "redis", "there is no redis-server")
	}
	dir := socketdir.New(t)
	socket := filepath.Join(dir, "redis")
	cmd := exec.Command(path, "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "no", "--daemonize", "no")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for ready := false; !ready; {
		if !lines.Scan() {
			t.Fatalf("redis-server has ended before it was ready: %v", cmd.Wait())
		}
		ready = strings.Contains(lines.Text(), "ready to accept connections")
	}
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket, MaxRetries: -1})
	kill := sync.OnceFunc(func() {
		cmd.Process.Kill()
		for lines.Scan() { // until it has ended
		}
		cmd.Wait()
	})
	t.Cleanup(func() { client.Close(); kill() })
	return server{client, kill}
}

// patient is longer than a busy machine takes.
const patient = time.Minute

func newLimiter(t *testing.T, s server, o Options) *Limiter {
	t.Helper()
	if o.Key == nil {
		o.Key = []byte("0123456789abcdef")
	}
	if o.OnError == nil {
		o.OnError = func(err error) { t.Errorf("Redis: %v", err) }
	}
	if o.Timeout == 0 {
		o.Timeout = patient
	}
	l, err := New(s.client, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func guess(t *testing.T, l *Limiter, account, client string) error {
	a, err := l.Begin(t.Context(), account, client)
	if err == nil {
		a.End(password.ErrMismatch)
	}
	return err
}

// hourly refills too slowly for a test to see.
var hourly = accountlimit.Options{Account: accountlimit.Rate{Failures: 7, Every: time.Hour}, Client: accountlimit.Rate{Failures: 3, Every: time.Hour}}

// Redis and memory give the same answers to the same histories: two implementations, of the table and of the algorithm. One
// limit at a time, as what the other gives back is not all given back here (see giveBack).
func TestAsInMemory(t *testing.T) {
	s := start(t)
	for name, c := range map[string]struct {
		limits accountlimit.Options
		right  bool // passwords of unknown clients
	}{
		"account": {accountlimit.Options{Account: hourly.Account, Client: accountlimit.Rate{Failures: 1000, Every: time.Hour}}, false},
		"client":  {accountlimit.Options{Client: hourly.Client, Account: accountlimit.Rate{Failures: 1000, Every: time.Hour}}, true},
	} {
		refused := 0
		for seed := range uint64(20) {
			l := newLimiter(t, s, Options{Limits: c.limits, Prefix: fmt.Sprint(name, seed, ":")})
			memory, err := accountlimit.New(c.limits)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(seed, 23))
			for step := range 60 {
				account, client := fmt.Sprint("account ", rng.IntN(2)), fmt.Sprint("client ", rng.IntN(5))
				if rng.IntN(30) == 0 {
					memory.Trust(account, client)
					if err := l.Trust(t.Context(), account, client); err != nil {
						t.Fatal(err)
					}
				}
				mine, err := l.Begin(t.Context(), account, client)
				theirs, want := memory.Begin(account, client)
				if (err == nil) != (want == nil) {
					t.Fatalf("%s, seed %d, step %d: %v; in memory %v", name, seed, step, err, want)
				}
				if err != nil {
					refused++
					got, _ := errors.AsType[accountlimit.LimitedError](err)
					limit, _ := errors.AsType[accountlimit.LimitedError](want)
					if d := got.After - limit.After; d.Abs() > patient {
						t.Fatalf("%s, seed %d, step %d: %v; in memory %v", name, seed, step, err, want)
					}
					continue
				}
				outcome := password.ErrMismatch
				if rng.IntN(12) == 0 && (c.right || mine.known) {
					outcome = nil
				}
				mine.End(outcome)
				theirs.End(outcome)
			}
		}
		if refused == 0 {
			t.Errorf("%s: control: nothing was refused", name)
		}
	}
}

// Processes of a fleet count together, and guesses that come together are no more than those that come one by one.
func TestFleet(t *testing.T) {
	s := start(t)
	fleet := []*Limiter{newLimiter(t, s, Options{}), newLimiter(t, s, Options{}), newLimiter(t, s, Options{})}
	var admitted atomic.Int64
	var all sync.WaitGroup
	for i := range 300 {
		all.Go(func() {
			if guess(t, fleet[i%3], "ada", fmt.Sprint("bot ", i)) == nil {
				admitted.Add(1)
			}
		})
	}
	all.Wait()
	if n := admitted.Load(); n != 100 {
		t.Errorf("%d of 300 guesses were let in; want 100", n)
	}
	if err := fleet[0].Trust(t.Context(), "ada", "home"); err != nil {
		t.Fatal(err)
	}
	if _, err := fleet[1].Begin(t.Context(), "ada", "home"); err != nil {
		t.Errorf("the owner, known to another process: %v", err)
	}
	if err := guess(t, newLimiter(t, s, Options{Key: []byte("another key, another fleet")}), "ada", "x"); err != nil {
		t.Errorf("under another key: %v", err)
	}
}

// What was not answered counts only as long as redis_rate says: never more than one.
func TestWhatWasNotAnswered(t *testing.T) {
	l := newLimiter(t, start(t), Options{Limits: hourly})
	for i := range 20 {
		a, err := l.Begin(t.Context(), "ada", "client")
		if err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		a.End(password.OverloadedError{After: time.Second})
	}
	n := 0
	for guess(t, l, "ada", "client") == nil {
		n++
	}
	if n != 2 && n != 3 {
		t.Errorf("%d guesses after 20 calls that were not answered; want 3, or 2", n)
	}
}

// Without Redis each process limits by itself; the owner, who has signed in through this one, is known; errors are told.
func TestWithoutRedis(t *testing.T) {
	s := start(t)
	var told atomic.Int64
	l := newLimiter(t, s, Options{OnError: func(error) { told.Add(1) }})
	a, err := l.Begin(t.Context(), "ada", "home")
	if err != nil {
		t.Fatal(err)
	}
	a.End(nil)
	under, err := l.Begin(t.Context(), "ada", "home")
	if err != nil {
		t.Fatal(err)
	}
	s.kill()
	under.End(nil)
	if told.Load() == 0 {
		t.Error("nobody was told that Redis is gone")
	}
	n := 0
	for guess(t, l, "ada", fmt.Sprint("bot ", n)) == nil {
		n++
	}
	if n != 100 {
		t.Errorf("%d guesses without Redis; want 100", n)
	}
	if a, err = l.Begin(t.Context(), "ada", "home"); err != nil {
		t.Errorf("the owner: %v", err)
	} else {
		a.End(nil)
	}
	if err := l.Trust(t.Context(), "carol", "home"); err == nil {
		t.Error("Trust does not say that Redis is gone")
	}
	for i := range 100 {
		guess(t, l, "carol", fmt.Sprint("bot ", i))
	}
	if guess(t, l, "carol", "bot 100") == nil {
		t.Error("a guess more than the limit")
	}
	if _, err = l.Begin(t.Context(), "carol", "home"); err != nil {
		t.Errorf("another owner, who came by a link: %v", err)
	}
	if l.asksAt.Store(0); guess(t, l, "bob", "home") != nil || told.Load() < 2 {
		t.Errorf("after a second Redis was not asked again: %d errors", told.Load())
	}
}

// A Redis that is full has no answers.
func TestFullRedis(t *testing.T) {
	s := start(t)
	var told atomic.Int64
	l := newLimiter(t, s, Options{Limits: hourly, OnError: func(error) { told.Add(1) }})
	if err := s.client.ConfigSet(t.Context(), "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for guess(t, l, "ada", "client") == nil {
		n++
	}
	if n != 3 || told.Load() == 0 {
		t.Errorf("%d guesses, %d errors; want 3, some", n, told.Load())
	}
}

// Redis gets no name and no address, and everything in it ends.
func TestWhatRedisHolds(t *testing.T) {
	s := start(t)
	l := newLimiter(t, s, Options{})
	guess(t, l, "ada@example.com", "192.0.2.1")
	a, err := l.Begin(t.Context(), "ada@example.com", "198.51.100.7")
	if err != nil {
		t.Fatal(err)
	}
	a.End(nil)
	keys, err := s.client.Keys(t.Context(), "*").Result()
	if err != nil || len(keys) < 3 {
		t.Fatalf("keys %q, %v; want at least 3", keys, err)
	}
	for _, key := range keys {
		value, _ := s.client.Get(t.Context(), key).Result()
		if text := key + value; strings.Contains(text, "example") || strings.Contains(text, "192.0.2.1") || !strings.Contains(text, "fount:") {
			t.Errorf("%s: %s", key, value)
		}
		if ttl, err := s.client.TTL(t.Context(), key).Result(); err != nil || ttl <= 0 || ttl > 31*24*time.Hour {
			t.Errorf("%s lasts %v, %v", key, ttl, err)
		}
	}
}

type certain struct{ err error }

func (v certain) Verify(context.Context, password.Login, []byte, string) (password.Result, error) {
	return password.Result{Truncated: true}, v.err
}
func (certain) Hash(context.Context, password.Login, []byte) (string, error) { return "made", nil }

func TestFor(t *testing.T) {
	l := newLimiter(t, start(t), Options{Limits: hourly})
	login := password.Login{Principal: "192.0.2.1"}
	for range 3 {
		if _, err := l.For(certain{password.ErrMismatch}, "ada").Verify(t.Context(), login, nil, ""); err != password.ErrMismatch {
			t.Fatal(err)
		}
	}
	_, err := l.For(certain{}, "ada").Verify(t.Context(), login, nil, "")
	if _, ok := errors.AsType[accountlimit.LimitedError](err); !ok {
		t.Errorf("after 3 wrong ones: %v; want a LimitedError", err)
	}
	result, err := l.For(certain{}, "bob").Verify(t.Context(), login, nil, "")
	if err != nil || !result.Truncated {
		t.Errorf("%+v, %v", result, err)
	}
	if hash, err := l.For(certain{}, "bob").Hash(t.Context(), login, nil); hash != "made" || err != nil {
		t.Errorf("%q, %v", hash, err)
	}
}

func TestOptions(t *testing.T) {
	key := fount.Key()
	for _, o := range []Options{{}, {Key: key[:15]}, {Key: key[:], Timeout: -1}, {Key: key[:], Limits: accountlimit.Options{Known: -1}}} {
		if _, err := New(nil, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// Where the account has no room, the client's failure is given back, or all but one (see giveBack).
func TestRefusedByTheAccount(t *testing.T) {
	l := newLimiter(t, start(t), Options{Limits: accountlimit.Options{Account: accountlimit.Rate{Failures: 1, Every: time.Hour}, Client: hourly.Client}})
	if err := guess(t, l, "ada", "another"); err != nil {
		t.Fatal(err)
	}
	for range 2 * hourly.Client.Failures {
		if err := guess(t, l, "ada", "client"); err == nil {
			t.Fatal("the account has room")
		}
	}
	left, err := l.rate.AllowN(t.Context(), l.key("client:", "ada", "client"), l.client, 0)
	if err != nil || left.Remaining < hourly.Client.Failures-1 {
		t.Errorf("%+v, %v; want %d guesses left, or one less", left, err, hourly.Client.Failures)
	}
}

// What is between an account and its client is in the key: ("ab", "c") is not ("a", "bc").
func TestKeysAreApart(t *testing.T) {
	l, err := New(nil, Options{Key: []byte("0123456789abcdef")})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, pair := range [][2]string{{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"", "abc"}} {
		seen[l.key("client:", pair[0], pair[1])] = true
	}
	if len(seen) != 4 {
		t.Errorf("4 pairs have %d keys", len(seen))
	}
}

// A request whose client is gone counts as any other, and is no sign that Redis is.
func TestClientGone(t *testing.T) {
	l := newLimiter(t, start(t), Options{Limits: hourly})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range hourly.Client.Failures {
		a, err := l.Begin(gone, "ada", "client")
		if err != nil || a.local != nil {
			t.Fatalf("%+v, %v; want Redis's answer", a, err)
		}
		a.End(password.ErrMismatch)
	}
	if guess(t, l, "ada", "client") == nil {
		t.Error("what gone clients guessed does not count")
	}
	if err := l.Trust(gone, "bob", "home"); err != nil {
		t.Error(err)
	}
}
