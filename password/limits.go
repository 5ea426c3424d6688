// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fmt"
	"math"

	"fount/password/internal/format"
)

// Limits are ceilings on the cost of a hash. A stored one that is above is
// refused with ErrCost before anything is done for it: who can write to the
// store must not be able to plant a hash that takes a day, or all memory. A zero
// field means the default beside it.
type Limits struct {
	BcryptCost int // 15, which takes 2 s

	Argon2Memory      int // KiB; 1048576, 1 GiB
	Argon2Iterations  int // 10
	Argon2Parallelism int // 16

	ScryptMemory      int // KiB, of N·r; 131072, 128 MiB: N = 2^17 with r = 8
	ScryptParallelism int // 10

	PBKDF2Iterations int // 10,000,000, which take 5 s or more
}

func (l Limits) filled() Limits {
	orDefault(&l.BcryptCost, 15)
	orDefault(&l.Argon2Memory, 1<<20)
	orDefault(&l.Argon2Iterations, 10)
	orDefault(&l.Argon2Parallelism, 16)
	orDefault(&l.ScryptMemory, 1<<17)
	orDefault(&l.ScryptParallelism, 10)
	orDefault(&l.PBKDF2Iterations, 10_000_000)
	return l
}

// addressable is how many KiB a slice can have, whatever the limits: on 32-bit
// systems 2 GiB.
const addressable = math.MaxInt >> 10

// check returns ErrCost if h is above the filled limits.
func (l Limits) check(h *format.Hash) error {
	switch h.Algorithm {
	case format.Bcrypt:
		return within("bcrypt's cost", h.Cost, l.BcryptCost)
	case format.Argon2id, format.Argon2i, format.Argon2d:
		return firstError(
			within("argon2's memory in KiB", h.Memory, min(l.Argon2Memory, addressable)),
			within("argon2's passes", h.Iterations, l.Argon2Iterations),
			within("argon2's parallelism", h.Parallelism, l.Argon2Parallelism))
	case format.Scrypt:
		return firstError(
			within("scrypt's memory in KiB", scryptKiB(h), min(l.ScryptMemory, addressable)),
			within("scrypt's parallelism", h.Parallelism, l.ScryptParallelism))
	}
	return within("PBKDF2's iterations", h.Iterations, l.PBKDF2Iterations)
}

// within names a number that is above its limit. Numbers are no secret.
func within[T uint32 | uint64](what string, n T, limit int) error {
	if limit >= 0 && uint64(n) <= uint64(limit) {
		return nil
	}
	return fmt.Errorf("%w: %s is %d, the limit %d", ErrCost, what, n, limit)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
