// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

// BenchmarkBusy has a pool and x/crypto hash in turns, one hash at a time, beside goroutines that
// compute without end. It gives the medians, in ms, and the pool's part of x/crypto's. Run it
// with -benchtime 10x, also in a control group with a quota.
func BenchmarkBusy(b *testing.B) {
	made, err := bcrypt.GenerateFromPassword([]byte("y"), 10)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		policy  Policy
		xcrypto func()
	}{
		{Policy{Algorithm: Bcrypt, Cost: 10}, func() { bcrypt.CompareHashAndPassword(made, []byte("x")) }},
		{Default(), func() { argon2.IDKey([]byte("x"), []byte("battery staple.."), 2, 19456, 1, 32) }},
	} {
		for _, busy := range []int{0, 2, 4, 8} {
			b.Run(fmt.Sprintf("%v/%d", c.policy.Algorithm, busy), func(b *testing.B) {
				p := newPool(b, Options{Policy: c.policy, MaxWait: time.Hour})
				var stop atomic.Bool
				var others sync.WaitGroup
				for range busy {
					others.Go(func() {
						for !stop.Load() {
						}
					})
				}
				var pool, xcrypto []float64
				took := func(list *[]float64, hash func()) {
					began := time.Now()
					hash()
					*list = append(*list, time.Since(began).Seconds()*1000)
				}
				for b.Loop() {
					took(&pool, func() {
						if _, err := p.Verify(b.Context(), Login{}, []byte("x"), ""); err != ErrMismatch {
							b.Error(err)
						}
					})
					took(&xcrypto, c.xcrypto)
				}
				stop.Store(true)
				others.Wait()
				slices.Sort(pool)
				slices.Sort(xcrypto)
				b.ReportMetric(pool[len(pool)/2], "pool-ms")
				b.ReportMetric(xcrypto[len(xcrypto)/2], "xcrypto-ms")
				b.ReportMetric(pool[len(pool)/2]/xcrypto[len(xcrypto)/2], "pool/xcrypto")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkPoolArgon2id has x/crypto on a goroutine for each core, one loop of fount's hash on one
// core, and the pool with 64 callers do the default policy for a second each, in turns. It gives
// the medians of hashes in a second and of the ratios within a turn; run it with -benchtime 10x.
func BenchmarkPoolArgon2id(b *testing.B) {
	policy := Policy{Algorithm: Argon2id, Memory: 19456, Iterations: 2, Parallelism: 1}
	p := newPool(b, Options{Policy: policy, MaxWait: time.Hour})
	rate := func(n int, do func(ctx context.Context, caller int)) float64 {
		// A deadline would have the pool refuse calls.
		ctx, cancel := context.WithCancel(b.Context())
		defer time.AfterFunc(time.Second, cancel).Stop()
		defer cancel()
		var hashes atomic.Int64
		var callers sync.WaitGroup
		began := time.Now()
		for i := range n {
			callers.Go(func() {
				for do(ctx, i); ctx.Err() == nil; do(ctx, i) {
					hashes.Add(1)
				}
			})
		}
		callers.Wait()
		return float64(hashes.Load()) / time.Since(began).Seconds()
	}
	w, err := policy.plan([]byte("x"))
	if err != nil {
		b.Fatal(err)
	}
	w.scratch = new(scratch)
	defer w.scratch.drop()
	var x, one, pool, overX, overOne []float64
	for b.Loop() {
		x = append(x, rate(runtime.GOMAXPROCS(0), func(context.Context, int) {
			argon2.IDKey([]byte("x"), []byte("battery staple.."), 2, 19456, 1, 32)
		}))
		one = append(one, rate(1, func(context.Context, int) { w.compute() }))
		pool = append(pool, rate(64, func(ctx context.Context, i int) {
			if _, err := p.Verify(ctx, Login{Principal: fmt.Sprint(i)}, []byte("x"), ""); err != ErrMismatch && ctx.Err() == nil {
				b.Error(err)
			}
		}))
		overX = append(overX, pool[len(pool)-1]/x[len(x)-1])
		overOne = append(overOne, pool[len(pool)-1]/one[len(one)-1])
	}
	for name, values := range map[string][]float64{
		"xcrypto/s": x, "one/s": one, "pool/s": pool, "pool/xcrypto": overX, "pool/one": overOne,
	} {
		slices.Sort(values)
		b.ReportMetric(values[len(values)/2], name)
	}
	b.ReportMetric(0, "ns/op")
}
