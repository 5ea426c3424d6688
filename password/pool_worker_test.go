// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What a worker takes over from the request that it works for: the work, and
// nothing else, and no longer than that is waited for.

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

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
			if s := p.Stats(); s.SignIns.Of(OutcomeCanceled) != 1 || s.SignIns.Total.Count() != 0 || p.memory.used != 0 {
				t.Errorf("%+v, and %d bytes of scratch in use; want one canceled, and none", s.SignIns, p.memory.used)
			}
		})
	}
}

// labelsOf returns the profiler labels of the goroutines that run a function, a
// line for each stack.
func labelsOf(t *testing.T, function string) (labels []string) {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
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
			go waitsFor(ctx)
			answer := begin(t, ctx, p, encoded)
			labels := labelsOf(t, "password.(*store).run")
			for len(labels) == 0 {
				runtime.Gosched() // the worker has not begun
				labels = labelsOf(t, "password.(*store).run")
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
			for {
				control := labelsOf(t, "password.waitsFor")
				if len(control) == 1 && strings.Contains(control[0], "first") {
					break
				}
				if len(control) > 0 {
					t.Fatalf("control: a goroutine of the caller's has the labels %q; want the caller's", control)
				}
				runtime.Gosched() // it has not begun
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

//go:noinline
func waitsFor(ctx context.Context) { <-ctx.Done() }
