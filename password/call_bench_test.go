// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"testing"
)

// BenchmarkCall is what a Pool adds to a hash: the whole way of a call whose hash takes a microsecond, that of one that is
// refused at once, also with an observer that does nothing, and that of one that the guards stop.
func BenchmarkCall(b *testing.B) {
	silent := newPool(b, Options{})
	observed := newPool(b, Options{Observe: func(context.Context, Observation) {}})
	stored, err := Hash(Policy{Algorithm: PBKDF2SHA256, Iterations: 1}, []byte("x"))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		pool    *Pool
		login   Login
		encoded string
	}{
		{"answered", silent, Login{Principal: "192.0.2.1"}, stored},
		{"refused", silent, Login{Principal: "192.0.2.1", Upgrade: true}, stored},
		{"refused,observed", observed, Login{Principal: "192.0.2.1", Upgrade: true}, stored},
		{"invalid", silent, Login{Principal: "192.0.2.1"}, "nonsense"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			ctx, password := b.Context(), []byte("x")
			for b.Loop() {
				c.pool.Verify(ctx, c.login, password, c.encoded)
			}
		})
	}
}
