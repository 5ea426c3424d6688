// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"fount"
	"fount/backoff"
	"fount/internal/blowfish"
	"fount/internal/turn"
	"fount/password/internal/sched"
)

// A Verifier verifies and hashes passwords: a Pool does, and so may what
// spreads them over several machines.
type Verifier interface {
	Verify(ctx context.Context, login Login, password []byte, encoded string) (Result, error)
	Hash(ctx context.Context, login Login, password []byte) (string, error)
}

// ErrClosed is a Pool's answer to calls after Close, and to those that Close
// did not wait for.
var ErrClosed = errors.New("password: pool is closed")

// A Pool hashes on a bounded number of workers and answers every call in time:
// with the result, or at once with OverloadedError if the hash could not be ready
// before the context's deadline or would have to wait longer than
// Options.MaxWait. It never makes a hash cheaper to keep up.
//
// What it believes of the time that hashes take is corrected by each one, also by
// those given up, and an idle pool tries now and then what it believes too slow:
// after a pause or a slowdown of the machine it answers again within seconds. Each
// principal has one share of the pool, whatever classes it asks in: what one has
// in the queue makes way for another who has far less.
//
// Its methods may be called from any goroutine. It runs no goroutine while it
// has nothing to hash.
type Pool struct {
	policy  Policy
	options Options
	stages  []stage // the policy's own first
	sched   *sched.Scheduler
	key     [32]byte // of the hashes of principals
	invalid invalid
	record  recorder
	memory  store

	mu      sync.Mutex
	engines []*blowfish.Engine // by slot
}

var _ Verifier = (*Pool)(nil)

// NewPool returns a pool. It measures how long one hash of the policy takes, by
// making one, so that the first calls are judged by something true; that takes
// as long as it takes.
func NewPool(o Options) (*Pool, error) {
	stages, each, err := stagesOf(o)
	if err != nil {
		return nil, err
	}
	if o, err = o.complete(each); err != nil {
		return nil, err
	}
	dummy, err := o.Policy.admit([]byte("measured"), "")
	if err != nil {
		return nil, fmt.Errorf("password: Options.Policy: %w", err)
	}
	p := &Pool{policy: o.Policy, options: o, stages: stages}
	fount.Read(p.key[:])
	p.record.logger = o.Logger
	p.memory.limit = o.Memory
	p.sched = sched.New(sched.Config{
		Workers: o.Workers, Reserve: o.Reserve, Memory: o.Memory, Queue: o.Queue, MaxWait: o.MaxWait,
		Lanes: o.Lanes, Relative: blowfish.Relative,
		Run: p.run, Start: startApart, Cores: turn.Cores, Jitter: jitter, Overload: p.overload,
	})
	p.SetRehash(!o.NoRehash)
	p.seed(&dummy)
	return p, nil
}

// Verify tells whether password is the one that encoded was made of. The error
// is nil for a match, and else
//
//   - ErrMismatch: it is not;
//   - OverloadedError: it was not tried, because the answer would have come too
//     late; or, rarely, because it turned out so while waiting;
//   - ctx's error: ctx was done before the answer;
//   - ErrMalformed, ErrCost, ErrKey, ErrTooLong: encoded or password can't be
//     used, found before any work;
//   - ErrClosed.
//
// If there is no such user, encoded is to be empty: the answer is ErrMismatch,
// after as long as a hash of the policy takes, through the same queue. Where stored
// hashes were made by other policies as well, see Options.Stored.
//
// The pool works with a copy of password, which it wipes.
func (p *Pool) Verify(ctx context.Context, login Login, password []byte, encoded string) (Result, error) {
	w, err := p.policy.admit(password, encoded)
	if err != nil {
		p.invalid.count(err)
		return Result{}, err
	}
	return p.verify(ctx, login, password, w)
}

// Hash returns a new hash of password by the pool's policy, ready to be stored.
// The error is nil, or one of OverloadedError, ErrTooLong, ErrEmpty, ErrNUL,
// ErrClosed and ctx's.
//
// The pool works with a copy of password, which it wipes.
func (p *Pool) Hash(ctx context.Context, login Login, password []byte) (string, error) {
	w, err := p.policy.plan(password)
	if err != nil {
		p.invalid.count(err)
		return "", err
	}
	c := &call{work: w, hash: true}
	if err := p.do(ctx, login, c); err != nil {
		return "", err
	}
	return c.encoded, c.err
}

// do has the call run by the scheduler. The password's copy is wiped by the worker
// if one got it, and else here.
func (p *Pool) do(ctx context.Context, login Login, c *call) error {
	if login.Class < 0 || int(login.Class) >= len(rank) {
		c.work.wipe()
		return fmt.Errorf("password: Login.Class is %d; want SignIn, ChangePassword or Rehash", login.Class)
	}
	c.describe()
	c.task.Class = rank[login.Class]
	c.task.Principal = p.principal(login.Principal)
	err := p.sched.Do(ctx, &c.task)
	if !c.task.Begun() {
		c.work.wipe()
	}
	return p.translate(err, c.task.Memory)
}

// translate returns the public error. A hash that no worker can ever make counts with
// those above the limits.
func (p *Pool) translate(err error, memory int64) error {
	refusal, ok := errors.AsType[*sched.Refusal](err)
	switch {
	case err == nil:
		return nil
	case ok && refusal.Reason == sched.Memory:
		err := fmt.Errorf("%w: it needs %d bytes, more than the pool's memory", ErrCost, memory)
		p.invalid.count(err)
		return err
	case ok:
		return OverloadedError{refusal.RetryAfter}
	case errors.Is(err, sched.ErrClosed):
		return ErrClosed
	}
	return err
}

// SetWorkers changes Options.Workers; 0 means its default, and a negative n
// counts as 0. Hashes that run are not interrupted.
func (p *Pool) SetWorkers(n int) { p.sched.SetWorkers(max(n, 0)) }

// SetMaxWait changes Options.MaxWait for calls to come; at most 0 means the default.
func (p *Pool) SetMaxWait(d time.Duration) {
	if d <= 0 {
		d = DefaultMaxWait
	}
	p.sched.SetMaxWait(d)
}

// SetMemory changes Options.Memory, in bytes. What runs keeps what it has; what
// waits and needs more than n alone gets OverloadedError, and what comes ErrCost.
func (p *Pool) SetMemory(n int64) {
	p.memory.setLimit(max(n, 0), p.sched.SetMemory)
}

// SetRehash lets the class Rehash in, or refuses it: then a Rehash gets
// OverloadedError with a minute or two to wait.
func (p *Pool) SetRehash(on bool) { p.sched.SetClass(rank[Rehash], on) }

// Close lets no more calls in and returns nil when all that wait and run have
// their answers. If ctx is done first, those left get ErrClosed and Close
// returns an error that wraps ctx's; what a worker has in hand is given up within
// a millisecond or two, or under a CPU quota within a period of it, usually 100 ms.
// One that waits for memory that others left to go back to the system is given up
// when it has, up to 100 ms later for 1 GiB.
func (p *Pool) Close(ctx context.Context) error {
	if err := p.sched.Close(ctx); err != nil {
		return fmt.Errorf("password: pool: %w", err)
	}
	p.memory.clear()
	return nil
}

// PrincipalID returns the name under which Stats counts a principal: 16
// hexadecimal digits, the same for one principal as long as the pool lives. It is
// keyed: who sees only Stats can't try addresses.
func (p *Pool) PrincipalID(principal string) string { return idString(p.principal(principal)) }

func (p *Pool) principal(name string) uint64 {
	h := hmac.New(sha256.New, p.key[:])
	h.Write([]byte(name))
	return binary.BigEndian.Uint64(h.Sum(nil))
}

func idString(id uint64) string { return fmt.Sprintf("%016x", id) }

// jitter returns a uniform duration in [0, n): a delay that no two clients, and no
// two clones of this machine, have in common, as package backoff draws it.
func jitter(n time.Duration) time.Duration {
	d := backoff.Policy{Base: n, Cap: n}.Delays()
	delay, _ := d.Next()
	return delay
}

// invalid counts the calls that did not pass the guards.
type invalid struct{ malformed, cost, key, long, mismatch, other atomic.Uint64 }

func (i *invalid) count(err error) {
	n := &i.other
	switch {
	case errors.Is(err, ErrMalformed):
		n = &i.malformed
	case errors.Is(err, ErrCost):
		n = &i.cost
	case errors.Is(err, ErrKey):
		n = &i.key
	case errors.Is(err, ErrTooLong):
		n = &i.long
	case errors.Is(err, ErrMismatch):
		n = &i.mismatch
	}
	n.Add(1)
}
