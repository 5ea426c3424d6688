// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import "sync"

// The policies that OWASP names in its Password Storage Cheat Sheet (as of
// August 2026). Those of one algorithm are meant to be equally hard to attack:
// they trade memory for time.
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html

// Default returns the policy for a new service: [OWASPArgon2id19MiB], OWASP's
// first choice.
func Default() Policy { return OWASPArgon2id19MiB() }

// OWASPArgon2id46MiB is argon2id with m = 47104 KiB, t = 1, p = 1.
func OWASPArgon2id46MiB() Policy { return owaspArgon2id(47104, 1) }

// OWASPArgon2id19MiB is argon2id with m = 19456 KiB, t = 2, p = 1.
func OWASPArgon2id19MiB() Policy { return owaspArgon2id(19456, 2) }

// OWASPArgon2id12MiB is argon2id with m = 12288 KiB, t = 3, p = 1.
func OWASPArgon2id12MiB() Policy { return owaspArgon2id(12288, 3) }

// OWASPArgon2id9MiB is argon2id with m = 9216 KiB, t = 4, p = 1.
func OWASPArgon2id9MiB() Policy { return owaspArgon2id(9216, 4) }

// OWASPArgon2id7MiB is argon2id with m = 7168 KiB, t = 5, p = 1.
func OWASPArgon2id7MiB() Policy { return owaspArgon2id(7168, 5) }

// OWASPScrypt128MiB is scrypt with N = 2^17, r = 8, p = 1.
func OWASPScrypt128MiB() Policy { return owaspScrypt(17, 1) }

// OWASPScrypt64MiB is scrypt with N = 2^16, r = 8, p = 2.
func OWASPScrypt64MiB() Policy { return owaspScrypt(16, 2) }

// OWASPScrypt32MiB is scrypt with N = 2^15, r = 8, p = 3.
func OWASPScrypt32MiB() Policy { return owaspScrypt(15, 3) }

// OWASPScrypt16MiB is scrypt with N = 2^14, r = 8, p = 5.
func OWASPScrypt16MiB() Policy { return owaspScrypt(14, 5) }

// OWASPScrypt8MiB is scrypt with N = 2^13, r = 8, p = 10.
func OWASPScrypt8MiB() Policy { return owaspScrypt(13, 10) }

// OWASPBcrypt is bcrypt with cost 10, for stores that use bcrypt already: OWASP
// calls it legacy. With Keys, its limit of 72 bytes does not apply.
func OWASPBcrypt() Policy { return Policy{Algorithm: Bcrypt, Cost: 10} }

// OWASPPBKDF2SHA256 is PBKDF2-HMAC-SHA-256 with 600,000 iterations, for systems that
// must follow FIPS 140.
func OWASPPBKDF2SHA256() Policy { return Policy{Algorithm: PBKDF2SHA256, Iterations: 600_000} }

// OWASPPBKDF2SHA512 is PBKDF2-HMAC-SHA-512 with 220,000 iterations.
func OWASPPBKDF2SHA512() Policy { return Policy{Algorithm: PBKDF2SHA512, Iterations: 220_000} }

func owaspArgon2id(memory, passes int) Policy {
	return Policy{Algorithm: Argon2id, Memory: memory, Iterations: passes, Parallelism: 1}
}

func owaspScrypt(cost, p int) Policy {
	return Policy{Algorithm: Scrypt, Cost: cost, BlockSize: 8, Parallelism: p}
}

// owasp returns all of them, the cheapest in memory of each algorithm last. The slice is shared, and full: append copies it.
var owasp = sync.OnceValue(func() []Policy {
	return []Policy{
		OWASPArgon2id46MiB(), OWASPArgon2id19MiB(), OWASPArgon2id12MiB(), OWASPArgon2id9MiB(), OWASPArgon2id7MiB(),
		OWASPScrypt128MiB(), OWASPScrypt64MiB(), OWASPScrypt32MiB(), OWASPScrypt16MiB(), OWASPScrypt8MiB(),
		OWASPBcrypt(), OWASPPBKDF2SHA256(), OWASPPBKDF2SHA512(),
	}
})

// asHardAs reports whether p is at least as costly as least in every number:
// Argon2i and Argon2d by Argon2id's.
func (p Policy) asHardAs(least Policy) bool {
	if p.Algorithm != least.Algorithm && !(p.Algorithm.argon2() && least.Algorithm.argon2()) {
		return false
	}
	return p.Cost >= least.Cost && p.Memory >= least.Memory && p.Iterations >= least.Iterations &&
		p.BlockSize >= least.BlockSize && p.Parallelism >= least.Parallelism
}

// meetsOWASP reports whether the filled p is as hard as one of OWASP's.
func (p Policy) meetsOWASP() bool {
	for _, least := range owasp() {
		if p.asHardAs(least) {
			return true
		}
	}
	return false
}
