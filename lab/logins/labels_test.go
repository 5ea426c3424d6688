// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

import (
	"bytes"
	"context"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"fount/password"
)

// A CPU profile of a pool says which class and which algorithm pays, and nothing of its clients.
func TestProfileSaysWhoPays(t *testing.T) {
	pool, err := password.NewPool(password.Options{
		Policy:  password.Policy{Algorithm: password.Bcrypt, Cost: 8},
		Workers: 2, MaxWait: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	const principal, word = "principal-192.0.2.77", "word-of-a-client"
	argon2id, err := password.Hash(password.Policy{Algorithm: password.Argon2id, Memory: 4096, Iterations: 2, Parallelism: 2}, []byte(word))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	var clients sync.WaitGroup
	for _, call := range []func(ctx context.Context) error{
		func(ctx context.Context) error {
			_, err := pool.Verify(ctx, password.Login{Principal: principal}, []byte(word), argon2id)
			return err
		},
		func(ctx context.Context) error {
			_, err := pool.Hash(ctx, password.Login{Principal: principal}, []byte(word))
			return err
		},
	} {
		clients.Go(func() {
			pprof.Do(ctx, pprof.Labels("principal", principal), func(ctx context.Context) {
				for ctx.Err() == nil {
					if err := call(ctx); err != nil && ctx.Err() == nil {
						t.Error(err)
						return
					}
				}
			})
		})
	}
	defer clients.Wait()
	defer stop()

	seen := map[string]int{}
	want := []string{"argon2id", "bcrypt"}
	for slices.ContainsFunc(want, func(pays string) bool { return seen[pays] == 0 }) {
		if ctx.Err() != nil {
			t.Fatalf("samples in a minute: %v; want %q", seen, want)
		}
		p := profileFor(t, 200*time.Millisecond)
		if text := p.String(); strings.Contains(text, word) {
			t.Fatal("the profile has a password")
		}
		for _, s := range p.Sample {
			if !has(s, "fount/password.(*Pool).run") {
				continue
			}
			if len(s.Label) != 1 || len(s.Label["algorithm"]) != 1 {
				t.Fatalf("a worker's sample has the labels %v", s.Label)
			}
			seen[s.Label["algorithm"][0]]++
		}
	}
	for pays := range seen {
		if !slices.Contains(want, pays) {
			t.Errorf("%s pays; want only %q", pays, want)
		}
	}
}

func profileFor(t *testing.T, d time.Duration) *profile.Profile {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		t.Skip(err) // go test -cpuprofile has it
	}
	time.Sleep(d)
	pprof.StopCPUProfile()
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// has reports whether a function is on the sample's stack.
func has(s *profile.Sample, function string) bool {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function != nil && line.Function.Name == function {
				return true
			}
		}
	}
	return false
}
