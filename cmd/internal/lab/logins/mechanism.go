// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// What stands between callers and the cores.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"fount/cmd/internal/policytext"
	"fount/internal/blowfish"
	"fount/internal/cputime"
	"fount/password"

	"golang.org/x/crypto/bcrypt"
)

// The mechanisms, in the order of tables.
const (
	MaxOut    = "max_out"   // the post's: each caller compares at once, on its own goroutine
	Buffered  = "buffered"  // the post's: workers behind a buffered channel
	Semaphore = "semaphore" // places for compares, and a queue as long as the deadline allows
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

// Open makes the configured mechanism and the password that it checks. It is there until the
// program ends.
func (c Config) Open() (Mechanism, error) {
	if c.Service != nil {
		return c.Service.open()
	}

	job, err := NewJob(c.Policy, c.Cost)
	if err != nil {
		return nil, err
	}

	switch c.Mechanism {
	case MaxOut:
		return maxOut(job.Compare), nil
	case Buffered:
		return newBuffered(job.Compare, c.places(), c.Buffer), nil
	case Semaphore:
		return c.openSemaphore(job.Compare)
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

// CoreTime returns the least CPU time of one core that a compare takes, of three.
func (j *Job) CoreTime() (time.Duration, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // without argon2's lanes on other cores
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	took := time.Duration(math.MaxInt64)
	for range 3 {
		start := cputime.Thread()
		if err := j.Compare(); err != nil {
			return 0, err
		}
		took = min(took, cputime.Thread()-start)
	}
	return took, nil
}

// maxOut lets every caller compare at once.
type maxOut func() error

func (m maxOut) Compare(context.Context, string) error { return m() }

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

// semaphore has places for compares, and a queue before them. It refuses who finds that full.
type semaphore struct {
	compare       func() error
	places, queue chan struct{} // the queue counts those in places too
}

// openSemaphore makes the queue as long as its compares are done in 0.8 of the deadline, by how
// long one takes now. In a closed loop callers wait.
func (c Config) openSemaphore(compare func() error) (*semaphore, error) {
	began := time.Now()
	err := compare()
	took := time.Since(began)

	queue := c.Callers
	if c.IsOpen() {
		queue = c.places() * int(0.8*float64(c.Deadline)/float64(took))
	}
	return &semaphore{
		compare: compare,
		places:  make(chan struct{}, c.places()),
		queue:   make(chan struct{}, max(1, queue)),
	}, err
}

func (m *semaphore) Compare(ctx context.Context, _ string) error {
	select {
	case m.queue <- struct{}{}:
		defer func() { <-m.queue }()
	default:
		return password.OverloadedError{After: time.Second}
	}

	select {
	case m.places <- struct{}{}:
		defer func() { <-m.places }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return m.compare()
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
		form := &oneLane{cost: job.Policy.Cost}
		form.sum = form.compute(job.Password, nil, func() bool { return true })
		formats, err := password.NewFormats(form)
		if err != nil {
			return nil, err
		}
		o.Policy.Formats = formats
		job = &Job{Password: job.Password, Encoded: form.Name()}
	}

	p, err := password.NewPool(o)
	return &pool{p, job}, err
}

// oneLane is the form of one bcrypt that a Pool does not know to be one: none runs beside it.
type oneLane struct {
	cost int
	sum  []byte
}

func (*oneLane) Name() string { return "one-lane" }

func (f *oneLane) Parse(string) (password.Parsed, error) {
	took := func(int) time.Duration { return 54 * time.Millisecond << f.cost >> 10 }
	return &password.Computed{Sum: f.sum, Cost: uint32(f.cost), Compute: f.compute, Time: took}, nil
}

func (f *oneLane) compute(key, _ []byte, yield func() bool) []byte {
	lane := blowfish.Lane{Key: append(key, 0), Gone: func() bool { return !yield() }}
	new(blowfish.Engine).Run(f.cost, []*blowfish.Lane{&lane})
	return lane.Sum[:]
}

func (p *pool) Compare(ctx context.Context, principal string) error {
	_, err := p.Verify(ctx, password.Login{Principal: principal}, p.job.Password, p.job.Encoded)
	return err
}

// isRefusal reports whether err is a refusal.
func isRefusal(err error) bool {
	_, ok := errors.AsType[password.OverloadedError](err)
	return ok
}
