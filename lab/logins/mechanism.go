// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The mechanisms other than fount's Pool.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fount/password"
)

// A Mechanism stands between callers and the cores.
type Mechanism interface {
	// Compare checks the password once and returns nil if it matches. principal names where the request comes from. ctx
	// carries the caller's deadline, which some mechanisms ignore. Any goroutine may call it.
	Compare(ctx context.Context, principal string) (Spans, error)
	// Close ends its goroutines. No call may be under way.
	Close() error
}

// Spans are the parts of a compare's time; both are 0 for the Pool, which does not tell them apart.
type Spans struct {
	Wait    time.Duration // until the hash began
	Service time.Duration // from there to its end, also when other goroutines had the core
}

// Open makes the configured mechanism and the password that it checks. A compare that is under way can't be stopped;
// those of MaxOut and Semaphore may outlive Close.
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
		return semaphore{job.Compare, make(chan struct{}, c.places())}, nil
	case Pool:
		return c.openPool(job)
	}
	return nil, fmt.Errorf("%q is not a mechanism; use one of %v", c.Mechanism, Mechanisms)
}

// maxOut lets every caller compare at once.
type maxOut struct{ compare func() error }

func (m maxOut) Compare(context.Context, string) (s Spans, err error) {
	s.Service, err = timed(m.compare)
	return s, err
}

func (maxOut) Close() error { return nil }

func timed(f func() error) (time.Duration, error) {
	start := time.Now()
	err := f()
	return time.Since(start), err
}

// buffered gives compares to workers through a channel. As in the post it has no deadline: a caller waits until the
// channel has room, and, other than in the post, until its compare is done.
type buffered struct {
	compare func() error
	tasks   chan *task
	workers sync.WaitGroup
}

// A task is one compare that a worker of buffered does.
type task struct {
	asked time.Time
	done  func(Spans, error)
}

func newBuffered(compare func() error, workers, buffer int) *buffered {
	b := &buffered{compare: compare, tasks: make(chan *task, buffer)}
	for range workers {
		b.workers.Go(func() {
			for t := range b.tasks {
				s := Spans{Wait: time.Since(t.asked)}
				var err error
				s.Service, err = timed(b.compare)
				t.done(s, err)
			}
		})
	}
	return b
}

func (b *buffered) Compare(context.Context, string) (Spans, error) {
	var spans Spans
	answer := make(chan error, 1)
	b.give(func(s Spans, err error) {
		spans = s
		answer <- err
	})
	err := <-answer
	return spans, err
}

// give waits until the channel has room. A worker calls done when it has compared.
func (b *buffered) give(done func(Spans, error)) { b.tasks <- &task{time.Now(), done} }

func (b *buffered) Close() error {
	close(b.tasks)
	b.workers.Wait()
	return nil
}

// semaphore lets as many compare at once as it has places. Callers wait in the order of arrival, until their deadline.
type semaphore struct {
	compare func() error
	places  chan struct{}
}

func (m semaphore) Compare(ctx context.Context, _ string) (s Spans, err error) {
	asked := time.Now()
	select {
	case m.places <- struct{}{}:
	case <-ctx.Done():
		return Spans{Wait: time.Since(asked)}, ctx.Err()
	}
	defer func() { <-m.places }()
	s.Wait = time.Since(asked)
	s.Service, err = timed(m.compare)
	return s, err
}

func (semaphore) Close() error { return nil }

// isRefusal reports whether err is a refusal, and after which time the caller may ask again.
func isRefusal(err error) (after time.Duration, ok bool) {
	overloaded, ok := errors.AsType[password.OverloadedError](err)
	return overloaded.After, ok
}
