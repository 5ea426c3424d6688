// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/sha256"
	"crypto/sha512"
	"sync"

	"fount/internal/blowfish"
	"fount/internal/turn"
	"fount/password/internal/argon2"
	"fount/password/internal/format"
	"fount/password/internal/mac"
	"fount/password/internal/scrypt"
)

const bcryptSumLen = 23 // bytes: all implementations drop the last of 24

// engines are for bcrypts. They are empty between two of them.
var engines = sync.Pool{New: func() any { return blowfish.New() }}

// bcryptSum computes one bcrypt (Provos and Mazières, "A Future-Adaptable Password Scheme", 1999,
// section 4). It returns nil if nobody waits any more.
func (w *work) bcryptSum() []byte {
	e := engines.Get().(*blowfish.Engine)
	defer engines.Put(e)
	lane := blowfish.Lane{Key: w.key, Salt: [16]byte(w.hash.Salt), Gone: w.gone}
	e.Run(int(w.hash.Cost), []*blowfish.Lane{&lane})
	if !lane.Done {
		return nil
	}
	return lane.Sum[:]
}

var argon2Modes = map[Algorithm]argon2.Mode{Argon2id: argon2.ID, Argon2i: argon2.I, Argon2d: argon2.D}

// argon2Sum computes argon2 on as many goroutines as threads says. It returns nil if nobody waits
// any more.
func (w *work) argon2Sum() []byte {
	p := argon2.Params{
		Mode:   argon2Modes[Algorithm(w.hash.Algorithm)],
		Memory: w.hash.Memory,
		Passes: w.hash.Iterations,
		Lanes:  w.hash.Parallelism,
		Secret: w.secret,
		Old:    w.hash.Version != format.V19,
	}
	sum := make([]byte, len(w.hash.Sum))
	if !p.Sum(sum, w.key, w.hash.Salt, w.scratch.forArgon2(p.Blocks()), w.threads, w.gone) {
		return nil
	}
	return sum
}

// scryptSum computes scrypt. It returns nil if nobody waits any more.
func (w *work) scryptSum() []byte {
	p := scrypt.Params{Cost: int(w.hash.Cost), R: int(w.hash.BlockSize), P: int(w.hash.Parallelism)}
	var turn turn.Turn
	turn.Start(scrypt.LookEvery, w.gone)
	return p.Key(len(w.hash.Sum), w.key, w.hash.Salt, w.scratch.zeros(int(p.Memory())), &turn)
}

// pbkdf2Sum computes PBKDF2, and returns nil if nobody waits any more. crypto/pbkdf2 is as fast,
// takes the password as a string, which can't be wiped, and holds its core to the end.
func (w *work) pbkdf2Sum() []byte {
	digest := sha256.New
	if w.alg == PBKDF2SHA512 {
		digest = sha512.New
	}
	m := mac.New(digest, w.key)
	defer m.Wipe()
	var turn turn.Turn
	turn.Start(mac.LookEvery, w.gone)
	return m.PBKDF2(w.hash.Salt, w.hash.Iterations, len(w.hash.Sum), &turn)
}
