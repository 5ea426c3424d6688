// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package recovery measures how a login service comes back from an overload when its clients retry:
// what counts is when it answers again.
//
// Logins arrive at a quarter of what the service can do, for some seconds at twice that, then at a
// quarter again: what piled up takes it 5 s, so that 12 s show which takes longer. Clients without
// an answer in time try again after a delay. Services are mechanisms of package logins.
package recovery

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	mathrand "math/rand"
	"time"

	"fount/backoff"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/child"
	"fount/cmd/internal/lab/logins"
	"fount/password"
)

// Study is fount bench recovery. One round decides nothing between policies: use --count.
var Study = lab.Study{
	Name: "recovery", About: "how a login service comes back from an overload, while its clients retry", Time: 90 * time.Second,
	Run: study, Child: serve,
}

// serve makes one run in a process of its own: what it leaves behind would disturb the next.
func serve(in *json.Decoder, out *json.Encoder) error {
	var c config
	if err := in.Decode(&c); err != nil {
		return err
	}
	r, err := c.run(context.Background())
	if err != nil {
		return err
	}
	return out.Encode(r)
}

// columns are the figures of a run.
var columns = []struct {
	lab.Column
	of func(result) float64
}{
	{lab.Column{Name: "recovered", Unit: "sec"}, func(r result) float64 {
		if r.Recovered == nil {
			return math.NaN()
		}
		return *r.Recovered
	}},
	{lab.Column{Name: "attempts each"}, func(r result) float64 { return float64(r.Attempts) / float64(max(1, r.Clients)) }},
	{lab.Column{Name: "unanswered"}, func(r result) float64 { return float64(r.Unanswered) / float64(max(1, r.Attempts)) }},
	{lab.Column{Name: "peak by usual"}, func(r result) float64 { return r.Peak }},
}

func study(r *lab.Run) {
	c := config{Cost: 10, Unit: time.Second}
	if r.Quick {
		c.Unit /= 3
	}
	g := lab.Group{Name: "Logins at 0.25 of the capacity, for a while at 2, and at 0.25 again"}
	for _, column := range columns {
		g.Columns = append(g.Columns, column.Column)
	}
	var ways []lab.Way
	add := func(name string, c config) {
		ways = append(ways, lab.Way{Row: lab.Row{Name: name, Base: len(ways)}, Turn: func(round int) (values []float64, err error) {
			c.Seed = uint64(round + 1) // the same arrivals for all of a round
			result, err := child.Run[result](r.Context, "recovery", c)
			for _, column := range columns {
				values = append(values, column.of(result))
			}
			return values, err
		}})
	}
	for _, c.Service = range []string{logins.MaxOut, logins.Pool} {
		for _, c.Policy = range policies {
			if c.Service == logins.Pool || c.Policy != clockSeed { // two show that max_out does not come back
				add(c.Service+", "+c.Policy, c)
			}
		}
	}
	c.Obey = true
	add(c.Service+", "+c.Policy+", obeying", c)
	r.Turns(g, 1, ways)
}

// Policies of the delays between the attempts of a client. All grow from 100 ms to 10 s.
const (
	noJitter  = "no jitter"   // 100 ms, 200 ms, 400 ms, ...
	clockSeed = "clock seed"  // full jitter from math/rand, seeded by the second of the start
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
	r := mathrand.New(mathrand.NewSource(now.Unix())) //fount:ignore clockseed the study shows what it does
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
