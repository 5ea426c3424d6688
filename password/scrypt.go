// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fount/internal/turn"
	"fount/password/internal/format"
	"fount/password/internal/scrypt"
)

var scryptAlgorithm = algorithm{
	name:  "scrypt",
	costs: []cost{{"ln", costField}, {"r", blockSizeField}, {"p", parallelismField}},
	units: func(h *format.Hash) float64 {
		return float64(h.BlockSize) * float64(h.Parallelism) * power(h.Cost)
	},
	memory: func(h *format.Hash) int64 { // as scrypt.Params.Memory, which could overflow
		return int64(min(128*float64(h.BlockSize)*(power(h.Cost)+3), maxBytes))
	},
	seconds:    2. / (1 << 19) / 8,
	secondsAVX: 1. / (1 << 19) / 8,
	extra: func(h *format.Hash) float64 { // where N is small, PBKDF2 takes most of it
		return 8 * float64(h.BlockSize) * float64(h.Parallelism)
	},
	family: Scrypt,
	expense: func(h *format.Hash) (int64, float64) { // without the blocks, which differ with p alone
		return int64(h.BlockSize) << min(h.Cost, 31), float64(h.BlockSize) * float64(h.Parallelism) * power(h.Cost)
	},
	like:   Scrypt,
	sumLen: 32,
	form:   func(bool) (format.Form, byte) { return format.PHC, 0 },
	raises: []raise{{costField, 63, 1}},
	hasher: func(s storedHash) nativeHasher { return &scryptHash{s} },
}

// A scryptHash is a hash by RFC 7914.
type scryptHash struct{ storedHash }

func (s *scryptHash) sum(j *job) []byte {
	p := scrypt.Params{Cost: int(s.parsed.Cost), R: int(s.parsed.BlockSize), P: int(s.parsed.Parallelism)}

	var turn turn.Turn
	turn.Start(scrypt.LookEvery, j.gone)
	return p.Key(len(s.parsed.Sum), j.key, s.parsed.Salt, j.scratch.zeros(int(p.Memory())), &turn)
}
