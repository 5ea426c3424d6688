// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"sync"

	"fount/password/internal/format"
)

// The policies that OWASP names in its Password Storage Cheat Sheet (as of
// August 2026). Those of one algorithm are meant to be equally hard to attack:
// they trade memory for time.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html

// Default returns the policy for a new service: OWASP's first choice, argon2id with
// m = 19456 KiB, t = 2, p = 1.
func Default() Policy { return owaspArgon2id(19456, 2) }

func owaspArgon2id(memory, passes int) Policy {
	return Policy{Algorithm: Argon2id, Memory: memory, Iterations: passes, Parallelism: 1}
}

func owaspScrypt(cost, p int) Policy {
	return Policy{Algorithm: Scrypt, Cost: cost, BlockSize: 8, Parallelism: p}
}

// owasp returns all of them, the cheapest in memory of each algorithm last. The slice is shared, and full: append copies it.
var owasp = sync.OnceValue(func() []Policy {
	return []Policy{
		owaspArgon2id(47104, 1), owaspArgon2id(19456, 2), owaspArgon2id(12288, 3), owaspArgon2id(9216, 4), owaspArgon2id(7168, 5),
		owaspScrypt(17, 1), owaspScrypt(16, 2), owaspScrypt(15, 3), owaspScrypt(14, 5), owaspScrypt(13, 10),
		{Algorithm: Bcrypt, Cost: 10},
		{Algorithm: PBKDF2SHA256, Iterations: 600_000},
		{Algorithm: PBKDF2SHA512, Iterations: 220_000},
	}
})

// hash returns a hash with p's costs alone. They are not checked.
func (p Policy) hash() *format.Hash {
	return &format.Hash{
		Algorithm: format.Algorithm(p.Algorithm), Cost: uint32(p.Cost), Memory: uint32(p.Memory), Iterations: uint32(p.Iterations),
		BlockSize: uint32(p.BlockSize), Parallelism: uint32(p.Parallelism),
	}
}

// asHardAs reports whether p is at least as costly as least in every number:
// Argon2i and Argon2d by Argon2id's.
func (p Policy) asHardAs(least Policy) bool {
	if p.Algorithm != least.Algorithm && !(p.Algorithm.argon2() && least.Algorithm.argon2()) {
		return false
	}
	return p.Cost >= least.Cost && p.Memory >= least.Memory && p.Iterations >= least.Iterations &&
		p.BlockSize >= least.BlockSize && p.Parallelism >= least.Parallelism
}

// strength returns how many times the work of one of OWASP's the filled p has, the most of those that it is as hard
// as; 0: of none.
func (p Policy) strength() (times float64) {
	for _, least := range owasp() {
		if p.asHardAs(least) {
			times = max(times, unitsOf(p.hash())/unitsOf(least.hash()))
		}
	}
	return times
}

func (p Policy) meetsOWASP() bool { return p.strength() > 0 }
