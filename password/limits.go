// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"fount/password/internal/format"
)

// Limits are ceilings on the cost of a hash. A stored hash above them is refused
// with ErrCost before any work: anyone who can write to the store could otherwise
// plant a hash that takes a day, or all memory. A zero field means the default
// beside it; a negative one refuses the algorithm.
//
// The times are of one core of a machine that computes a bcrypt of cost 10 in 54 ms.
type Limits struct {
	BcryptCost int // 15, which takes 2 s

	Argon2Memory      int // KiB; 1048576, 1 GiB
	Argon2Iterations  int // 10
	Argon2Parallelism int // 255; lanes add no work and no memory
	Argon2Work        int // KiB times passes; 4194304, which takes 5 s: 1 GiB in 4 passes

	ScryptMemory      int // KiB, of N·r; 131072, 128 MiB: N = 2^17 with r = 8
	ScryptBlockSize   int // r; 64: beside ScryptMemory, (p+2)·r·128 bytes are held
	ScryptParallelism int // 10
	ScryptWork        int // KiB times p, of N·r·p; 524288, which takes 2 s

	PBKDF2Iterations int // 10,000,000, which take 5 s or more; of all digests that the sum is long

	// Foreign is 5 s, of what a Format says that it takes. Its memory is bounded by Argon2Memory.
	Foreign time.Duration
}

func (l Limits) filled() Limits {
	orDefault(&l.BcryptCost, 15)
	orDefault(&l.Argon2Memory, 1<<20)
	orDefault(&l.Argon2Iterations, 10)
	orDefault(&l.Argon2Parallelism, 255)
	orDefault(&l.Argon2Work, 4<<20)
	orDefault(&l.ScryptMemory, 1<<17)
	orDefault(&l.ScryptBlockSize, 64)
	orDefault(&l.ScryptParallelism, 10)
	orDefault(&l.ScryptWork, 1<<19)
	orDefault(&l.PBKDF2Iterations, 10_000_000)
	orDefault(&l.Foreign, 5*time.Second)
	return l
}

// addressable is how many KiB a slice can have, whatever the limits: on 32-bit
// systems 2 GiB.
const addressable = math.MaxInt >> 10

// check returns ErrCost if h is above the filled limits.
func (l Limits) check(h *format.Hash) error {
	switch h.Algorithm {
	case format.Bcrypt:
		return within("bcrypt's cost", uint64(h.Cost), l.BcryptCost)
	case format.Argon2id, format.Argon2i, format.Argon2d:
		return cmp.Or(
			within("argon2's memory in KiB", uint64(h.Memory), min(l.Argon2Memory, addressable)),
			within("argon2's passes", uint64(h.Iterations), l.Argon2Iterations),
			within("argon2's parallelism", uint64(h.Parallelism), l.Argon2Parallelism),
			within("argon2's memory in KiB times its passes", uint64(h.Memory)*uint64(h.Iterations), l.Argon2Work))
	case format.Scrypt:
		table := scryptKiB(h)
		return cmp.Or(
			within("scrypt's memory in KiB", table, min(l.ScryptMemory, addressable)),
			within("scrypt's block size", uint64(h.BlockSize), l.ScryptBlockSize),
			within("scrypt's parallelism", uint64(h.Parallelism), l.ScryptParallelism),
			within("scrypt's memory in KiB times its parallelism", product(table, uint64(h.Parallelism)), l.ScryptWork))
	}
	return within("PBKDF2's iterations, of all digests of the sum,", pbkdf2Work(h), l.PBKDF2Iterations)
}

// within names a number that is above its limit. Numbers are no secret.
func within(what string, n uint64, limit int) error {
	if limit >= 0 && n <= uint64(limit) {
		return nil
	}
	return fmt.Errorf("%w: %s is %d, the limit %d", ErrCost, what, n, limit)
}

// memoryOf returns what computing h holds, in bytes, where that is bounded by
// Limits.
func memoryOf(h *format.Hash) int64 {
	switch h.Algorithm {
	case format.Argon2id, format.Argon2i, format.Argon2d:
		return int64(h.Memory) << 10
	case format.Scrypt: // the table, p blocks, and two to work on
		return int64(scryptKiB(h))<<10 + 128*int64(h.BlockSize)*(int64(h.Parallelism)+2)
	}
	return 0
}

// timeOf returns about how long h takes on the machine of which Limits speaks, by the times there; or the longest
// Duration.
func timeOf(h *format.Hash) time.Duration {
	var seconds float64
	switch h.Algorithm {
	case format.Bcrypt:
		seconds = math.Ldexp(0.054, int(h.Cost)-10)
	case format.Argon2id, format.Argon2i, format.Argon2d:
		seconds = float64(h.Memory) * float64(h.Iterations) * 5 / (4 << 20)
	case format.Scrypt:
		seconds = math.Ldexp(float64(h.BlockSize)/8, int(h.Cost)) * float64(h.Parallelism) * 2 / (1 << 19)
	default:
		seconds = float64(pbkdf2Work(h)) * 5 / 10_000_000
	}
	if seconds >= math.MaxInt64/1e9 {
		return math.MaxInt64
	}
	return time.Duration(seconds * 1e9)
}

// scryptKiB returns the memory of scrypt's table, 128·r·N bytes, in KiB.
func scryptKiB(h *format.Hash) uint64 {
	if h.Cost >= 32 {
		return math.MaxUint64 // no machine has that, and r·N might overflow
	}
	return (uint64(h.BlockSize)<<h.Cost + 7) / 8
}

// pbkdf2Work returns how many rounds of HMAC PBKDF2 does: the iterations, for each
// digest that its sum is long.
func pbkdf2Work(h *format.Hash) uint64 {
	return uint64(h.Iterations) * uint64(digestsOf(h))
}

// digestsOf returns how many digests the sum of a PBKDF2 is long; a policy's is one.
func digestsOf(h *format.Hash) int {
	return max(1, (len(h.Sum)+h.DigestSize()-1)/h.DigestSize())
}

// product returns a·b, or the largest number.
func product(a, b uint64) uint64 {
	if b != 0 && a > math.MaxUint64/b {
		return math.MaxUint64
	}
	return a * b
}
