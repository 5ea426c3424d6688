// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

// BenchmarkBusy has a pool and x/crypto hash in turns, one hash at a time, beside goroutines that
// compute without end. It gives the ratio of their times. Run it with -benchtime 10x, also in a
// control group with a quota.
func BenchmarkBusy(b *testing.B) {
	made := must(bcrypt.GenerateFromPassword([]byte("y"), 10))(b)
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
				var pool, xcrypto time.Duration
				for b.Loop() {
					began := time.Now()
					if _, err := p.Verify(b.Context(), Login{}, []byte("x"), ""); err != ErrMismatch {
						b.Error(err)
					}
					pool += time.Since(began)

					began = time.Now()
					c.xcrypto()
					xcrypto += time.Since(began)
				}
				stop.Store(true)
				others.Wait()
				b.ReportMetric(float64(pool)/float64(xcrypto), "pool/xcrypto")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
