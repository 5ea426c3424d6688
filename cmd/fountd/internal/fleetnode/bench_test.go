// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleetnode

import (
	"context"
	"testing"
	"time"

	"fount/internal/fleet"
	"fount/password"
)

// full refuses all: what is measured is what the worker adds.
type full struct{}

func (full) Verify(context.Context, password.Login, []byte, string) (password.Result, error) {
	return password.Result{}, password.OverloadedError{After: time.Second}
}

func (full) Hash(context.Context, password.Login, []byte) (string, error) {
	return "", password.OverloadedError{After: time.Second}
}

// BenchmarkRefuse is what a refusal takes: unopened, as the request has no time for its hash, and under seal by a pool that
// has no room, its encapsulation being known; and a look at a pool, for news.
func BenchmarkRefuse(b *testing.B) {
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		b.Fatal(err)
	}
	pool, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 10}})
	if err != nil {
		b.Fatal(err)
	}
	node := func() *Node {
		n, err := New(Options{Hasher: full{}, Estimates: pool.Estimates, Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 10}, Calls: 1000}, k)
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	r := fleet.Request{Kind: fleet.Verify, Left: time.Millisecond, Cost: fleet.Cost{Algorithm: 1, Size: 10}, Password: []byte("p")}
	b.Run("way=unopened", func(b *testing.B) {
		b.ReportAllocs()
		n := node()
		request, _, err := fleet.NewClient(k.Public()).Seal(time.Now(), r)
		if err != nil {
			b.Fatal(err)
		}
		n.let[r.Cost] = let{time.Now().Add(time.Hour), time.Millisecond} // none is let through
		for b.Loop() {
			n.Handle(time.Now(), request, func([]byte) {})
		}
		if s := n.Stats(); s.Busy != s.Received {
			b.Fatalf("%+v", s)
		}
	})
	b.Run("way=sealed", func(b *testing.B) {
		b.ReportAllocs()
		n, c := node(), fleet.NewClient(k.Public())
		r.Left = time.Second
		for b.Loop() {
			b.StopTimer()
			request, _, err := c.Seal(time.Now(), r)
			if err != nil {
				b.Fatal(err)
			}
			done := make(chan struct{})
			b.StartTimer()
			n.Handle(time.Now(), request, func([]byte) { close(done) })
			<-done
		}
	})
	b.Run("way=news", func(b *testing.B) {
		b.ReportAllocs()
		n := node()
		for b.Loop() {
			n.News(time.Now())
		}
	})
}
