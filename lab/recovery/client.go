// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

// What a client does: attempts, and delays between them.

import (
	"context"
	"errors"
	mathrand "math/rand"
	"time"

	"fount/backoff"
	"fount/password"
)

// Policies of the delays between the attempts of a client. All grow from 100 ms to 10 s.
const (
	noJitter  = "no jitter"   // 100 ms, 200 ms, 400 ms, ...
	clockSeed = "clock seed"  // full jitter from math/rand, seeded by the second in which the client begins
	full      = "full jitter" // package backoff's
)

var policies = []string{noJitter, clockSeed, full}

// retry makes attempts until one has no error or it is too late. A client that obeys waits as long
// as it is told, and then the delay of its policy.
func (c config) retry(ctx context.Context, attempt func() error) {
	delays := c.delays(time.Now())
	for {
		err := attempt()
		if err == nil {
			return
		}
		delay := delays()
		if told, ok := errors.AsType[password.OverloadedError](err); ok && c.Obey {
			delay += told.After
		}
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return
		}
	}
}

// delays are those of a client that begins now.
func (c config) delays(now time.Time) func() time.Duration {
	const base, limit = 100 * time.Millisecond, 10 * time.Second
	if c.Policy == full {
		list := backoff.Policy{Base: base, Cap: limit}.Delays()
		return func() time.Duration {
			delay, _ := list.Next()
			return delay
		}
	}
	top := base / 2
	next := func() time.Duration {
		top = min(2*top, limit)
		return top
	}
	if c.Policy == noJitter {
		return next
	}
	r := mathrand.New(mathrand.NewSource(now.Unix())) // as clients are written, and what the study shows
	return func() time.Duration { return time.Duration(r.Int63n(int64(next()))) }
}

// ask asks the service once, and leaves after the timeout.
func (r *run) ask(client string) error {
	ctx, cancel := context.WithTimeout(context.Background(), r.Unit)
	defer cancel()
	answer := make(chan error, 1)
	go func() { answer <- r.service.Compare(ctx, client) }()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
