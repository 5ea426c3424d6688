// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"time"

	"fount/internal/fleet"
	"fount/password"
)

// A route says which subject a request goes to. tried is that of the call's first request, "" for that itself.
type route interface {
	subject(tried string) string
}

// A queueGroup leaves the choice to the broker: each request goes to one of the workers at random, the second of a call
// perhaps to the same. A worker with a tenth of the cores gets as many as any other.
type queueGroup fleet.Subject

func (q queueGroup) subject(string) string { return fleet.Subject(q).Any() }

// errSilence is the end of the call's time without any reply.
var errSilence = errors.New("remote: no reply")

// An attempt is what came of one request.
type attempt struct {
	reply *fleet.Reply
	err   error
}

// conclusive reports whether no other worker could do better.
func (a attempt) conclusive() bool {
	return a.err == nil && a.reply.Verdict != fleet.Overloaded && a.reply.Verdict != fleet.Closed && a.reply.Verdict != fleet.Failed &&
		a.reply.Verdict != fleet.Unsupported
}

// ask sends a request to a worker, and, if that refuses or is silent for too long, to another one. The first conclusive reply
// counts. If there is none, it returns what it knows best: a reply, a refusal's OverloadedError, ErrNoWorker if no worker has
// been found, or errSilence.
func (c *NATSClient) ask(ctx context.Context, r fleet.Request) (*fleet.Reply, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // an attempt that is still under way has nothing to wait for
	deadline, _ := ctx.Deadline()
	results := make(chan attempt, 2)
	send := func(tried string) (subject string) {
		subject = c.route.subject(tried)
		second := tried != ""
		c.count(func(s *NATSStats) {
			s.Attempts++
			if second {
				s.Seconds++
			}
		})
		request, pending, err := c.seal(r, time.Until(deadline))
		if err != nil {
			results <- attempt{nil, err}
			return subject
		}
		go func() { results <- c.exchange(ctx, subject, request, pending) }()
		return subject
	}
	tried := send("")
	silence := time.NewTimer(c.silence(time.Until(deadline)))
	defer silence.Stop()
	var last attempt
	for sent, got := 1, 0; ; {
		select {
		case a := <-results:
			got++
			if a.conclusive() || a.err != nil && answered(a.err) {
				return a.reply, a.err
			}
			last = better(last, a)
			if got == c.tries || errors.Is(a.err, ErrNoWorker) && sent == 1 {
				return last.reply, last.err
			}
		case <-silence.C:
		case <-ctx.Done():
			if last.err == nil && last.reply == nil || errors.Is(last.err, errSilence) {
				return nil, errors.Join(errSilence, ctx.Err())
			}
			return last.reply, last.err
		}
		if sent < c.tries {
			sent++
			send(tried)
		}
	}
}

func (c *NATSClient) silence(left time.Duration) time.Duration {
	if c.options.Silence > 0 {
		return c.options.Silence
	}
	return min(left*3/5, longestSilence)
}

// seal seals a request with the time that is left. Until a reply has said what the fleet's policy costs, no request says what
// it costs: those for unknown users must look like the others.
func (c *NATSClient) seal(r fleet.Request, left time.Duration) ([]byte, *fleet.Pending, error) {
	r.Left = left
	if policy := c.policy.Load(); policy != nil {
		r.Cost = *policy
		if r.Encoded != "" {
			r.Cost = fleet.CostOf(r.Encoded)
		}
	}
	if len(r.Password) == 0 && len(r.Encoded) > fleet.MaxEncoded { // a pool looks at the password first
		return nil, nil, password.ErrMismatch
	}
	if left < time.Microsecond {
		return nil, nil, errSilence
	}
	return c.sealer.Seal(time.Now(), r)
}

// exchange sends a sealed request and opens its reply.
func (c *NATSClient) exchange(ctx context.Context, subject string, request []byte, pending *fleet.Pending) attempt {
	defer pending.Wipe()
	b, err := c.broker.Request(ctx, subject, request)
	if err != nil {
		if ctx.Err() != nil {
			err = errSilence
		}
		return attempt{nil, err}
	}
	reply, err := pending.Open(time.Now(), b)
	if refusal, ok := errors.AsType[fleet.Refusal](err); ok {
		return attempt{nil, errorOfRefusal(refusal)}
	}
	if err != nil {
		return attempt{nil, &Error{detail: printable(err.Error()), as: []error{err, password.OverloadedError{After: wait(0)}}}}
	}
	if reply.Policy != (fleet.Cost{}) {
		c.policy.Store(&reply.Policy)
	}
	return attempt{&reply, nil}
}

// errorOfRefusal is an OverloadedError: whatever the reason, and whoever wrote it, another attempt may succeed.
func errorOfRefusal(r fleet.Refusal) error {
	return &Error{detail: printable(r.Error()), as: []error{password.OverloadedError{After: wait(r.After)}, r}}
}

// better returns which of two attempts without a conclusive reply says more.
func better(a, b attempt) attempt {
	rank := func(x attempt) int {
		switch {
		case x.reply != nil:
			return 4
		case x.err == nil:
			return 0
		case errors.Is(x.err, errSilence):
			return 1
		case errors.Is(x.err, ErrNoWorker):
			return 2
		}
		return 3
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}
