// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package redislimit is package accountlimit for a fleet: all processes count in one
// Redis (6.2 or later), by the rules that package describes. It is not a cache or a session store.
//
// If Redis does not answer within Options.Timeout, each process counts for itself, and one
// attempt a second asks again: nobody is locked out, and a guesser has the limits once for each
// process. What Redis evicts is forgotten, so give it memory and the policy noeviction; when it is full, it counts as
// not answering. Each account or client with failures takes some 120 bytes until its
// failures have refilled, at most a day with the defaults.
//
// Redis holds keyed hashes of accounts and clients, no name and no address. Whoever
// may write to it can forget failures and make clients known.
package redislimit

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"fount/password"
	"fount/password/accountlimit"
)

// Options set up a Limiter. A zero field means the default beside it.
type Options struct {
	// Limits are accountlimit's. Entries is for the time without Redis.
	Limits accountlimit.Options

	// Key is the secret of the hashes of accounts and clients: the same 32 random bytes
	// ([fount.Key]) in all processes. There is no default.
	Key []byte

	// Timeout is how long Begin, End and Trust wait for Redis, whatever the client's own
	// timeouts are. Default: 100 ms.
	Timeout time.Duration

	// Prefix begins every key in Redis. Default: "fount:".
	Prefix string

	// OnError is told why Redis did not answer, on the caller's goroutine. Default:
	// nobody is.
	OnError func(error)
}

const minKey = 16 // bytes

// pause is how long Redis is not asked after it has not answered, so that not every attempt waits for the Timeout.
const pause = time.Second

// longest is when a call ends for which nobody waits any more. A client of Redis heeds the end of a context while it reads only
// if its ContextTimeoutEnabled is set, and has timeouts of its own, by default 5 s and more.
const longest = 10 * time.Second

var errLate = errors.New("redislimit: Redis did not answer within Options.Timeout")

// A Client is what a Limiter asks of Redis: go-redis's Client, ClusterClient and Ring have it. redis.UniversalClient, with all of their
// 500 methods, takes the compiler 3 s in each package that names it.
type Client interface {
	redis.Scripter
	Del(ctx context.Context, keys ...string) *redis.IntCmd
	Exists(ctx context.Context, keys ...string) *redis.IntCmd
	Set(ctx context.Context, key string, value any, expiration time.Duration) *redis.StatusCmd
}

// A Limiter counts the wrong passwords of accounts in Redis. Its methods may be called
// from any goroutine.
type Limiter struct {
	options         Options
	account, client redis_rate.Limit
	redis           Client
	rate            *redis_rate.Limiter
	local           *accountlimit.Limiter // while Redis does not answer
	start           time.Time
	asksAt          atomic.Int64 // ns since start, of the next question to a Redis that did not answer; 0: it does
}

// New returns a Limiter. It does not connect; the client stays the caller's, to close.
func New(client Client, o Options) (*Limiter, error) {
	if len(o.Key) < minKey {
		return nil, fmt.Errorf("redislimit: Options.Key has %d bytes; want at least %d", len(o.Key), minKey)
	}
	if o.Timeout < 0 {
		return nil, fmt.Errorf("redislimit: Options.Timeout is %v; want more than 0, or 0 for 100ms", o.Timeout)
	}
	limits, err := o.Limits.Complete()
	if err != nil {
		return nil, err
	}
	local, err := accountlimit.New(limits)
	if err != nil {
		return nil, err
	}
	o.Limits = limits
	if o.Timeout == 0 {
		o.Timeout = 100 * time.Millisecond
	}
	if o.Prefix == "" {
		o.Prefix = "fount:"
	}
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	return &Limiter{
		options: o, account: limitOf(limits.Account), client: limitOf(limits.Client),
		redis: client, rate: redis_rate.NewLimiter(client), local: local, start: time.Now(),
	}, nil
}

func limitOf(r accountlimit.Rate) redis_rate.Limit {
	return redis_rate.Limit{Rate: 1, Period: r.Every, Burst: r.Failures}
}

// An Attempt is a password, or another secret, that is being tried.
type Attempt struct {
	limiter         *Limiter
	ctx             context.Context // without its end: the outcome counts, whoever waits for it
	account, client string          // as the caller named them
	known           bool
	local           *accountlimit.Attempt // if Redis did not answer
	ended           bool
}

// Begin counts an attempt as a failure until End says otherwise. Its error is nil or an
// accountlimit.LimitedError.
func (l *Limiter) Begin(ctx context.Context, account, client string) (*Attempt, error) {
	a := &Attempt{limiter: l, ctx: context.WithoutCancel(ctx), account: account, client: client}
	if ask, again := l.asks(time.Since(l.start)); ask {
		wait, err := l.begin(a)
		if err == nil {
			if again {
				l.asksAt.Store(0)
			}
			if wait > 0 {
				return nil, accountlimit.LimitedError{After: wait}
			}
			return a, nil
		}
		l.asksAt.Store(int64(time.Since(l.start) + pause))
		l.options.OnError(err)
	}
	var err error
	if a.local, err = l.local.Begin(account, client); err != nil {
		return nil, err
	}
	return a, nil
}

// asks reports whether an attempt is to ask Redis, and whether it is the one that asks again after Redis has not answered.
func (l *Limiter) asks(now time.Duration) (ask, again bool) {
	at := l.asksAt.Load()
	again = at != 0 && int64(now) >= at && l.asksAt.CompareAndSwap(at, int64(now+pause))
	return at == 0 || again, again
}

// An answer is what Redis says of an attempt.
type answer struct {
	wait            time.Duration // until there is room for a failure; 0: there was
	known           bool
	account, client bool // whose failure was counted
	err             error
}

// begin returns how long the attempt must wait, or why Redis did not say in time. What it counts later is given back, as the
// attempt counts here.
func (l *Limiter) begin(a *Attempt) (time.Duration, error) {
	answers, late := make(chan answer), make(chan struct{})
	go func() {
		ctx, cancel := context.WithTimeout(a.ctx, longest)
		defer cancel()
		got := l.ask(ctx, a.account, a.client)
		select {
		case answers <- got:
			if got.err == nil {
				return
			}
		case <-late:
		}
		_ = l.undo(ctx, a, got) // if it fails too, a failure stays
	}()
	timer := time.NewTimer(l.options.Timeout)
	defer timer.Stop()
	select {
	case got := <-answers:
		a.known = got.known
		return got.wait, got.err
	case <-timer.C:
		close(late)
		return 0, errLate
	}
}

// ask counts a failure of account and client, or of neither.
func (l *Limiter) ask(ctx context.Context, account, client string) (got answer) {
	known, err := l.redis.Exists(ctx, l.key("known:", account, client)).Result()
	if err != nil {
		return answer{err: err}
	}
	got.known = known > 0
	got.wait, got.err = l.take(ctx, l.key("client:", account, client), l.client)
	got.client = got.err == nil && got.wait == 0
	if !got.client || got.known {
		return got
	}
	got.wait, got.err = l.take(ctx, l.key("account:", account, ""), l.account)
	got.account = got.err == nil && got.wait == 0
	if got.err == nil && got.wait > 0 {
		got.client, got.err = false, l.giveBack(ctx, l.key("client:", account, client), l.client)
	}
	return got
}

// undo gives back what ask counted.
func (l *Limiter) undo(ctx context.Context, a *Attempt, got answer) error {
	var errs []error
	if got.account {
		errs = append(errs, l.giveBack(ctx, l.key("account:", a.account, ""), l.account))
	}
	if got.client {
		errs = append(errs, l.giveBack(ctx, l.key("client:", a.account, a.client), l.client))
	}
	return errors.Join(errs...)
}

// within returns f's error, or errLate after the Timeout: f then goes on alone.
func (l *Limiter) within(ctx context.Context, f func(context.Context) error) error {
	done := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
		defer cancel()
		done <- f(ctx)
	}()
	timer := time.NewTimer(l.options.Timeout)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return errLate
	}
}

// take counts a failure, or returns how long until there is room for one.
func (l *Limiter) take(ctx context.Context, key string, limit redis_rate.Limit) (time.Duration, error) {
	result, err := l.rate.Allow(ctx, key, limit)
	if err != nil {
		return 0, err
	}
	if result.Allowed == 0 {
		return max(result.RetryAfter, time.Millisecond), nil
	}
	return 0, nil
}

// giveBack takes a failure back. If it is the only one, redis_rate leaves it for the
// limit's Period: to delete the key instead would forget a failure that came between.
func (l *Limiter) giveBack(ctx context.Context, key string, limit redis_rate.Limit) error {
	_, err := l.rate.AllowN(ctx, key, limit, -1)
	return err
}

// End says what became of the attempt, as accountlimit's does: nil for a right
// password, password.ErrMismatch for a wrong one; with any other error nothing counts.
func (a *Attempt) End(err error) {
	if a.ended {
		return
	}
	a.ended = true
	if a.local != nil {
		a.local.End(err)
		return
	}
	if errors.Is(err, password.ErrMismatch) {
		return
	}
	l, matched := a.limiter, err == nil
	if matched {
		l.local.Trust(a.account, a.client)
	}
	failed := l.within(a.ctx, func(ctx context.Context) error {
		err := l.undo(ctx, a, answer{account: !a.known, client: !matched})
		if matched {
			err = errors.Join(err, l.know(ctx, a.account, a.client))
		}
		return err
	})
	if failed != nil {
		l.options.OnError(failed)
	}
}

// know makes a client known, and forgives its failures.
func (l *Limiter) know(ctx context.Context, account, client string) error {
	return errors.Join(l.rate.Reset(ctx, l.key("client:", account, client)),
		l.redis.Set(ctx, l.key("known:", account, client), "", l.options.Limits.Known).Err())
}

// Trust makes a client known as a right password does: for an owner who has shown
// otherwise who he is, such as by a link in a mail.
func (l *Limiter) Trust(ctx context.Context, account, client string) error {
	l.local.Trust(account, client)
	return l.within(ctx, func(ctx context.Context) error { return l.know(ctx, account, client) })
}

// For returns a Verifier that asks v about the passwords of one account, within the
// limits. The client is Login.Principal. Hash is v's own.
func (l *Limiter) For(v password.Verifier, account string) password.Verifier {
	return limited{v, l, account}
}

type limited struct {
	password.Verifier
	limiter *Limiter
	account string
}

func (v limited) Verify(ctx context.Context, login password.Login, given []byte, encoded string) (password.Result, error) {
	attempt, err := v.limiter.Begin(ctx, v.account, login.Principal)
	if err != nil {
		return password.Result{}, err
	}
	result, err := v.Verifier.Verify(ctx, login, given, encoded)
	attempt.End(err)
	return result, err
}

// key returns a key in Redis: HMAC-SHA-256 of account and client, of which 128 bits.
func (l *Limiter) key(kind, account, client string) string {
	mac := hmac.New(sha256.New, l.options.Key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(account))))
	mac.Write([]byte(account))
	mac.Write([]byte(client))
	return l.options.Prefix + kind + hex.EncodeToString(mac.Sum(nil)[:16])
}
