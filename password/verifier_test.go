// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password_test

import (
	"testing"

	"fount/internal/test/verifiertest"
	"fount/password"
	"fount/password/passwordtest"
)

// The body that every other Verifier is held against.
func TestPoolIsAVerifier(t *testing.T) {
	verifiertest.Run(t, func(t *testing.T, o password.Options) (password.Verifier, *password.Pool) {
		pool := passwordtest.NewPool(t, o).Pool
		return pool, pool
	})
}
