// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"sync"

	"fount/internal/blowfish"
	"fount/password/internal/format"
)

const (
	bcryptMax    = 72 // bytes of a password that bcrypt uses
	bcryptSumLen = 23 // bytes: all implementations drop the last of 24
)

var bcryptAlgorithm = algorithm{
	name:       "bcrypt",
	costs:      []cost{{"cost", costField}},
	units:      func(h *format.Hash) float64 { return power(h.Cost) },
	memory:     noMemory,
	seconds:    0.054 / (1 << 10),
	secondsAVX: 0.054 / (1 << 10),
	family:     Bcrypt,
	expense:    func(h *format.Hash) (int64, float64) { return 0, power(h.Cost) },
	like:       Bcrypt,
	sumLen:     bcryptSumLen,
	form: func(key bool) (format.Form, byte) {
		if key {
			return format.HMACSHA384, 0
		}
		return format.Modular, 'b' // as are a and y today
	},
	raises:  []raise{{costField, 31, 1}},
	batches: true,
	hasher:  func(s storedHash) nativeHasher { return &bcryptHash{s} },
}

// A bcryptHash is a hash by Provos and Mazières, "A Future-Adaptable Password Scheme", 1999.
type bcryptHash struct{ storedHash }

// input returns the password as Blowfish takes it: the first 72 bytes and a NUL. Implementations of
// bcrypt differ:
//
//   - All use the first 72 bytes, or did when the stored hashes were made. (For $2a$, OpenBSD before
//     5.5 took lengths of 255 and more modulo 256.)
//   - Only x/crypto and Python's hash a NUL like any byte; they write $2a$ and $2b$. The others
//     end the password at a NUL, or refuse it, and only they write $2y$: with a NUL it matches
//     nothing, after the same work.
//
// The input is exact only below 72 bytes and without a NUL: 72 bytes may begin a longer password,
// and "a\x00a" is the same as "a".
func (b *bcryptHash) input(password []byte) (k input) {
	switch {
	case b.parsed.Form == format.PasslibSHA256:
		return input{key: append(preHash(sha256.New, []byte(b.parsed.BcryptSalt()), password), 0), exact: true}
	case b.secret != nil:
		return input{key: append(preHash(sha512.New384, b.secret, password), 0), exact: true}
	}

	hasNUL := bytes.IndexByte(password, 0) >= 0
	k.neverMatches = hasNUL && b.parsed.Minor == 'y'
	k.exact = !hasNUL && len(password) < bcryptMax
	k.truncated = len(password) > bcryptMax
	if k.truncated {
		password = password[:bcryptMax]
	}

	k.key = append(append(make([]byte, 0, bcryptMax+1), password...), 0)
	return k
}

// engines holds unused engines. They hold no secrets.
var engines = sync.Pool{New: func() any { return new(blowfish.Engine) }}

// laneOf returns the lane of a bcrypt.
func laneOf(j *job) blowfish.Lane {
	return blowfish.Lane{Key: j.key, Salt: [16]byte(j.hasher.(nativeHasher).hash().Salt), Gone: j.gone}
}

// runLanes computes bcrypts side by side, all with j's cost.
func runLanes(j *job, lanes []*blowfish.Lane) {
	e := engines.Get().(*blowfish.Engine)
	defer engines.Put(e)

	e.Run(int(j.hasher.(nativeHasher).hash().Cost), lanes)
}

func (b *bcryptHash) sum(j *job) []byte {
	lane := laneOf(j)
	runLanes(j, []*blowfish.Lane{&lane})
	if !lane.Done {
		return nil
	}
	return lane.Sum[:]
}

func (b *bcryptHash) checkPassword(password []byte) error {
	switch {
	case b.parsed.KeyID != "":
		return nil
	case len(password) > bcryptMax:
		return tooLong(password, bcryptMax, " for bcrypt without Keys")
	case bytes.IndexByte(password, 0) >= 0:
		return ErrNUL
	}
	return nil
}

func (b *bcryptHash) inspect(i *Info) {
	if b.parsed.Minor != 0 {
		i.Variant = "2" + string(rune(b.parsed.Minor))
	}

	switch {
	case b.parsed.Form == format.PasslibSHA256:
		i.PreHash = "HMAC-SHA-256"
	case b.parsed.KeyID != "":
		i.PreHash = "HMAC-SHA-384"
	}
	i.Truncates = i.PreHash == ""
}
