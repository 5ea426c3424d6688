// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package redislimit is package accountlimit for a fleet: all processes count in one
// Redis (6.2 or later), by the rules that package describes. It is not a cache or a session store.
//
// If Redis does not answer, each process counts for itself and asks again after a second:
// nobody is locked out, and a guesser has the limits once for each process. What Redis evicts is
// forgotten, so give it memory and the policy noeviction; when it is full, it counts as
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

	// Timeout is how long Begin, End and Trust wait for Redis. Default: 100 ms.
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

// A Limiter counts the wrong passwords of accounts in Redis. Its methods may be called
// from any goroutine.
type Limiter struct {
	options         Options
	account, client redis_rate.Limit
	redis           redis.UniversalClient
	rate            *redis_rate.Limiter
	local           *accountlimit.Limiter // while Redis does not answer
	start           time.Time
	asksAt          atomic.Int64 // ns since start
}

// New returns a Limiter. It does not connect; the client stays the caller's, to close.
func New(client redis.UniversalClient, o Options) (*Limiter, error) {
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
	if time.Since(l.start) >= time.Duration(l.asksAt.Load()) {
		wait, err := l.begin(a)
		switch {
		case err == nil && wait > 0:
			return nil, accountlimit.LimitedError{After: wait}
		case err == nil:
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

// begin returns how long the attempt must wait, or why Redis did not say.
func (l *Limiter) begin(a *Attempt) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(a.ctx, l.options.Timeout)
	defer cancel()
	known, err := l.redis.Exists(ctx, l.key("known:", a.account, a.client)).Result()
	if err != nil {
		return 0, err
	}
	a.known = known > 0
	wait, err := l.take(ctx, l.key("client:", a.account, a.client), l.client)
	if err != nil || wait > 0 || a.known {
		return wait, err
	}
	wait, err = l.take(ctx, l.key("account:", a.account, ""), l.account)
	if err == nil && wait > 0 {
		err = l.giveBack(ctx, l.key("client:", a.account, a.client), l.client)
	}
	return wait, err
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
	if failed := a.limiter.end(a, err == nil); failed != nil {
		a.limiter.options.OnError(failed)
	}
}

func (l *Limiter) end(a *Attempt, matched bool) error {
	ctx, cancel := context.WithTimeout(a.ctx, l.options.Timeout)
	defer cancel()
	var errs []error
	if !a.known {
		errs = append(errs, l.giveBack(ctx, l.key("account:", a.account, ""), l.account))
	}
	if matched {
		l.local.Trust(a.account, a.client)
		errs = append(errs, l.know(ctx, a.account, a.client))
	} else {
		errs = append(errs, l.giveBack(ctx, l.key("client:", a.account, a.client), l.client))
	}
	return errors.Join(errs...)
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
	ctx, cancel := context.WithTimeout(ctx, l.options.Timeout)
	defer cancel()
	return l.know(ctx, account, client)
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
