// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"testing"
)

// certain is a Verifier to which each password is right.
type certain struct{}

func (certain) Verify(context.Context, Login, []byte, string) (Result, error) { return Result{}, nil }
func (certain) Hash(context.Context, Login, []byte) (string, error)           { return "", nil }

// What a hit costs, and what a miss adds to its hash; the hash is an argon2id's, the password has 20 bytes.
func BenchmarkRemember(b *testing.B) {
	stored := "$argon2id$v=19$m=19456,t=2,p=1$" + goodSalt + "$" + goodSum
	right, wrong := []byte("correct horse batter"), []byte("correct horse butter")
	for _, c := range []struct {
		name  string
		given []byte
	}{{"hit", right}, {"miss", wrong}} {
		b.Run(c.name, func(b *testing.B) {
			r, err := Remember(certain{}, RememberOptions{})
			if err != nil {
				b.Fatal(err)
			}
			ctx, login := b.Context(), Login{Principal: "192.0.2.1"}
			if _, err := r.Verify(ctx, login, right, stored); err != nil {
				b.Fatal(err)
			}
			if c.name == "miss" {
				r.next = never{}
			}
			b.ReportAllocs()
			for b.Loop() {
				r.Verify(ctx, login, c.given, stored)
			}
		})
	}
}

// never is a Verifier to which no password is right.
type never struct{ certain }

func (never) Verify(context.Context, Login, []byte, string) (Result, error) {
	return Result{}, ErrMismatch
}
