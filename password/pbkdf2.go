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

// pbkdf2Algorithm returns what is known of PBKDF2 with a digest. Work is measured by OWASP's
// iterations for the digest.
func pbkdf2Algorithm(name string, like Algorithm, digest func() hash.Hash, owasp int, usual float64) algorithm {
	return algorithm{
		name:    name,
		costs:   []cost{{"i", iterationsField}},
		units:   func(h *format.Hash) float64 { return float64(h.Iterations) * float64(digestsOf(h)) },
		memory:  noMemory,
		seconds: 5. / 10_000_000,
		usual:   usual,
		family:  PBKDF2SHA256,
		// A longer sum takes its owner longer, and an attacker not.
		expense: func(h *format.Hash) (int64, float64) {
			return 0, float64(h.Iterations) / float64(owasp)
		},
		like:   like,
		sumLen: digest().Size(), // the modular form has no shorter one
		// As most others can read it: none reads one with a key.
		form: func(key bool) (format.Form, byte) {
			if key {
				return format.PHC, 0
			}
			return format.Modular, 0
		},
		raises: []raise{{iterationsField, math.MaxInt32, 10_000}},
		grows:  true,
		kind:   func(s stored) own { return &pbkdf2Hash{s, digest} },
	}
}

// Processors have instructions for SHA-256, not for SHA-512.
var (
	pbkdf2SHA256 = pbkdf2Algorithm("pbkdf2-sha256", PBKDF2SHA256, sha256.New, 600_000, 5./10_000_000/3)
	pbkdf2SHA512 = pbkdf2Algorithm("pbkdf2-sha512", PBKDF2SHA512, sha512.New, 220_000, 5./10_000_000)
)

// A pbkdf2Hash is a hash by RFC 8018, section 5.2.
type pbkdf2Hash struct {
	stored
	digest func() hash.Hash
}

// sum computes PBKDF2. crypto/pbkdf2 is as fast, takes the password as a string, which can't be
// wiped, and holds its core to the end.
func (p *pbkdf2Hash) sum(w *work) []byte {
	m := mac.New(p.digest, w.key)
	defer m.Wipe()
	var turn turn.Turn
	turn.Start(mac.LookEvery, w.gone)
	return m.PBKDF2(p.of.Salt, p.of.Iterations, len(p.of.Sum), &turn)
}

// goOn computes, for nothing, what a wrong password takes beside its own hash, so that it takes as
// many units as one against the hash with the most iterations. It returns nil once nobody waits.
func (w *work) goOn(units float64) []byte {
	h := *w.kind.(own).hash()
	h.Iterations, h.Sum = uint32(units-w.need.units), h.Sum[:format.MinSum]
	more := *w
	more.kind = ownOf(&h)
	return more.compute()
}

func (p *pbkdf2Hash) inspect(i *Info) {
	p.stored.inspect(i)
	i.Digests = digestsOf(&p.of)
}

// digestsOf returns how many digests the sum is long; a policy's is one.
func digestsOf(h *format.Hash) int {
	return max(1, (len(h.Sum)+h.DigestSize()-1)/h.DigestSize())
}
