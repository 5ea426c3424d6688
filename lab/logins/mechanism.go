// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// What stands between callers and the cores.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fount/internal/blowfish"
	"fount/internal/policytext"
	"fount/password"

	"golang.org/x/crypto/bcrypt"
)

// The mechanisms, in the order of tables.
const (
	MaxOut    = "max_out"   // the post's: each caller compares at once, on its own goroutine
	Buffered  = "buffered"  // the post's: workers behind a buffered channel
	Semaphore = "semaphore" // places for compares, and a queue no longer than deadlines allow
	OneLane   = "one_lane"  // fount/password's Pool with one bcrypt at a time on each core
	Pool      = "pool"      // the same, with several side by side
)

// Mechanisms are the names of all.
var Mechanisms = []string{MaxOut, Buffered, Semaphore, OneLane, Pool}

// A Mechanism stands between callers and the cores.
type Mechanism interface {
	// Compare checks the password once; nil: it matches. principal is where the request comes from.
	// Some mechanisms ignore the deadline of ctx. Any goroutine may call it.
	Compare(ctx context.Context, principal string) error
}

// Open makes the configured mechanism and the password that it checks. It is there until the program
// ends.
func (c Config) Open() (Mechanism, error) {
	job, err := NewJob(c.Policy, c.Cost)
	if err != nil {
		return nil, err
	}
	switch c.Mechanism {
	case MaxOut:
		return maxOut{job.Compare}, nil
	case Buffered:
		return newBuffered(job.Compare, c.places(), c.Buffer), nil
	case Semaphore:
		return newSemaphore(job.Compare, c.places()), nil
	case OneLane, Pool:
		return c.openPool(job)
	}
	return nil, fmt.Errorf("%q is not a mechanism; use one of %v", c.Mechanism, Mechanisms)
}

// Bcrypt is the policy of the post.
const Bcrypt = "bcrypt"

// A Job is a password and a hash that it matches. Any number of goroutines may compare at once.
type Job struct {
	Policy   password.Policy
	Password []byte
	Encoded  string
}

// NewJob makes the hash. A cost other than 0 replaces that of a bcrypt policy.
func NewJob(policy string, cost int) (*Job, error) {
	p, err := policytext.Parse(policy)
	if err != nil {
		return nil, err
	}
	if cost != 0 && p.Algorithm == password.Bcrypt {
		p.Cost = cost
	}
	j := &Job{Policy: p, Password: []byte("correct horse battery staple")}
	if j.Encoded, err = password.Hash(p, j.Password); err != nil {
		return nil, fmt.Errorf("hash by %s: %w", policy, err)
	}
	return j, nil
}

// Compare checks once, on this goroutine. x/crypto computes a bcrypt, as in the post.
func (j *Job) Compare() error {
	if j.Policy.Algorithm == password.Bcrypt {
		return bcrypt.CompareHashAndPassword([]byte(j.Encoded), j.Password)
	}
	_, err := password.Verify(j.Policy, j.Password, j.Encoded)
	return err
}

// maxOut lets every caller compare at once.
type maxOut struct{ compare func() error }

func (m maxOut) Compare(context.Context, string) error { return m.compare() }

// buffered gives compares to workers through a channel. As in the post it has no deadline: a caller
// waits until the channel has room, and, other than in the post, until its compare is done.
type buffered struct {
	tasks chan func(error) // called when the compare is done
}

func newBuffered(compare func() error, workers, buffer int) *buffered {
	b := &buffered{tasks: make(chan func(error), buffer)}
	for range workers {
		go func() {
			for done := range b.tasks {
				done(compare())
			}
		}()
	}
	return b
}

func (b *buffered) Compare(context.Context, string) error {
	answer := make(chan error, 1)
	b.tasks <- func(err error) { answer <- err }
	return <-answer
}

// semaphore has places for compares. It refuses a caller whose compare would end too late, by how
// long others took: what waits is answered in time.
type semaphore struct {
	compare func() error
	places  chan struct{}

	mu    sync.Mutex
	asked int           // that wait or compare
	took  time.Duration // one compare, on average
}

// newSemaphore compares once, to know how long that takes.
func newSemaphore(compare func() error, places int) *semaphore {
	m := &semaphore{compare: compare, places: make(chan struct{}, places)}
	began := time.Now()
	_ = compare()
	m.took = time.Since(began)
	return m
}

func (m *semaphore) Compare(ctx context.Context, _ string) error {
	if err := m.enter(ctx); err != nil {
		return err
	}
	took := time.Duration(0)
	defer func() { m.leave(took) }()
	select {
	case m.places <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-m.places }()
	began := time.Now()
	err := m.compare()
	took = time.Since(began)
	return err
}

// enter refuses a caller that would be answered after its deadline.
func (m *semaphore) enter(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	need := m.took * time.Duration(1+m.asked/cap(m.places))
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < need {
		return password.OverloadedError{After: need}
	}
	m.asked++
	return nil
}

// leave learns from a compare, if there was one.
func (m *semaphore) leave(took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked--
	if took > 0 {
		m.took += (took - m.took) / 8
	}
}

// pool is fount/password's Pool.
type pool struct {
	*password.Pool
	job *Job
}

// openPool makes the Pool for a run. In a closed loop callers wait, as in the post.
func (c Config) openPool(job *Job) (Mechanism, error) {
	o := password.Options{Policy: job.Policy, Workers: c.Workers, Memory: c.Memory, MaxWait: c.Deadline}
	if !c.IsOpen() {
		o.MaxWait = time.Hour
		o.Queue = max(c.Callers, password.DefaultQueue)
	}
	if c.Mechanism == OneLane {
		job = &Job{Policy: job.Policy, Password: job.Password, Encoded: oneLane{}.Name()}
		var err error
		if o.Policy.Formats, err = password.NewFormats(oneLane{job.Policy.Cost, bcryptSum(job.Policy.Cost, job.Password, nil)}); err != nil {
			return nil, err
		}
	}
	p, err := password.NewPool(o)
	if err != nil {
		return nil, err
	}
	return &pool{p, job}, nil
}

// oneLane is a form of bcrypts, here of one, that a Pool does not know to be bcrypts: it does not
// compute several side by side.
type oneLane struct {
	cost int
	sum  []byte
}

func (oneLane) Name() string { return "one-lane" }

func (f oneLane) Parse(encoded string) (password.Parsed, error) {
	if encoded != f.Name() {
		return nil, nil
	}
	return &password.Computed{
		Sum: f.sum, Cost: uint32(f.cost),
		Compute: func(key, _ []byte, yield func() bool) []byte { return bcryptSum(f.cost, key, yield) },
		Time:    func(int) time.Duration { return 54 * time.Millisecond << f.cost >> 10 },
	}, nil
}

// bcryptSum computes one bcrypt with the Pool's engine.
func bcryptSum(cost int, key []byte, yield func() bool) []byte {
	lane := blowfish.Lane{Key: append(bytes.Clone(key), 0), Gone: func() bool { return yield != nil && !yield() }}
	blowfish.New().Run(cost, []*blowfish.Lane{&lane})
	return lane.Sum[:]
}

func (p *pool) Compare(ctx context.Context, principal string) error {
	_, err := p.Verify(ctx, password.Login{Principal: principal}, p.job.Password, p.job.Encoded)
	return err
}

// isRefusal reports whether err is a refusal, and after which time the caller may ask again.
func isRefusal(err error) (after time.Duration, ok bool) {
	overloaded, ok := errors.AsType[password.OverloadedError](err)
	return overloaded.After, ok
}
