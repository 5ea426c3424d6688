// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"math"

	"fount/internal/turn"
	"fount/password/internal/format"
	"fount/password/internal/mac"
)

// pbkdf2Algorithm describes PBKDF2 with a digest. Its work is measured in OWASP's iterations for
// the digest.
func pbkdf2Algorithm(name string, like Algorithm, digest func() hash.Hash, owasp int, secondsAVX float64) algorithm {
	return algorithm{
		name:       name,
		costs:      []cost{{"i", iterationsField}},
		units:      func(h *format.Hash) float64 { return float64(h.Iterations) * float64(digestsOf(h)) },
		memory:     noMemory,
		seconds:    5. / 10_000_000,
		secondsAVX: secondsAVX,
		family:     PBKDF2SHA256,
		// A longer sum takes longer to verify, but not to attack.
		expense: func(h *format.Hash) (int64, float64) {
			return 0, float64(h.Iterations) / float64(owasp)
		},
		like:   like,
		sumLen: digest().Size(), // as the modular form wants
		// The form that most programs read, but for hashes with a key, which none reads.
		form: func(key bool) (format.Form, byte) {
			if key {
				return format.PHC, 0
			}
			return format.Modular, 0
		},
		raises:  []raise{{iterationsField, math.MaxInt32, 10_000}},
		extends: true,
		hasher:  func(s storedHash) nativeHasher { return &pbkdf2Hash{s, digest} },
	}
}

// Processors have instructions for SHA-256, not for SHA-512.
var (
	pbkdf2SHA256 = pbkdf2Algorithm("pbkdf2-sha256", PBKDF2SHA256, sha256.New, 600_000, 5./10_000_000/3)
	pbkdf2SHA512 = pbkdf2Algorithm("pbkdf2-sha512", PBKDF2SHA512, sha512.New, 220_000, 5./10_000_000)
)

// A pbkdf2Hash is a hash by RFC 8018, section 5.2.
type pbkdf2Hash struct {
	storedHash
	digest func() hash.Hash
}

// sum computes PBKDF2. crypto/pbkdf2 is as fast, but takes the password as a string, which can't be
// wiped, and does not yield.
func (p *pbkdf2Hash) sum(j *job) []byte {
	m := mac.New(p.digest, j.key)
	defer m.Wipe()

	var turn turn.Turn
	turn.Start(mac.LookEvery, j.gone)
	return m.PBKDF2(p.parsed.Salt, p.parsed.Iterations, len(p.parsed.Sum), &turn)
}

// goOn makes a wrong password take units: it computes the difference to j's own, and drops the sum.
// It returns false if the job is given up.
func (j *job) goOn(units float64) (finished bool) {
	h := *j.hasher.(nativeHasher).hash()
	h.Iterations = uint32(units - j.need.units)
	h.Sum = h.Sum[:format.MinSum]

	more := *j
	more.hasher = hasherOf(&h)
	return more.compute() != nil
}

func (p *pbkdf2Hash) inspect(i *Info) {
	p.storedHash.inspect(i)
	i.Digests = digestsOf(&p.parsed)
}

// digestsOf returns the length of the sum in digests, rounded up.
func digestsOf(h *format.Hash) int {
	return max(1, (len(h.Sum)+h.DigestSize()-1)/h.DigestSize())
}
