// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

import "errors"

// What an algorithm can be asked for at all. Ceilings are another matter: these
// are the bounds beyond which a number means nothing.
const (
	MinBcryptCost, MaxBcryptCost = 4, 31
	maxArgon2Lanes               = 1<<24 - 1 // RFC 9106, section 3.1
	minArgon2Lane                = 8         // KiB, the same
	maxScryptCost                = 63        // what $7$ can write
	maxScryptProduct             = 1<<30 - 1 // RFC 7914, section 2: r·p
)

var (
	errBcryptCost = errors.New("bcrypt: want a cost from 4 to 31")
	errArgon2     = errors.New("argon2: want t of 1 or more, p from 1 to 2^24-1, m of at least 8 KiB for each p")
	errScrypt     = errors.New("scrypt: want log2 N from 1 to 63, r and p of 1 or more, r*p below 2^30")
	errPBKDF2     = errors.New("PBKDF2: want 1 or more iterations")
)

// Numbers judges the numbers of h, whoever wrote them.
func (h *Hash) Numbers() error {
	switch h.Algorithm {
	case Bcrypt:
		if h.Cost < MinBcryptCost || h.Cost > MaxBcryptCost {
			return errBcryptCost
		}
	case Argon2id, Argon2i, Argon2d:
		if h.Iterations < 1 || h.Parallelism < 1 || h.Parallelism > maxArgon2Lanes ||
			h.Memory/minArgon2Lane < h.Parallelism {
			return errArgon2
		}
	case Scrypt:
		if h.Cost < 1 || h.Cost > maxScryptCost || h.BlockSize < 1 || h.Parallelism < 1 ||
			uint64(h.BlockSize)*uint64(h.Parallelism) > maxScryptProduct {
			return errScrypt
		}
	case PBKDF2SHA256, PBKDF2SHA512:
		if h.Iterations < 1 {
			return errPBKDF2
		}
	}
	return nil
}
