// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/fleet"
	"fount/password"
)

// A fate is what happens to one request.
type fate int

const (
	serve    fate = iota
	refuse        // in the clear
	drop          // the request is received as often, or the reply is lost
	forge         // the reply of another request, damaged or old
	nobody        // no worker listens
	overload      // under seal
	late          // answered, but slowly
)

// A fakeBroker gives each request its fate. The worker behind it takes a password for a match if the stored hash is the same.
type fakeBroker struct {
	worker *fleet.Worker
	fate   func(n int) fate // of the n-th request
	slow   time.Duration    // what a hash takes; late: ten times as long

	mu       sync.Mutex
	requests []sent
	old      [][]byte // replies
}

type sent struct {
	fleet.Request
	subject string
	size    int
}

func (f *fakeBroker) Request(ctx context.Context, subject string, request []byte) ([]byte, error) {
	f.mu.Lock()
	n := len(f.requests)
	f.requests = append(f.requests, sent{subject: subject, size: len(request)})
	f.mu.Unlock()
	which := f.fate(n)
	sleep := func(d time.Duration) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	switch which {
	case nobody:
		return nil, ErrNoWorker
	case refuse:
		return fleet.Refusal{Reason: fleet.Busy, After: 2 * time.Second}.AppendTo(nil), nil
	}
	call, err := f.worker.Open(time.Now(), request)
	if refusal, ok := errors.AsType[fleet.Refusal](err); ok {
		return refusal.AppendTo(nil), nil
	}
	r := call.Request
	r.Password = bytes.Clone(r.Password)
	f.mu.Lock()
	f.requests[n].Request = r
	f.mu.Unlock()
	took := f.slow
	if which == late {
		took *= 10
	}
	if err := sleep(took); err != nil {
		return nil, err
	}
	reply := fleet.Reply{Policy: fleet.Cost{Algorithm: 1, Size: 10}}
	switch {
	case which == overload:
		reply.Verdict, reply.After = fleet.Overloaded, 3*time.Second
	case r.Kind == fleet.Hash:
		reply.Verdict, reply.Encoded = fleet.Hashed, string(r.Password)
	case string(r.Password) == r.Encoded:
		reply.Verdict, reply.NeedsRehash = fleet.Match, true
	default:
		reply.Verdict = fleet.Mismatch
	}
	b, err := call.Seal(reply)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.old = append(f.old, b)
	switch which {
	case drop:
		f.mu.Unlock()
		err := sleep(time.Hour)
		f.mu.Lock()
		return nil, err
	case forge:
		forged := bytes.Clone(f.old[n/2%len(f.old)])
		if n%2 == 0 || n/2%len(f.old) == len(f.old)-1 {
			forged[len(forged)-1] ^= 1
		}
		return forged, nil
	}
	return b, nil
}

func (*fakeBroker) Subscribe(string, func([]byte)) (func(), error) { return func() {}, nil }
func (*fakeBroker) Publish(string, []byte) error                   { return nil }

// newFleet returns a client and the broker to its fleet.
func newFleet(t *testing.T, o NATSOptions, fate func(n int) fate) (*NATSClient, *fakeBroker) {
	t.Helper()
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeBroker{worker: fleet.NewWorker(k), fate: fate, slow: 20 * time.Millisecond}
	c, err := NATS(f, k.Public().String(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c, f
}

// in gives each request of a call its fate, the last one for all that follow.
func in(order ...fate) func(int) fate {
	return func(n int) fate { return order[min(n, len(order)-1)] }
}

var caller = password.Login{Principal: "192.0.2.7", Class: password.ClassChangePassword}

func TestNATSCalls(t *testing.T) {
	overloaded := password.OverloadedError{}
	const limit = 800 * time.Millisecond // of the context, where there is one
	for name, x := range map[string]struct {
		order []fate
		o     NATSOptions
		want  error
		after time.Duration // how long the call takes
		wait  time.Duration // OverloadedError's
		sent  uint64
	}{
		"answered":                          {order: []fate{serve}, after: 20 * time.Millisecond, sent: 1},
		"refused, then answered":            {order: []fate{refuse, serve}, after: 20 * time.Millisecond, sent: 2},
		"refused under seal, then answered": {order: []fate{overload, serve}, after: 40 * time.Millisecond, sent: 2},
		"forged, then answered":             {order: []fate{forge, serve}, after: 40 * time.Millisecond, sent: 2},
		"refused by two":                    {order: []fate{refuse}, want: overloaded, wait: 2 * time.Second, sent: 2},
		"refused in both ways":              {order: []fate{refuse, overload}, want: overloaded, wait: 3 * time.Second, after: 20 * time.Millisecond, sent: 2},
		"lost, then answered":               {order: []fate{drop, serve}, after: limit*3/5 + 20*time.Millisecond, sent: 2},
		"lost, then answered, by Silence":   {order: []fate{drop, serve}, o: NATSOptions{Silence: 100 * time.Millisecond}, after: 120 * time.Millisecond, sent: 2},
		"lost twice":                        {order: []fate{drop}, want: context.DeadlineExceeded, after: limit, sent: 2},
		"lost twice, by Timeout":            {order: []fate{drop}, o: NATSOptions{Timeout: 500 * time.Millisecond}, want: overloaded, after: 500 * time.Millisecond, sent: 2},
		"slow, and the other as well":       {order: []fate{late, drop}, o: NATSOptions{Silence: 100 * time.Millisecond}, after: 200 * time.Millisecond, sent: 2},
		"slow, and the other refuses":       {order: []fate{late, refuse}, o: NATSOptions{Silence: 100 * time.Millisecond}, after: 200 * time.Millisecond, sent: 2},
		"no worker":                         {order: []fate{nobody}, want: overloaded, sent: 1},
		"refused, then no worker":           {order: []fate{refuse, nobody}, want: overloaded, wait: 2 * time.Second, sent: 2},
		"no worker, but a local pool":       {order: []fate{nobody}, o: NATSOptions{Local: local{}}, sent: 1},
		"forged twice":                      {order: []fate{forge}, want: overloaded, after: 40 * time.Millisecond, sent: 2},
	} {
		call := func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, f := newFleet(t, x.o, in(x.order...))
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				start := time.Now()
				result, err := c.Verify(ctx, caller, []byte("secret"), "secret")
				if took := time.Since(start); took != x.after {
					t.Errorf("it took %v, want %v", took, x.after)
				}
				if x.want == nil && (err != nil || !result.NeedsRehash) {
					t.Errorf("%+v, %v; want a match", result, err)
				}
				if o, ok := errors.AsType[password.OverloadedError](err); x.want == overloaded {
					if !ok || x.wait != 0 && o.After != x.wait || o.After <= 0 {
						t.Errorf("%v; want OverloadedError after %v", err, x.wait)
					}
				} else if x.want != nil && !errors.Is(err, x.want) {
					t.Errorf("%v; want %v", err, x.want)
				}
				s := c.Stats()
				if s.Attempts != x.sent || s.Submitted != 1 || s.InFlight != 0 || s.Answered+s.Refused+s.Expired+s.Canceled != 1 {
					t.Errorf("%+v; want one call of %d requests", s, x.sent)
				}
				for _, r := range f.requests {
					if r.size != fleet.RequestSize || r.subject != "fount.v1.any" {
						t.Errorf("%d bytes to %s", r.size, r.subject)
					}
				}
			})
		}
		t.Run(name, call) // where no news are heard, both are alike
		x.o.Route = QueueGroup
		t.Run(name+", by the queue group", call)
	}
}

// local is a pool of the client's.
type local struct{}

func (local) Verify(context.Context, password.Login, []byte, string) (password.Result, error) {
	return password.Result{NeedsRehash: true}, nil
}
func (local) Hash(context.Context, password.Login, []byte) (string, error) { return "local", nil }

// What is asked arrives, and what is answered: all of it.
func TestNATSRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, f := newFleet(t, NATSOptions{Subject: "elsewhere"}, in(serve))
		encoded, err := c.Hash(t.Context(), caller, []byte("secret"))
		if err != nil || encoded != "secret" {
			t.Errorf("%q, %v", encoded, err)
		}
		if _, err := c.Verify(t.Context(), caller, []byte("wrong"), "secret"); err != password.ErrMismatch {
			t.Errorf("%v; want ErrMismatch itself", err)
		}
		if _, err := c.Verify(t.Context(), caller, []byte("wrong"), ""); err != password.ErrMismatch {
			t.Errorf("%v; want ErrMismatch itself", err)
		}
		const stored = "$2b$12$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"
		c.Verify(t.Context(), caller, []byte("wrong"), stored)
		costs := []fleet.Cost{{}, {Algorithm: 1, Size: 10}, {Algorithm: 1, Size: 10}, {Algorithm: 1, Size: 12}}
		for i, r := range f.requests {
			if r.Principal != caller.Principal || r.Class != caller.Class || r.Left != DefaultTimeout || r.subject != "elsewhere.any" {
				t.Errorf("request %d arrives as %+v", i, r)
			}
			if i != 1 && r.Cost != costs[i] { // of a hash that can't be read, nothing
				t.Errorf("request %d says it costs %+v, want %+v", i, r.Cost, costs[i])
			}
		}
		long := make([]byte, fleet.MaxPassword+1)
		if _, err := c.Verify(t.Context(), caller, long, ""); !errors.Is(err, password.ErrTooLong) {
			t.Errorf("%v; want ErrTooLong", err)
		}
		if _, err := c.Verify(t.Context(), caller, []byte("a"), strings.Repeat("h", 400)); !errors.Is(err, password.ErrMalformed) {
			t.Errorf("%v; want ErrMalformed", err)
		}
		if _, err := c.Verify(t.Context(), caller, nil, strings.Repeat("h", 400)); err != password.ErrMismatch {
			t.Errorf("no password: %v; want ErrMismatch itself, as a pool answers", err)
		}
		if s := c.Stats(); s.Answered != s.Submitted || s.Submitted != 7 {
			t.Errorf("%+v; want 7 calls, all answered", s)
		}
	})
}

func TestNATSOptionsAreChecked(t *testing.T) {
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []NATSOptions{{Timeout: -1}, {Calls: -1}, {Silence: -1}, {Route: -1}, {Route: QueueGroup + 1}} {
		if _, err := NATS(&fakeBroker{}, k.Public().String(), o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	if _, err := NATS(&fakeBroker{}, "no key", NATSOptions{}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a damaged key: %v", err)
	}
}

func TestNATSCancelAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newFleet(t, NATSOptions{Calls: 2}, in(drop))
		errs := make(chan error, 2)
		ctx, cancel := context.WithCancel(t.Context())
		for range 2 {
			go func() { _, err := c.Verify(ctx, caller, nil, "h"); errs <- err }()
		}
		synctest.Wait()
		if _, err := c.Verify(ctx, caller, nil, "h"); !errors.As(err, new(password.OverloadedError)) {
			t.Errorf("a third call: %v; want OverloadedError", err)
		}
		cancel()
		for range 2 {
			if err := <-errs; !errors.Is(err, context.Canceled) {
				t.Errorf("%v; want Canceled", err)
			}
		}
		go func() { _, err := c.Verify(t.Context(), caller, nil, "h"); errs <- err }()
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), time.Second/10)
		defer cancel()
		if err := c.Close(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close: %v; want the context's error", err)
		}
		if err := <-errs; !errors.Is(err, password.ErrClosed) {
			t.Errorf("a call that Close did not wait for: %v; want ErrClosed", err)
		}
		if _, err := c.Verify(t.Context(), caller, nil, "h"); !errors.Is(err, password.ErrClosed) {
			t.Errorf("after Close: %v; want ErrClosed", err)
		}
		if err := c.Close(t.Context()); err != nil {
			t.Errorf("Close again: %v", err)
		}
		if s := c.Stats(); s.Submitted != 5 || s.Canceled != 2 || s.Refused != 3 || s.InFlight != 0 {
			t.Errorf("%+v; want 5 calls, 2 canceled and 3 refused", s)
		}
	})
}

// storm sends calls under random fates and returns how many did not get their answer.
func storm(t *testing.T, tries int) (lost int, s NATSStats) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		order := make([]fate, 1<<14)
		for i := range order {
			if rng.IntN(4) == 0 {
				order[i] = []fate{refuse, drop, forge, overload, late}[rng.IntN(5)]
			}
		}
		c, _ := newFleet(t, NATSOptions{Silence: 300 * time.Millisecond}, func(n int) fate { return order[n%len(order)] })
		c.limit = tries
		var mu sync.Mutex
		var all sync.WaitGroup
		for i := range 4000 {
			time.Sleep(time.Millisecond)
			right, timeout, cancelAt := i%3 == 0, time.Duration(100+rng.IntN(900))*time.Millisecond, time.Hour
			if i%10 == 0 {
				cancelAt = time.Duration(rng.IntN(50)) * time.Millisecond
			}
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), timeout)
				defer cancel()
				time.AfterFunc(cancelAt, cancel)
				secret := "wrong"
				if right {
					secret = "right"
				}
				start := time.Now()
				_, err := c.Verify(ctx, caller, []byte(secret), "right")
				if took := time.Since(start); took > timeout {
					t.Errorf("call %d took %v of %v", i, took, timeout)
				}
				if err == nil && !right || err == password.ErrMismatch && right {
					t.Errorf("call %d with the %s password: %v", i, secret, err)
				}
				if !answered(err) && !errors.Is(err, context.Canceled) {
					mu.Lock()
					lost++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		s = c.Stats()
	})
	return lost, s
}

// Whatever becomes of requests, each call ends once, in time, and never with another's answer.
func TestNATSStorm(t *testing.T) {
	lost, s := storm(t, 2)
	t.Logf("%d of %d lost, %+v", lost, s.Submitted, s)
	if s.Submitted != 4000 || s.Submitted != s.Answered+s.Refused+s.Expired+s.Canceled || s.InFlight != 0 {
		t.Errorf("the counts don't add up: %+v", s)
	}
	// A quarter of the requests fail. Two in a row do for one call in 16, and some calls have no time for a second.
	alone, _ := storm(t, 1)
	t.Logf("%d lost by a client without a second request", alone)
	if lost > 400 || alone < 2*lost {
		t.Errorf("%d calls lost, and %d without a second request; want at most 400, and at least twice as many", lost, alone)
	}
}
