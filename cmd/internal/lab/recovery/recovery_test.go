// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fount/cmd/internal/lab/logins"
	"fount/password"
)

// A gate answers as a test says, after a while.
type gate func(ctx context.Context) error

func (g gate) Compare(ctx context.Context, _ string) error { return g(ctx) }

// A client leaves at its timeout, whatever the service does; what is refused is answered.
func TestAttempt(t *testing.T) {
	const timeout = time.Second
	refusal := password.OverloadedError{After: 7}
	for name, test := range map[string]struct {
		after      time.Duration
		answer     error
		want       error
		unanswered int
		took       time.Duration
	}{
		"in time":      {timeout / 2, nil, nil, 0, timeout / 2},
		"late":         {2 * timeout, nil, context.DeadlineExceeded, 1, timeout},
		"refused":      {0, refusal, refusal, 0, 0},
		"refused late": {2 * timeout, refusal, context.DeadlineExceeded, 1, timeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := &run{config: config{Unit: timeout}, begin: time.Now(), service: gate(func(context.Context) error {
				time.Sleep(test.after)
				return test.answer
			})}
			err := r.attempt("client")
			took := time.Since(r.begin)
			time.Sleep(3 * timeout) // the service ends with it
			if !errors.Is(err, test.want) || r.counts.Attempts != 1 || r.counts.Unanswered != test.unanswered || took != test.took {
				t.Errorf("%s: %v, %+v, after %v; want %v, %d unanswered, %v", name, err, r.counts, took, test.want, test.unanswered, test.took)
			}
		})
	}
}

// waits are the delays before the retries of a client that begins at a time, and fails so often.
func waits(t *testing.T, c config, n int, err error) (delays []time.Duration) {
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
		synctest.Test(t, func(t *testing.T) { delays = waits(t, config{Policy: policy}, 12, failure) })
		return delays
	}
	want := []time.Duration{100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000, 10000, 10000, 10000}
	for i := range want {
		want[i] *= time.Millisecond
	}
	if got := of(noJitter); !slices.Equal(got, want) {
		t.Errorf("without jitter: %v, want %v", got, want)
	}
	for _, policy := range policies[1:] {
		a, b := of(policy), of(policy)
		for i, d := range a {
			if d < 0 || d >= want[i] {
				t.Errorf("%s: delay %d is %v, want less than %v", policy, i, d, want[i])
			}
		}
		// Every bubble's clock begins in the same second.
		if same, want := slices.Equal(a, b), policy == clockSeed; same != want {
			t.Errorf("%s: two clients that begin together have the same delays: %v, want %v", policy, same, want)
		}
	}
	c := config{Policy: clockSeed}
	if c.delays(time.Unix(7, 0))() == c.delays(time.Unix(8, 0))() {
		t.Error("clock seed: clients of different seconds have the same delays")
	}
}

// A client that obeys waits as told and then the delay; any other the delay alone.
func TestObey(t *testing.T) {
	told := error(password.OverloadedError{After: 3 * time.Second})
	for _, policy := range policies {
		for _, obey := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				for i, d := range waits(t, config{Policy: policy, Obey: obey}, 2, fmt.Errorf("login: %w", told)) {
					if obey != (d >= 3*time.Second) || d > 4*time.Second {
						t.Errorf("%s, obey %v: delay %d is %v", policy, obey, i, d)
					}
				}
			})
		}
	}
}

// Every service runs from end to end, and counts what began.
func TestRun(t *testing.T) {
	for _, service := range []string{logins.MaxOut, logins.Pool} {
		c := config{Service: service, Policy: full, Obey: service == logins.Pool, Cost: 6, Unit: 50 * time.Millisecond, Seed: 1}
		r, err := c.run(t.Context())
		if err != nil || r.Clients == 0 || r.Attempts == 0 || r.Unanswered > r.Attempts {
			t.Errorf("%s: %+v, %v", service, r, err)
		}
	}
}

// The recovery is that of the last new client that failed; none if it does not become calm.
func TestRecovery(t *testing.T) {
	c := config{Unit: time.Second} // the overload ends after 5 s, and 3 s without failure are calm
	for _, test := range []struct {
		failed, sent time.Duration
		want         float64
	}{
		{0, 9 * time.Second, 0},
		{6500 * time.Millisecond, 11 * time.Second, 1.5},
		{6500 * time.Millisecond, 9 * time.Second, -1}, // those after it were not sent
		{15 * time.Second, 17 * time.Second, -1},
	} {
		r := &run{config: c, capacity: 40, failed: test.failed, sent: test.sent, slots: make([]int, 200)}
		r.slots[60], r.slots[5] = 4, 9
		got := r.result()
		if test.want < 0 && got.Recovered != nil || test.want >= 0 && (got.Recovered == nil || *got.Recovered != test.want) {
			t.Errorf("last failure at %v, clients sent until %v: recovered after %v, want %v", test.failed, test.sent, got.Recovered, test.want)
		}
		if got.Peak != 4 { // 40 a second, 10 are usual; before the overload's end none counts
			t.Errorf("peak %v, want 4", got.Peak)
		}
	}
}

// Clients begin at the usual rate, at that of the overload, and at the usual rate again until it
// has been calm; when the run is over, those that failed give up.
func TestOverload(t *testing.T) {
	for _, answer := range []error{nil, errors.New("mismatch")} {
		synctest.Test(t, func(t *testing.T) {
			r := &run{config: config{Policy: full, Unit: time.Second, Seed: 1}, capacity: 1000,
				service: gate(func(context.Context) error { return answer })}
			r.overload(t.Context())
			took := time.Since(r.begin)
			synctest.Wait()
			if r.trying != 0 {
				t.Errorf("%d of %d clients still try", r.trying, r.counts.Clients)
			}
			if answer != nil { // attempts are retries too
				if took < 17*time.Second {
					t.Errorf("over after %v, while all fail", took)
				}
				return
			}
			n := []int{0, 0, 0}
			for i, attempts := range r.slots {
				n[min(2, (i+30)/40)] += attempts // 1 s, 4 s and 3 s
			}
			for i, want := range []float64{250, 8000, 750} {
				if math.Abs(float64(n[i])-want) > 6*math.Sqrt(want) {
					t.Errorf("%d clients begin before, during and after the overload, want about 250, 8000 and 750", n)
				}
			}
		})
	}
}
