// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/test/require"
)

// cheapest is the cheapest policy there is: 1 ms.
var cheapest = Policy{Algorithm: Bcrypt, Cost: 4}

func newPool(t testing.TB, o Options) *Pool {
	t.Helper()
	if o.Policy.Algorithm == 0 {
		o.Policy = cheapest
	}
	return must(NewPool(o))(t)
}

// must returns a result, or ends the test if there is an error.
func must[T any](result T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return result
	}
}

// Whatever becomes of a call, its copy of the password is wiped, and the caller's is not touched.
func TestPoolWipesItsCopy(t *testing.T) {
	given := []byte("correct horse")
	for name, c := range map[string]struct {
		leaves       time.Duration // the caller; 0: never
		busy, closed bool
		want         error
	}{
		"completed":                  {},
		"left while a worker had it": {leaves: 50 * ms, want: context.Canceled},
		"left in the queue":          {leaves: 50 * ms, busy: true, want: context.Canceled},
		"left before the call":       {leaves: -1, want: context.Canceled},
		"closed":                     {closed: true, want: ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy := Policy{Algorithm: Bcrypt, Cost: 4, Formats: formats(t, sleeps{})}
				p := newPool(t, Options{Workers: 1, MaxWait: time.Hour, Policy: policy})

				if c.busy {
					go p.Verify(t.Context(), Login{}, given, "sleeps")
				}
				if c.closed {
					p.Close(t.Context())
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.leaves != 0 {
					time.AfterFunc(c.leaves, cancel)
				}
				synctest.Wait()

				j := must(p.options.Policy.verifyJob(given, "sleeps"))(t)
				key := j.key
				if err := p.do(ctx, Login{}, newCall([]job{j}, 0), new(Observation)); !errors.Is(err, c.want) {
					t.Errorf("%v", err)
				}

				time.Sleep(time.Second) // the worker ends
				if !bytes.Equal(key, make([]byte, len(given))) || string(given) != "correct horse" {
					t.Errorf("the copy holds %q, and the caller has %q", key, given)
				}
			})
		})
	}
}

// The first calls are judged by what NewPool measured.
func TestPoolKnowsTimesFromTheStart(t *testing.T) {
	p := newPool(t, Options{
		Workers: 1, MaxWait: time.Millisecond, Policy: Policy{Algorithm: Bcrypt, Cost: 4, Limits: noLimits},
	})
	ctx, cancel := context.WithCancel(t.Context())
	first := begin(t, ctx, p, endless["bcrypt"])

	_, err := p.Verify(t.Context(), Login{}, []byte("x"), "")
	if _, ok := errors.AsType[OverloadedError](err); !ok {
		t.Errorf("behind a hash of a day, with 1 ms to wait: %v; want OverloadedError", err)
	}
	if s := p.Stats().SignIns; s.Of(OutcomeRefused, ReasonDeadline) != 1 || s.Of(OutcomeDropped) != 0 {
		t.Errorf("%+v; want one refused at once, none dropped", s)
	}

	cancel()
	<-first
}

// endless are hashes that take minutes to months.
var endless = map[string]string{
	"bcrypt":   "$2b$31$......................" + strings.Repeat(".", 31),
	"argon2id": "$argon2id$v=19$m=1024,t=2000000,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
	"threads":  "$argon2id$v=19$m=1024,t=2000000,p=4$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
	"scrypt":   "$scrypt$ln=15,r=8,p=1000$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
	"pbkdf2":   "$pbkdf2-sha256$i=2000000000$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
}

// noLimits are limits that endless hashes keep.
var noLimits = Limits{Time: math.MaxInt64}

// begin verifies in a pool of one worker until the caller leaves, and returns when
// the worker has begun.
func begin(t *testing.T, ctx context.Context, p *Pool, encoded string) (left <-chan error) {
	t.Helper()
	answer := make(chan error, 1)
	go func() {
		_, err := p.Verify(ctx, Login{}, []byte("x"), encoded)
		answer <- err
	}()

	for p.Stats().SignIns.Running == 0 {
		select {
		case err := <-answer:
			t.Fatal(err)
		default:
			runtime.Gosched()
		}
	}
	return answer
}

// What nobody waits for any more is given up, whatever the algorithm: else this
// takes ten minutes and more.
func TestPoolGivesUp(t *testing.T) {
	for name, encoded := range endless {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 4, Limits: noLimits}, MaxWait: time.Hour})
			ctx, cancel := context.WithCancel(t.Context())
			answer := begin(t, ctx, p, encoded)

			cancel()
			if err := <-answer; err != context.Canceled {
				t.Errorf("%v; want context.Canceled", err)
			}
			if err := p.Close(t.Context()); err != nil { // waits for the worker
				t.Error(err)
			}
			if s := p.Stats(); s.SignIns.Of(OutcomeCanceled) != 1 || s.SignIns.Total.Count() != 0 || p.scratches.used != 0 {
				t.Errorf("%+v, and %d bytes of scratch in use; want one canceled, and none", s.SignIns, p.scratches.used)
			}
		})
	}
}

// labelsOf returns the profiler labels of the goroutines that run a function, a
// line for each stack.
func labelsOf(t *testing.T, function string) (labels []string) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, pprof.Lookup("goroutine").WriteTo(&b, 1))

	for record := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(record, function) {
			_, with, _ := strings.Cut(record, "# labels: ")
			with, _, _ = strings.Cut(with, "\n")
			labels = append(labels, with)
		}
	}
	return labels
}

// A worker has the labels of what it computes, and so have argon2's threads. It has none of a
// request's: neither of the one that began it, nor of the one before.
func TestWorkersHaveTheirLabelsAlone(t *testing.T) {
	for encoded, want := range map[string]string{
		endless["bcrypt"]:  `{"algorithm":"bcrypt"}`,
		endless["threads"]: `{"algorithm":"argon2id"}`,
	} {
		p := newPool(t, Options{
			Policy: Policy{Algorithm: Bcrypt, Cost: 4, Limits: noLimits}, Workers: 2, MaxWait: time.Hour,
		})

		ctx, cancel := context.WithCancel(t.Context())
		pprof.Do(ctx, pprof.Labels("tenant", "first"), func(ctx context.Context) {
			answer := begin(t, ctx, p, encoded)

			labels := labelsOf(t, "password.(*Pool).run")
			for len(labels) == 0 {
				runtime.Gosched() // the worker has not begun
				labels = labelsOf(t, "password.(*Pool).run")
			}
			for _, l := range labels {
				if l != want {
					t.Errorf("a worker has the labels %s; want %s", l, want)
				}
			}
			// In some looks the threads are between two slices.
			for seen := 0; encoded == endless["threads"] && seen < 20; {
				for _, l := range labelsOf(t, "argon2.(*filler).fillPair") {
					if seen++; l != want {
						t.Errorf("a thread of argon2 has the labels %s; want %s", l, want)
					}
				}
				runtime.Gosched()
			}

			cancel()
			if err := <-answer; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		// Its worker is gone before the next pool's is looked at.
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
