// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"fount/internal/turn"
	"fount/password"
	"fount/remote/api"
)

// The kinds of a fault. Others are the reason of all answers.
const (
	dies   = "dies"   // refuses connections
	goes   = "goes"   // as if unplugged
	hangs  = "hangs"  // answers once it ends
	slows  = "slows"  // takes longer to hash
	resets = "resets" // ends connections without an answer
)

// A simulated server is a pool whose hashes sleep, behind a network and the scene's fault.
type simulated struct {
	*scene
	speed    float64
	start    time.Time
	from, to time.Duration // of its fault
	process  atomic.Pointer[process]

	asked, begun atomic.Int64 // requests and hashes
}

type process struct {
	*password.Pool
	alive context.Context
	kill  context.CancelFunc
}

// boot replaces the process by a new one, and the calls that it had get no answer.
func (s *simulated) boot() {
	formats, _ := password.NewFormats(s)
	policy := password.Policy{Algorithm: password.Bcrypt, Cost: 4, Formats: formats}
	pool, _ := password.NewPool(password.Options{Policy: policy, Workers: s.workers})
	alive, kill := context.WithCancel(context.Background())

	old := s.process.Swap(&process{pool, alive, kill})
	if old != nil {
		old.kill()
	}
}

// fault returns the kind of the fault that it has now, and how long that lasts.
func (s *simulated) fault() (kind string, left time.Duration) {
	now := time.Since(s.start)
	if now < s.from || now >= s.to {
		return "", 0
	}
	return s.kind, s.to - now
}

// Name and Parse make it the password.Format of its pool's hashes.
func (s *simulated) Name() string { return "sleep" }

func (s *simulated) Parse(string) (password.Parsed, error) {
	expected := func(int) time.Duration { return s.hash }
	return &password.Computed{Sum: make([]byte, 16), Compute: s.compute, Time: expected}, nil
}

func (s *simulated) compute(_, _ []byte, yield func() bool) []byte {
	s.begun.Add(1)
	const steps = 6
	work := float64(s.hash) / s.speed * math.Exp(s.noise*rand.NormFloat64())

	for range steps {
		step := time.Duration(work / steps)
		switch kind, left := s.fault(); kind {
		case hangs:
			step += left
		case slows:
			step = time.Duration(float64(step) * s.slower)
		}
		time.Sleep(step)

		for range turn.Looks { // at the last one it learns whether the caller has left
			if !yield() {
				return nil
			}
		}
	}
	return make([]byte, 16)
}

// finish tells the oracle when work that begins at a time ends. Only a slow server goes on during
// its fault.
func (s *simulated) finish(at time.Duration, work float64) time.Duration {
	work /= s.speed
	before := float64(max(s.from-at, 0))
	during := float64(s.to - max(at, s.from))
	left := (work - before) * s.slower
	isSpared := at >= s.to || at < s.from && work <= before
	switch {
	case isSpared:
		return at + time.Duration(work)
	case s.kind != slows:
		return s.to + time.Duration(work)
	case left > during:
		left = during + (left-during)/s.slower
	}
	return at + time.Duration(before+left)
}

// sleep sleeps unless the client leaves.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// stall waits as long as a fault makes a call wait, and returns its kind.
func (s *simulated) stall(ctx context.Context) string {
	kind, left := s.fault()
	switch kind {
	case goes:
		<-ctx.Done()
	case hangs:
		sleep(ctx, left)
	}
	return kind
}

// ask is a sender.
func (s *simulated) ask(ctx context.Context, _ string, q api.Request) (response, error) {
	s.asked.Add(1)
	deadline, _ := ctx.Deadline()
	within := time.Until(deadline).Truncate(time.Millisecond)
	travels := time.Duration(float64(s.network) * (0.75 + rand.Float64()/2))
	sleep(ctx, travels)
	defer sleep(ctx, travels)

	switch kind := s.stall(ctx); kind {
	case "", goes, hangs, slows:
	case dies:
		return response{}, notSent{errors.New("refused")}
	case resets:
		return response{}, errors.New("reset")
	default:
		return s.problem(api.Reason(kind), nil), nil
	}

	process := s.process.Load()
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	defer context.AfterFunc(process.alive, cancel)()
	_, err := process.Verify(limited, password.Login{Principal: q.Principal}, q.Password, q.Hash)

	s.stall(ctx)
	overloaded, refused := errors.AsType[password.OverloadedError](err)
	switch {
	case ctx.Err() != nil:
		return response{}, ctx.Err()
	case process.alive.Err() != nil:
		return response{}, errors.New("reset")
	case refused:
		return s.problem(api.Reason(overloaded.Reason), err), nil
	case err != nil:
		return s.problem(api.ReasonExpired, err), nil
	}
	return s.reply(http.StatusOK, []byte(`{"match":true}`)), nil
}

func (s *simulated) problem(reason api.Reason, err error) response {
	p := api.NewProblem(reason, "", time.Second)
	p.NotBegun = p.NotBegun || errors.Is(err, password.ErrNotBegun)
	return s.reply(p.Status, p.JSON())
}

func (s *simulated) reply(status int, body []byte) response {
	wait := strconv.FormatInt(s.process.Load().Stats().Wait.Milliseconds(), 10)
	return response{status: status, header: http.Header{api.HeaderWait: {wait}}, body: body}
}
