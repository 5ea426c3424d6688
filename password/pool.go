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
	"sync"
	"time"

	"fount"
	"fount/internal/blowfish"
	"fount/internal/turn"
)

// Options set up a Pool. A zero field means the default beside it.
type Options struct {
	Policy Policy // of new hashes and unknown users, and what stored hashes may cost

	// Stored has one stored hash of each kind that the store has beside Policy's, the most frequent
	// first, as Sample chooses them. Without them the time of a refusal reveals users with a hash
	// of another policy, until they next sign in (Django's CVE-2016-2513). With them, every
	// password that does not match takes a hash of Policy and one of each of Stored, in this order;
	// one that matches takes the hashes up to its own. PBKDF2 with one digest is one kind: what
	// does not match goes on, for nothing, to the most iterations in Policy and Stored. A call
	// whose deadline does not leave time for all is refused, so NewPool returns ErrCost if Stored
	// takes more than 1 s beside Policy, as Sample estimates it. An empty string is an error.
	// Default: none.
	Stored []string

	// Workers is how many hashes run at once; several bcrypts side by side count as one, and
	// argon2's lanes are filled one after another. More than GOMAXPROCS hash no faster and delay
	// the rest of the process. Default: GOMAXPROCS, or the CPU quota of the process's control
	// group, rounded up, if that is less; both may change.
	Workers int

	// Memory is how many bytes the running hashes may hold together: argon2 and scrypt wait for it.
	// A hash that needs more than all of it gets ErrCost. Memory that an argon2 held is kept for
	// the next, up to this limit, until a minute passes without one. Default: for each worker the
	// largest hash of Policy and Stored, at least 256 MiB.
	Memory int64

	// Queue is how many calls may wait. In practice MaxWait bounds the queue. Default: 8192.
	Queue int

	// MaxWait is how long a call may wait until its hash begins, even if its context allows more or
	// has no deadline: r.Context() does not say how long a client waits. Default: five times as
	// long as hashes of its kind take, several bcrypts side by side, or as the longest that runs or
	// waits, at least 300 ms. In less, one client that floods keeps others out, upgrades take
	// sign-ins' time, and an overload loses some of the machine; in more, nothing is gained, and
	// everybody waits longer. Stats has the wait in force.
	MaxWait time.Duration

	// Observe is called once for each call of Verify and Hash that ends, and for each refusal by
	// Ready, with the call's context, to make spans, exemplars and log lines. It runs on the
	// caller's goroutine, just before the call returns, and its panic propagates to the caller. It
	// must be safe for concurrent use. Default: none.
	Observe func(context.Context, Observation)
}

// DefaultQueue is the default of Options.Queue.
const DefaultQueue = 8192

// A Pool hashes on a bounded number of workers and answers every call in time: with the result, or
// at once with OverloadedError if the hash could not be ready before the context's deadline or
// would wait longer than Options.MaxWait allows. It never makes a hash cheaper to keep up.
//
// Each hash corrects the pool's estimate of how long hashes take, and an idle pool now and then
// tries one that it believes too slow: after a pause or a slowdown of the machine it answers again
// within seconds. Callers share the pool, and each one's principals share what it has: while others
// are refused, one that asks for more than the mean waits with a few calls only.
//
// Its methods may be called from any goroutine. It runs no goroutine while it has nothing to hash;
// those that hash have the profiler label "algorithm", and none of a caller's.
type Pool struct {
	policy  Policy // filled
	blank   own    // the kind of its hashes
	options Options
	stages  []stage // the policy's own first
	queue   queue
	key     [32]byte // of the hashes of principals
	memory  store

	mu       sync.Mutex
	upgrades sync.WaitGroup // of SignIn, from before they are hashed until they are saved
	closing  bool           // no more are counted
}

var _ Verifier = (*Pool)(nil)

// NewPool returns a pool. It first computes one hash of the policy, to measure how long that takes.
func NewPool(o Options) (*Pool, error) {
	stages, err := stagesOf(o.Policy, o.Stored)
	if err != nil {
		return nil, err
	}
	var usual []effort
	var each int64
	for _, s := range stages {
		usual, each = append(usual, s.need), max(each, s.need.memory)
	}
	switch {
	case o.Workers < 0 || o.Queue < 0 || o.MaxWait < 0:
		return nil, fmt.Errorf("password: Options.Workers, Options.Queue and Options.MaxWait are %d, %d and %v; want none below 0",
			o.Workers, o.Queue, o.MaxWait)
	case o.Memory < 0 || o.Memory > 0 && o.Memory < each:
		return nil, fmt.Errorf("password: Options.Memory is %d bytes; want at least %d, one hash of the policy",
			o.Memory, each)
	}
	o.Memory = cmp.Or(o.Memory, max(int64(cmp.Or(o.Workers, turn.Cores()))*each, leastMemory))
	o.Queue = cmp.Or(o.Queue, DefaultQueue)
	dummy, err := o.Policy.admit([]byte("measured"), "")
	if err != nil {
		return nil, fmt.Errorf("password: Options.Policy: %w", err)
	}
	p := &Pool{options: o, stages: stages}
	p.policy, _ = o.Policy.filled() // admit has made a hash by it
	if p.blank, err = p.policy.blank(); err != nil {
		return nil, err
	}
	fount.Read(p.key[:])
	p.memory.limit = o.Memory
	p.queue = queue{
		workers: func() int { return cmp.Or(o.Workers, turn.Cores()) }, memory: o.Memory, most: o.Queue, maxWait: o.MaxWait, usual: usual,
		ledger: ledger{lanes: blowfish.Best(), relative: blowfish.Relative}, run: p.memory.run, leave: func(t *task) { t.call.wipe() },
	}
	p.queue.open(seed(&dummy))
	return p, nil
}

// Verify reports whether encoded was made from password. The error is nil for a match, and
// otherwise
//
//   - ErrMismatch: it was not;
//   - OverloadedError: the answer would come too late, so it was not tried; rarely, this shows only
//     while the call waits;
//   - ctx's error: ctx was done before the answer;
//   - ErrMalformed, ErrCost, ErrKey, ErrTooLong: encoded or password can't be used, found before
//     any work;
//   - ErrClosed.
//
// If no password was tried, the error matches ErrNotBegun too.
//
// For an unknown user, pass an empty encoded: the answer is ErrMismatch, through the same queue and
// after as long as a hash of the policy takes. If other policies made some of the stored hashes,
// see Options.Stored.
//
// The pool works with a copy of password, which it wipes.
func (p *Pool) Verify(ctx context.Context, login Login, password []byte, encoded string) (Result, error) {
	o := Observation{Op: "verify", Upgrade: login.Upgrade, Start: time.Now()}
	defer p.ends(ctx, &o)
	w, err := p.policy.admit(password, encoded)
	if err != nil {
		return Result{}, p.invalid(&o, err)
	}
	o.Algorithm, o.kind = w.need.kind.algorithm, w.need.kind
	c, err := through(p.stages, p.policy, password, w)
	if err != nil {
		return Result{}, p.invalid(&o, err)
	}
	if err := p.do(ctx, login, c, &o); err != nil {
		return Result{}, err
	}
	if c.err == nil {
		c.result.NeedsRehash = takes(p.blank, password) == nil &&
			p.policy.outdated(c.works[c.place].kind, p.blank.hash(), c.result.Truncated)
	}
	return c.result, c.err
}

// Hash returns a new hash of password by the pool's policy, ready to be stored. The error is nil,
// or one of OverloadedError, ErrTooLong, ErrEmpty, ErrNUL, ErrClosed and ctx's.
//
// The pool works with a copy of password, which it wipes.
func (p *Pool) Hash(ctx context.Context, login Login, password []byte) (string, error) {
	if u, ok := ctx.Value(upgradeKey{}).(*upgrade); ok { // Close waits for it
		p.mu.Lock()
		if !p.closing && u.ended == nil {
			p.upgrades.Add(1)
			u.ended = p.upgrades.Done
		}
		p.mu.Unlock()
	}
	o := Observation{Op: "hash", Upgrade: login.Upgrade, Start: time.Now()}
	defer p.ends(ctx, &o)
	w, err := p.policy.plan(password)
	if err != nil {
		return "", p.invalid(&o, err)
	}
	o.Algorithm, o.kind = w.need.kind.algorithm, w.need.kind
	c := callOf([]work{w}, 0)
	c.hash = true
	if err := p.do(ctx, login, c, &o); err != nil {
		return "", err
	}
	return c.encoded, c.err
}

// Ready returns nil if a Verify by login would be let in now, of a hash of the policy or of an
// unknown user, and otherwise what it would be refused with: OverloadedError, ErrClosed or ctx's
// error. It takes about a microsecond and is the same for all accounts: a service that asks before
// it looks the account up spares its store the query.
//
// A nil answer keeps no place: Verify may still refuse. A refusal counts as the call that is not
// made, in Stats and for Options.Observe.
func (p *Pool) Ready(ctx context.Context, login Login) error {
	t := task{stages: p.queue.usual}
	p.sends(&t, login)
	if _, err := p.queue.submit(ctx, &t, false); err == nil {
		return nil
	}
	o := Observation{Op: "ready", Upgrade: login.Upgrade, Start: time.Now()}
	defer p.ends(ctx, &o)
	o.Algorithm, o.kind = t.stages[0].kind.algorithm, t.stages[0].kind
	o.did(&t)
	return o.Err
}

// do has the queue run the call, and notes in o what became of it. A worker that got the password's
// copies wipes them; if none did, do does.
func (p *Pool) do(ctx context.Context, login Login, c *call, o *Observation) error {
	p.sends(&c.task, login)
	err := p.queue.do(ctx, &c.task)
	if !c.task.begun() {
		c.wipe()
	}
	o.did(&c.task)
	if err == nil {
		o.Err = c.err // a worker has the call no more
	}
	return err
}

// sends tells the queue who asks.
func (p *Pool) sends(t *task, login Login) {
	if login.Caller != "" {
		t.caller = p.principal(login.Caller)
	}
	t.principal, t.upgrade = p.principal(login.Principal), login.Upgrade
}

// Close admits no more calls and returns nil when all calls have their answers and SignIn has saved
// the upgrades among them. If ctx is done first, Close returns an error that wraps ctx's, and the
// calls left get ErrClosed, unless another Close still waits for them. Workers give up their hashes
// a millisecond or two later; on a machine that is busy, under a CPU quota, or for a hash of 1 GiB,
// up to 100 ms.
func (p *Pool) Close(ctx context.Context) error {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	if err := p.queue.close(ctx); err != nil {
		return fmt.Errorf("password: pool: %w", err)
	}
	p.memory.clear()
	saved := make(chan struct{})
	go func() {
		p.upgrades.Wait()
		close(saved)
	}()
	select {
	case <-saved:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("password: pool: upgraded hashes are not saved yet: %w", context.Cause(ctx))
	}
}

// Covers reports whether Options.Policy or Options.Stored has a hash of encoded's kind, so that a
// wrong password for encoded takes as long as for an unknown user. Two hashes of a Format are of
// one kind if they have the same form and cost and their Time differs by less than a fifth. Covers
// computes no hash.
func (p *Pool) Covers(encoded string) bool {
	w, err := p.policy.admit([]byte("x"), encoded)
	return err == nil && slices.ContainsFunc(p.stages, func(s stage) bool {
		return s.serves(&w) && (!w.need.grows || w.need.units <= s.need.units)
	})
}

// Stats returns a snapshot. It takes ten microseconds, and with thousands of principals a
// millisecond.
func (p *Pool) Stats() Stats { return p.queue.stats() }

// PrincipalID returns the ID of a principal in Stats.Top: 16 hexadecimal digits of a hash under a
// key that the pool drew, so that a reader of Stats can't find out addresses by trying them.
func (p *Pool) PrincipalID(principal string) string { return principalID(p.principal(principal)) }

// principal returns a keyed hash of a name. So short a part of SHA-256 can't be extended.
func (p *Pool) principal(name string) uint64 {
	var room [128]byte // longer names are rare: they get a slice from the heap
	sum := sha256.Sum256(append(append(room[:0], p.key[:]...), name...))
	return binary.BigEndian.Uint64(sum[:])
}

// ends tells that a call has ended.
func (p *Pool) ends(ctx context.Context, o *Observation) {
	if p.options.Observe != nil && o.Outcome != "" { // none if a method of its context has panicked
		o.Total = time.Since(o.Start)
		p.options.Observe(ctx, *o)
	}
}

// invalid counts what the guards found, and returns it.
func (p *Pool) invalid(o *Observation, err error) error {
	o.Outcome, o.Reason, o.Err = OutcomeInvalid, ReasonOf(notBegun{err}), notBegun{err}
	p.queue.count(o.Upgrade, o.Reason)
	return o.Err
}

// did notes what became of the task.
func (o *Observation) did(t *task) {
	o.Outcome, o.Reason, o.Wait, o.Service, o.Lanes, o.Err = t.outcome, t.reason, t.waited, t.served, t.beside, t.err
}
