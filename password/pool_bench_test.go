// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkPool gives the hashes that a pool does in a second when there are always more to do. Run it in a control
// group with a quota to see what that can hash. One operation is 5 s of it; -benchtime 1x is enough.
func BenchmarkPool(b *testing.B) {
	for name, policy := range map[string]Policy{
		"bcrypt":   {Algorithm: Bcrypt, Cost: 10},
		"argon2id": {Algorithm: Argon2id, Memory: 19456, Iterations: 2, Parallelism: 1},
	} {
		b.Run(name, func(b *testing.B) {
			p := newPool(b, Options{Policy: policy, MaxWait: time.Hour})
			ctx, cancel := context.WithCancel(b.Context())
			var hashes atomic.Int64
			var callers sync.WaitGroup
			began := time.Now()
			for i := range 64 {
				callers.Go(func() {
					for ctx.Err() == nil {
						if _, err := p.Verify(ctx, Login{Principal: fmt.Sprint(i)}, []byte("x"), ""); err == ErrMismatch {
							hashes.Add(1)
						}
					}
				})
			}
			time.Sleep(time.Duration(b.N) * 5 * time.Second)
			n, d := hashes.Load(), time.Since(began)
			cancel()
			callers.Wait()
			b.ReportMetric(float64(n)/d.Seconds(), "hashes/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
