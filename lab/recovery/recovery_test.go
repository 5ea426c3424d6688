// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fount/lab/logins"
	"fount/password"
)

// A gate answers as a test says, after a while.
type gate func(ctx context.Context) (logins.Spans, error)

func (g gate) Compare(ctx context.Context, _ string) (logins.Spans, error) { return g(ctx) }
func (gate) Close() error                                                  { return nil }

func TestAttempt(t *testing.T) {
	const timeout = time.Second
	after := func(d time.Duration, s logins.Spans, err error) gate {
		return func(context.Context) (logins.Spans, error) {
			time.Sleep(d)
			return s, err
		}
	}
	hash := logins.Spans{Service: time.Millisecond}
	for name, test := range map[string]struct {
		gate   gate
		want   outcome
		err    error
		wasted bool
		took   time.Duration
	}{
		"in time":           {after(timeout/2, hash, nil), good, nil, false, timeout / 2},
		"late":              {after(2*timeout, hash, nil), timedOut, errTimeout, true, timeout},
		"refused":           {after(0, logins.Spans{}, password.OverloadedError{After: 7}), refused, password.OverloadedError{After: 7}, false, 0},
		"refused late":      {after(2*timeout, logins.Spans{}, password.OverloadedError{After: 7}), timedOut, errTimeout, false, timeout},
		"no place in time":  {after(timeout, logins.Spans{Wait: timeout}, context.DeadlineExceeded), timedOut, errTimeout, false, timeout},
		"let in, too late":  {after(2*timeout, logins.Spans{}, context.DeadlineExceeded), timedOut, errTimeout, true, timeout},
		"wrong, and so out": {after(0, hash, errors.New("mismatch")), timedOut, errTimeout, false, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			begin, wasted := time.Now(), false
			got, err := attempt(test.gate, "client", timeout, func(w bool) { wasted = w })
			took := time.Since(begin)
			time.Sleep(3 * timeout) // the service ends with it
			synctest.Wait()
			if got != test.want || !errors.Is(err, test.err) || wasted != test.wasted || took != test.took {
				t.Errorf("%s: %v, %v, wasted %v, after %v; want %v, %v, %v, %v", name, got, err, wasted, took, test.want, test.err, test.wasted, test.took)
			}
		})
	}
}

// waits are the delays before the retries of a client that begins at a time, and fails so often.
func waits(t *testing.T, c Config, n int, err error) (delays []time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last time.Time
	c.retry(ctx, func() error {
		if now := time.Now(); last.IsZero() {
			last = now
		} else {
			delays = append(delays, now.Sub(last))
			last = now
		}
		if len(delays) == n {
			return nil
		}
		return err
	})
	return delays
}

func TestDelays(t *testing.T) {
	failure := errors.New("no answer")
	of := func(policy string) (delays []time.Duration) {
		synctest.Test(t, func(t *testing.T) { delays = waits(t, Config{Policy: policy}, 12, failure) })
		return delays
	}
	want := []time.Duration{100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000, 10000, 10000, 10000}
	for i := range want {
		want[i] *= time.Millisecond
	}
	if got := of(NoJitter); !slices.Equal(got, want) {
		t.Errorf("without jitter: %v, want %v", got, want)
	}
	for _, policy := range Policies[1:] {
		a, b := of(policy), of(policy)
		for i, d := range a {
			if d < 0 || d >= want[i] {
				t.Errorf("%s: delay %d is %v, want less than %v", policy, i, d, want[i])
			}
		}
		// Every bubble's clock begins in the same second.
		if same, want := slices.Equal(a, b), policy == ClockSeed; same != want {
			t.Errorf("%s: two clients that begin together have the same delays: %v, want %v", policy, same, want)
		}
	}
	c := Config{Policy: ClockSeed}
	if c.delays(time.Unix(7, 0))() == c.delays(time.Unix(8, 0))() {
		t.Error("clock seed: clients of different seconds have the same delays")
	}
}

// A client that obeys waits as long as it is told and then the delay; any other waits the delay alone.
func TestObey(t *testing.T) {
	told := error(password.OverloadedError{After: 3 * time.Second})
	for _, policy := range Policies {
		for _, obey := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				for i, d := range waits(t, Config{Policy: policy, Obey: obey}, 2, fmt.Errorf("login: %w", told)) {
					if obey != (d >= 3*time.Second) || d > 4*time.Second {
						t.Errorf("%s, obey %v: delay %d is %v", policy, obey, i, d)
					}
				}
			})
		}
	}
}

// brief is a run of half a second with cheap hashes.
func brief(service, policy string, obey bool) Config {
	c := Usual(service, policy, obey)
	c.Cost, c.Before, c.During, c.After, c.Calm = 4, 100*time.Millisecond, 200*time.Millisecond, 300*time.Millisecond, 100*time.Millisecond
	c.Probe, c.Timeout, c.Usual, c.Over = 100*time.Millisecond, 50*time.Millisecond, 0.05, 0.3
	return c
}

func TestRun(t *testing.T) {
	for _, service := range Services {
		r, err := Run(t.Context(), brief(service, Full, service == logins.Pool))
		if err != nil {
			t.Fatal(err)
		}
		began, answered := 0, 0
		for _, s := range r.Slots {
			began += s.Attempts
			answered += s.Good
		}
		if r.Capacity <= 0 || r.Clients == 0 || r.Attempts != began || began < r.Clients || r.LoggedIn+r.GaveUp != r.Clients ||
			answered+r.Refused+r.TimedOut > r.Attempts || len(r.Slots) < 4 || len(r.Slots) > 6 || answered > r.Attempts {
			t.Errorf("%s: %+v", service, r)
		}
	}
}

// The result's recovery is that of the last new client that failed, and none if the end comes before it is calm.
func TestRecovery(t *testing.T) {
	c := Config{Before: time.Second, During: time.Second, After: 10 * time.Second, Calm: 2 * time.Second, Usual: 1, Timeout: 2 * time.Second}
	for _, test := range []struct {
		failed, sent time.Duration
		want         float64
	}{
		{0, 6 * time.Second, 0},
		{3500 * time.Millisecond, 8 * time.Second, 1.5},
		{3500 * time.Millisecond, 7 * time.Second, -1}, // those after it were not sent
		{11 * time.Second, 12 * time.Second, -1},
		{10 * time.Second, 12 * time.Second, -1}, // all fail to the end: those of the last two seconds have no answer yet
	} {
		r := &run{Config: c, capacity: 10, failed: test.failed, sent: test.sent, ended: 12 * time.Second, slots: make([]Slot, 120)}
		r.slots[25].Attempts, r.slots[5].Attempts = 4, 9
		got := r.result()
		if test.want < 0 && got.Recovery != nil || test.want >= 0 && (got.Recovery == nil || *got.Recovery != test.want) {
			t.Errorf("last failure at %v, clients sent until %v: recovery %v, want %v", test.failed, test.sent, got.Recovery, test.want)
		}
		if got.Peak != 4 { // 40 attempts a second, 10 are usual; those before the overload's end don't count
			t.Errorf("peak %v, want 4", got.Peak)
		}
	}
}

// A probe in which nothing ended has no capacity that rates could be parts of.
func TestNothingEnds(t *testing.T) {
	instant := gate(func(context.Context) (logins.Spans, error) { return logins.Spans{}, nil })
	if n, err := capacityOf(t.Context(), instant, -time.Second); err == nil || !strings.Contains(err.Error(), "no compare") {
		t.Errorf("a capacity of %v, %v", n, err)
	}
}

// Clients begin at the usual rate, at that of the overload, and at the usual rate again; when the run is over, those that failed
// give up.
func TestOverload(t *testing.T) {
	for _, answer := range []error{nil, errors.New("mismatch")} {
		synctest.Test(t, func(t *testing.T) {
			c := Config{Policy: Full, Before: time.Second, During: 2 * time.Second, After: time.Second, Calm: time.Hour,
				Usual: 0.2, Over: 2, Timeout: time.Second, Give: time.Hour, Seed: 1}
			r := &run{Config: c, capacity: 1000, slots: make([]Slot, 40), gate: gate(func(context.Context) (logins.Spans, error) {
				return logins.Spans{}, answer
			})}
			r.overload(t.Context())
			synctest.Wait()
			if r.trying != 0 {
				t.Errorf("%d of %d clients still try", r.trying, r.clients)
			}
			if answer != nil {
				return // attempts are retries too
			}
			n := []int{0, 0, 0}
			for i, s := range r.slots {
				n[min(2, (i+10)/20)] += s.Attempts // 1 s, 2 s and 1 s
			}
			for i, want := range []float64{200, 4000, 200} {
				if math.Abs(float64(n[i])-want) > 6*math.Sqrt(want) {
					t.Errorf("%d clients begin before, during and after the overload, want about 200, 4000 and 200", n)
				}
			}
		})
	}
}

// Work for clients that have left is wasted, whether it ends before the run does or not.
func TestWasted(t *testing.T) {
	for _, end := range []time.Duration{4 * time.Second, 30 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var n atomic.Int32
			r := &run{Config: Config{Timeout: time.Second, Usual: 1}, capacity: 1, begin: time.Now(), slots: make([]Slot, 400)}
			r.gate = gate(func(ctx context.Context) (logins.Spans, error) {
				switch n.Add(1) {
				case 1: // is hashed, too late
					time.Sleep(2 * time.Second)
					return logins.Spans{Service: 2 * time.Second}, nil
				case 2: // is hashed for longer than the run
					time.Sleep(20 * time.Second)
					return logins.Spans{Service: 20 * time.Second}, nil
				}
				<-ctx.Done() // is not hashed
				return logins.Spans{Wait: time.Second}, ctx.Err()
			})
			r.attempt("client", 0, true)
			r.attempt("client", 0, true)
			r.attempt("client", 0, true)
			time.Sleep(end - time.Since(r.begin))
			synctest.Wait()
			r.mu.Lock()
			r.ended = time.Since(r.begin)
			r.mu.Unlock()
			if got := r.result(); got.Wasted != 2 || got.TimedOut != 3 {
				t.Errorf("a run of %v: %d of %d wasted, want 2 of 3", end, got.Wasted, got.TimedOut)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if got := r.result(); got.Wasted != 2 {
				t.Errorf("a run of %v: %d wasted a minute later, want 2", end, got.Wasted)
			}
		})
	}
}
