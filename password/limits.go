// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fmt"
	"math"
	"time"

	"fount/password/internal/format"
)

// Limits are ceilings on the cost of a hash, whatever computes it. A hash above them is refused
// with ErrCost before any work: anyone who can write to the store could otherwise plant one that
// takes a day, or all memory. A zero field means the default beside it.
type Limits struct {
	// Time is what a hash may take on one core of a machine that computes a bcrypt of cost 10 in 54
	// ms, by portable code: argon2, scrypt and PBKDF2 take a third to a sixth where the processor
	// has instructions for them. Default: 5 s, which is a bcrypt of cost 16, an argon2 of 1 GiB in
	// 4 passes, a scrypt of N = 2^19 with r = 8, or 10,000,000 iterations of PBKDF2.
	Time time.Duration

	// Memory is how many bytes it may hold. Default: 1 GiB.
	Memory int64
}

func (l Limits) filled() Limits {
	orDefault(&l.Time, 5*time.Second)
	orDefault(&l.Memory, 1<<30)
	return l
}

// maxLanes bounds argon2's parallelism, as each lane holds about 2 KiB that Limits.Memory does not
// count.
const maxLanes = 255

// check returns ErrCost if h is above the filled limits.
func (l Limits) check(h *format.Hash) error {
	if a := Algorithm(h.Algorithm); a.argon2() && h.Parallelism > maxLanes {
		return fmt.Errorf("%w: argon2's parallelism is %d, the limit %d", ErrCost, h.Parallelism, maxLanes)
	}
	return l.allow(Algorithm(h.Algorithm).String(), timeOf(h), memoryOf(h))
}

// allow returns ErrCost for what takes longer or holds more than the filled limits say, or than a
// slice can have.
func (l Limits) allow(what string, took time.Duration, memory int64) error {
	most := min(l.Memory, math.MaxInt, largest-1)
	switch {
	case took < 0 || took > l.Time:
		return fmt.Errorf("%w: %s takes about %v, the limit is %v", ErrCost, what, took.Round(time.Millisecond), l.Time)
	case memory > most:
		return fmt.Errorf("%w: %s needs %d bytes, the limit is %d", ErrCost, what, memory, most)
	}
	return nil
}

// longest and largest stand for all that is more. Two together are no overflow, also where a
// float64 rounds up.
const longest, largest = math.MaxInt64 / 4, math.MaxInt64 / 4

// memoryOf returns what computing h holds, in bytes.
func memoryOf(h *format.Hash) int64 {
	switch h.Algorithm {
	case format.Argon2id, format.Argon2i, format.Argon2d:
		return int64(h.Memory) << 10
	case format.Scrypt: // scrypt.Params.Memory, which may overflow
		return int64(min(128*float64(h.BlockSize)*(power(h.Cost)+3), largest))
	}
	return 0
}

// timeOf returns about how long h takes on the machine of which Limits speaks.
func timeOf(h *format.Hash) time.Duration {
	seconds := unitsOf(h) * unitSeconds(Algorithm(h.Algorithm))
	if h.Algorithm == format.Scrypt { // where N is small, PBKDF2 takes most of it
		seconds += 8 * float64(h.BlockSize) * float64(h.Parallelism) * unitSeconds(Scrypt)
	}
	return time.Duration(min(seconds*1e9, longest))
}

// unitsOf are proportional to the time that h takes, among those of one algorithm.
func unitsOf(h *format.Hash) float64 {
	switch h.Algorithm {
	case format.Bcrypt:
		return power(h.Cost)
	case format.Argon2id, format.Argon2i, format.Argon2d:
		return float64(h.Memory) * float64(h.Iterations)
	case format.Scrypt:
		return float64(h.BlockSize) * float64(h.Parallelism) * power(h.Cost)
	}
	return float64(h.Iterations) * float64(digestsOf(h))
}

// power returns two to the power of cost, which a Format may set to any number.
func power(cost uint32) float64 { return math.Ldexp(1, int(min(cost, 1<<10))) }

// unitSeconds is how many seconds one of them takes on the machine of which Limits speaks.
func unitSeconds(a Algorithm) float64 {
	switch {
	case a == Bcrypt:
		return 0.054 / (1 << 10)
	case a.argon2():
		return 5. / (4 << 20)
	case a == Scrypt:
		return 2. / (1 << 19) / 8
	}
	return 5. / 10_000_000
}

// digestsOf returns how many digests the sum of a PBKDF2 is long; a policy's is one.
func digestsOf(h *format.Hash) int {
	return max(1, (len(h.Sum)+h.DigestSize()-1)/h.DigestSize())
}
