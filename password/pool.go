// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"fount"
	"fount/internal/blowfish"
	"fount/internal/turn"
)

// Options configure a Pool. A zero field means the default beside it.
type Options struct {
	Policy Policy // how new hashes are made, and what stored hashes may cost

	// Stored has one stored hash of each kind that the store has beside Policy's, the most frequent
	// first, as Sample chooses them. Without them, the time of a wrong password reveals users with
	// a hash of another policy, until they next sign in (Django's CVE-2016-2513).
	//
	// With them, every wrong password takes a hash of Policy and one of each of Stored, in this
	// order; a right one takes the hashes up to its own. PBKDF2 with one digest is one kind: a
	// wrong password takes the highest number of iterations in Policy and Stored. A call whose
	// deadline leaves too little time for all is refused, so NewPool returns ErrCost if Stored
	// takes more than 1 s beside Policy, as Sample estimates it. An empty string in it is an error.
	// Default: none.
	Stored []string

	// Workers is how many hashes run at once. Several bcrypts side by side count as one; an argon2
	// uses one worker whatever its parallelism. More workers than GOMAXPROCS hash no faster and
	// delay the rest of the process. Default: GOMAXPROCS, or the CPU quota of the process's control
	// group, rounded up, if that is less; both may change.
	Workers int

	// Memory is how many bytes the running hashes may hold together. An argon2 or scrypt waits
	// until it fits; one that needs more than all of it gets ErrCost. The pool keeps memory for the
	// next hash of the same size, up to this limit, until it was not used for a minute. Default:
	// for each worker the largest hash of Policy and Stored, at least 256 MiB.
	Memory int64

	// Queue is how many calls may wait. In practice MaxWait bounds the queue. Default: 8192.
	Queue int

	// MaxWait is how long a call may wait until its hash begins, even if its context has a later
	// deadline or none, as r.Context() does not say how long a client waits. Default: five times as
	// long as a worker takes for hashes of its kind, or for the longest that runs or waits, longer
	// by the mean deviation where times vary, and at least 300 ms. With less, a flood by one client
	// keeps others out, upgrades take time from sign-ins, and an overload wastes some of the
	// machine. With more, calls only wait longer. Stats.MaxWait has the value in force. It is judged
	// when a call comes: one that was let in, and waits longer as hashes have become slower, may
	// begin up to about a full batch's time later.
	MaxWait time.Duration

	// Observe, if not nil, is called at the end of each call of Verify and Hash, and of each call
	// of Ready that refuses, with the call's context, to make spans, exemplars and log lines. It
	// runs on the caller's goroutine, just before the call returns; a panic in it propagates to the
	// caller. It must be safe for concurrent use.
	Observe func(context.Context, Observation)
}

// DefaultQueue is the default of Options.Queue.
const DefaultQueue = 8192

// A Pool hashes on a bounded number of workers and answers every call in time: with the result, or
// at once with OverloadedError, if the hash could not be ready before the context's deadline or
// would wait longer than Options.MaxWait. It never makes a hash cheaper to keep up.
//
// The pool estimates how long hashes take, and corrects the estimate with each. Now and then it
// tries a hash that it believes to be too slow, so that it answers again within seconds after a
// pause or a slowdown of the machine. Callers share the pool, and a caller's principals share its
// part: while others are refused, one that asks for more than the mean may have only a few calls in
// the queue.
//
// Any goroutine may call its methods. A Pool runs no goroutine while it has nothing to hash. Its
// goroutines have the profiler label "algorithm", and none of the caller's labels.
type Pool struct {
	options   Options
	newHash   nativeHasher   // of the policy's hashes
	samples   []storedSample // what each stage of a call hashes; the policy's first
	scheduler scheduler
	key       [32]byte // hashes the names of principals
	scratches scratchPool
}

var _ Verifier = (*Pool)(nil)

// NewPool returns a pool. It computes one hash by the policy, to measure how long that takes.
func NewPool(o Options) (*Pool, error) {
	samples, err := samplesOf(o.Policy, o.Stored)
	if err != nil {
		return nil, err
	}
	if o, err = o.filled(samples); err != nil {
		return nil, err
	}
	measured, err := o.Policy.hashJob([]byte("measured"))
	if err != nil {
		return nil, fmt.Errorf("password: Options.Policy: %w", err)
	}

	p := &Pool{options: o, newHash: measured.hasher.(nativeHasher), samples: samples}
	fount.Read(p.key[:])
	p.scratches.limit = o.Memory

	p.scheduler = scheduler{
		run:       p.run,
		discard:   func(t *task) { t.call.wipe() },
		admission: admission{maxWaiting: o.Queue},
		queue: queue{
			machine: machine{workers: p.options.workers, memory: o.Memory},
			times:   times{maxWait: o.MaxWait, lanes: blowfish.Best(), relative: blowfish.Relative},
		},
	}
	for _, s := range samples {
		p.scheduler.unknown = append(p.scheduler.unknown, s.need)
	}

	if n := measured.need.memory; n > 0 { // the pool's, so that a process holds no more than Memory
		measured.scratch = p.scratches.take(n)
		defer p.scratches.give(measured.scratch)
	}
	p.scheduler.open(unitTimes(&measured))
	return p, nil
}

// filled returns o with its defaults, for a pool with these samples.
func (o Options) filled(samples []storedSample) (Options, error) {
	var largest int64
	for _, s := range samples {
		largest = max(largest, s.need.memory)
	}

	switch {
	case o.Workers < 0 || o.Queue < 0 || o.MaxWait < 0:
		return o, fmt.Errorf("password: Options.Workers, Options.Queue and Options.MaxWait are %d, %d and %v; want none below 0",
			o.Workers, o.Queue, o.MaxWait)
	case o.Memory < 0 || o.Memory > 0 && o.Memory < largest:
		return o, fmt.Errorf("password: Options.Memory is %d bytes; want at least %d, the largest hash of the policy and Stored",
			o.Memory, largest)
	}

	o.Memory = cmp.Or(o.Memory, max(int64(o.workers())*largest, minMemory))
	o.Queue = cmp.Or(o.Queue, DefaultQueue)
	return o, nil
}

// workers returns Workers, or its default as of now.
func (o *Options) workers() int { return cmp.Or(o.Workers, turn.Cores()) }

// Verify reports whether encoded was made from password. The error is nil for a match, or
//
//   - ErrMismatch: the password is wrong;
//   - OverloadedError: the answer would come too late, so the password was not tried; as a rule
//     this is returned at once, rarely after a wait;
//   - ctx's error: ctx was done before the answer;
//   - ErrMalformed, ErrCost, ErrKey, ErrTooLong: encoded or password can't be used; no hash was
//     computed;
//   - ErrClosed.
//
// If no password was tried, the error matches ErrNotBegun too.
//
// For an unknown user, pass an empty encoded: the error is ErrMismatch, after the same wait and a
// hash by the policy. If other policies made some of the stored hashes, see Options.Stored.
//
// The pool works with a copy of password, which it wipes.
func (p *Pool) Verify(ctx context.Context, login Login, password []byte, encoded string) (Result, error) {
	o := Observation{Op: "verify", Upgrade: login.Upgrade, Start: time.Now()}
	defer p.observe(ctx, &o)

	j, err := p.options.Policy.verifyJob(password, encoded)
	if err != nil {
		return Result{}, p.countInvalid(&o, err)
	}
	o.setKind(j.need.kind)
	j.outdated = replaces(p.newHash, j.hasher, password)
	c, err := newVerifyCall(p.samples, p.options.Policy, password, j)
	if err != nil {
		return Result{}, p.countInvalid(&o, err)
	}

	if err := p.do(ctx, login, c, &o); err != nil {
		return Result{}, err
	}
	return c.result, c.err
}

// Hash returns a new hash of password by the pool's policy, ready to be stored. The error is
// OverloadedError, ErrTooLong, ErrEmpty, ErrNUL, ErrClosed or ctx's.
//
// The pool works with a copy of password, which it wipes.
func (p *Pool) Hash(ctx context.Context, login Login, password []byte) (string, error) {
	if u, ok := ctx.Value(upgradeKey{}).(*upgrade); ok {
		p.scheduler.beginSave(u)
	}

	o := Observation{Op: "hash", Upgrade: login.Upgrade, Start: time.Now()}
	defer p.observe(ctx, &o)

	j, err := p.options.Policy.hashJob(password)
	if err != nil {
		return "", p.countInvalid(&o, err)
	}
	o.setKind(j.need.kind)

	c := newCall([]job{j}, 0)
	c.isHash = true
	if err := p.do(ctx, login, c, &o); err != nil {
		return "", err
	}
	return c.encoded, c.err
}

// Ready returns the error with which a Verify by login would be refused now: OverloadedError,
// ErrClosed or ctx's, or nil. It is about an unknown user or a hash by the policy, and so the same
// for all accounts. It takes about a microsecond: a service that calls it before it looks up the
// account spares its store the query.
//
// Ready reserves nothing: after a nil error, Verify may still refuse. A refusal by Ready counts as
// a refused call in Stats and for Options.Observe.
func (p *Pool) Ready(ctx context.Context, login Login) error {
	t := task{stages: p.scheduler.unknown, dryRun: true}
	p.setLogin(&t, login)
	if _, err := p.scheduler.submit(ctx, &t); err == nil {
		return nil
	}

	o := Observation{Op: "ready", Upgrade: login.Upgrade, Start: time.Now()}
	defer p.observe(ctx, &o)
	o.setKind(t.stages[0].kind)
	o.setOutcome(&t)
	return o.Err
}

// do has the queue run the call, and sets o's outcome. It wipes the copies of the password if no
// worker got them; else the worker wipes them.
func (p *Pool) do(ctx context.Context, login Login, c *call, o *Observation) error {
	p.setLogin(&c.task, login)
	err := p.scheduler.do(ctx, &c.task)
	if !c.task.begun() {
		c.wipe()
	}

	o.setOutcome(&c.task)
	if err == nil {
		o.Err = c.err // no worker has the call any more
	}
	return err
}

// setLogin sets the task's fields that come from login.
func (p *Pool) setLogin(t *task, login Login) {
	if login.Caller != "" {
		t.caller = p.principalKey(login.Caller)
	}
	t.principal = p.principalKey(login.Principal)
	t.upgrade = login.Upgrade
}

// Close admits no more calls, and returns nil when all calls have their answers and all upgrades of
// SignIn are saved. If ctx is done first, Close returns an error that wraps ctx's, and the
// remaining calls get ErrClosed, unless another Close still waits for them. Their workers stop a
// millisecond or two later; on a busy machine, under a CPU quota, or in a hash of 1 GiB, up to 100
// ms.
func (p *Pool) Close(ctx context.Context) error {
	go p.scratches.dropUnused() // a pool that replaces this one needs the memory
	if err := p.scheduler.close(ctx); err != nil {
		return fmt.Errorf("password: pool: %w", err)
	}
	p.scratches.dropUnused()
	return nil
}

// Covers reports whether a wrong password for encoded takes as long as one for an unknown user:
// whether Options.Policy or Options.Stored has encoded's kind. Two hashes of a Format are of one
// kind if they have the same form and cost and their Time differs by less than a fifth. Covers
// computes no hash.
func (p *Pool) Covers(encoded string) bool {
	j, err := p.options.Policy.verifyJob([]byte("x"), encoded)
	takesAsLong := func(s storedSample) bool {
		return s.covers(&j) && (!j.need.extends || j.need.units <= s.need.units)
	}
	return err == nil && slices.ContainsFunc(p.samples, takesAsLong)
}

// Stats returns a snapshot. It takes ten microseconds, or a millisecond with thousands of
// principals.
func (p *Pool) Stats() Stats { return p.scheduler.stats() }

// PrincipalID returns the ID of a principal in Stats.Top: 16 hexadecimal digits of a hash under a
// random key of the pool, so that a reader of Stats can't find an address by trying them all.
func (p *Pool) PrincipalID(principal string) string { return principalID(p.principalKey(principal)) }

// principalKey returns a keyed hash of a name. (A length extension needs the whole of a SHA-256.)
func (p *Pool) principalKey(name string) uint64 {
	var room [128]byte // saves an allocation, but for long names
	sum := sha256.Sum256(append(append(room[:0], p.key[:]...), name...))
	return binary.BigEndian.Uint64(sum[:])
}
