// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fount/password/internal/argon2"
	"fount/password/internal/format"
)

var argon2Modes = map[Algorithm]argon2.Mode{Argon2id: argon2.ID, Argon2i: argon2.I, Argon2d: argon2.D}

// argon2Sum computes argon2 on as many goroutines as threads says. It returns nil
// if nobody waits any more.
func (w *work) argon2Sum() []byte {
	p := argon2.Params{
		Mode:   argon2Modes[Algorithm(w.hash.Algorithm)],
		Memory: w.hash.Memory,
		Passes: w.hash.Iterations,
		Lanes:  w.hash.Parallelism,
		Secret: w.secret,
		Old:    w.hash.Version != format.V19,
	}
	sum := make([]byte, w.sumLen())
	if !p.Sum(sum, w.key, w.hash.Salt, w.scratch.forArgon2(p.Blocks()), w.threads, w.gone) {
		return nil
	}
	return sum
}
