// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"testing"

	"fount/password"
)

// What the socket and the client of package remote put on top of a hash.
func BenchmarkVerify(b *testing.B) {
	o := patient()
	o.Policy = password.Default()
	s := serve(b, o, 100)
	encoded := stored(b, password.Default(), "secret")
	for name, v := range map[string]password.Verifier{"pool": s.o.Pool.Now(), "remote": newRemote(b, s)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := v.Verify(b.Context(), password.Login{}, []byte("secret"), encoded); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
