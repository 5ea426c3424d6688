// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "testing"

// BenchmarkCall is what a Pool adds to a hash: the whole way of a call whose hash takes a microsecond, that of one that is
// refused at once, and that of one that the guards stop.
func BenchmarkCall(b *testing.B) {
	p := newPool(b, Options{NoRehash: true})
	stored, err := Hash(Policy{Algorithm: PBKDF2SHA256, Iterations: 1}, []byte("x"))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		login   Login
		encoded string
	}{
		{"answered", Login{Principal: "192.0.2.1"}, stored},
		{"refused", Login{Principal: "192.0.2.1", Class: Rehash}, stored},
		{"invalid", Login{Principal: "192.0.2.1"}, "nonsense"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			ctx, password := b.Context(), []byte("x")
			for b.Loop() {
				p.Verify(ctx, c.login, password, c.encoded)
			}
		})
	}
}
