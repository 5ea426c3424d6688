// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"encoding/binary"
	"math"
	"slices"

	"fount/password"
)

// A Cost is what a hash asks of a worker, in the clear: the parameters that stand in stored hashes, and nothing of salt or sum.
// The zero Cost says nothing. A request for an unknown user must carry the cost of the fleet's policy, which replies report:
// otherwise the broker could tell which users exist.
type Cost struct {
	Algorithm uint8  // 1 bcrypt, 2 argon2id, 3 argon2i, 4 argon2d, 5 scrypt, 6 and 7 PBKDF2 with SHA-256 and SHA-512
	Lanes     uint8  // argon2, scrypt: p
	Passes    uint16 // argon2: t; scrypt: r
	Size      uint32 // bcrypt, scrypt: log2 of the rounds or of N; argon2: KiB; PBKDF2: iterations
}

const costSize = 8

// algorithms are the numbers of [Cost.Algorithm]. They never change.
var algorithms = [...]password.Algorithm{1: password.Bcrypt, 2: password.Argon2id, 3: password.Argon2i, 4: password.Argon2d,
	5: password.Scrypt, 6: password.PBKDF2SHA256, 7: password.PBKDF2SHA512}

// CostOf returns the cost of a stored hash, and the zero Cost for what can't be read.
func CostOf(encoded string) Cost {
	info, err := password.Inspect(encoded)
	if err != nil {
		return Cost{}
	}
	return costOf(info.Algorithm, info.Cost, info.Memory, info.Iterations, info.BlockSize, info.Parallelism)
}

// CostOfPolicy returns the cost of a policy's hashes.
func CostOfPolicy(p password.Policy) Cost {
	if p.Algorithm == 0 {
		p = password.Default()
	}
	if p.BlockSize == 0 {
		p.BlockSize = 8
	}
	return costOf(p.Algorithm, p.Cost, p.Memory, p.Iterations, p.BlockSize, max(p.Parallelism, 1))
}

// costOf takes the numbers that the algorithm uses.
func costOf(a password.Algorithm, cost, memory, iterations, blockSize, parallelism int) (c Cost) {
	c.Algorithm = uint8(slices.Index(algorithms[1:], a) + 1)
	switch a {
	case password.Bcrypt:
		c.Size = atMost[uint32](cost)
	case password.Argon2id, password.Argon2i, password.Argon2d:
		c.Lanes, c.Passes, c.Size = atMost[uint8](parallelism), atMost[uint16](iterations), atMost[uint32](memory)
	case password.Scrypt:
		c.Lanes, c.Passes, c.Size = atMost[uint8](parallelism), atMost[uint16](blockSize), atMost[uint32](cost)
	case password.PBKDF2SHA256, password.PBKDF2SHA512:
		c.Size = atMost[uint32](iterations)
	}
	return c
}

// atMost returns n, or the largest number that fits.
func atMost[T uint8 | uint16 | uint32](n int) T {
	return T(min(uint64(max(n, 0)), uint64(^T(0)), math.MaxUint32))
}

func (c Cost) appendTo(b []byte) []byte {
	b = append(b, c.Algorithm, c.Lanes)
	b = binary.BigEndian.AppendUint16(b, c.Passes)
	return binary.BigEndian.AppendUint32(b, c.Size)
}

func parseCost(b []byte) Cost {
	return Cost{b[0], b[1], binary.BigEndian.Uint16(b[2:4]), binary.BigEndian.Uint32(b[4:8])}
}
