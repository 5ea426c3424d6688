// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"math"

	"fount/password/internal/argon2"
	"fount/password/internal/format"
)

// calibratedMemory is how far Calibrate raises the memory.
const calibratedMemory = 64 << 10 // KiB

func argon2Algorithm(name string) algorithm {
	blocks := func(h *format.Hash) int64 { return max(int64(h.Memory), 8*int64(h.Parallelism)) }
	units := func(h *format.Hash) float64 { return float64(blocks(h)) * float64(h.Iterations) }
	memory := func(h *format.Hash) int64 { return blocks(h) << 10 }

	return algorithm{
		name:       name,
		costs:      []cost{{"m", memoryField}, {"t", iterationsField}, {"p", parallelismField}},
		units:      units,
		memory:     memory,
		seconds:    4.9 / (4 << 20),
		secondsAVX: 1. / (4 << 20),
		extra: func(h *format.Hash) float64 { // to begin a lane's part of a slice takes as long as four blocks
			return 16 * float64(h.Iterations) * float64(h.Parallelism)
		},
		family:  Argon2id,
		expense: func(h *format.Hash) (int64, float64) { return memory(h), units(h) },
		like:    Argon2id,
		sumLen:  32,
		form:    func(bool) (format.Form, byte) { return format.PHC, 0 },
		raises:  []raise{{memoryField, calibratedMemory, 1 << 10}, {iterationsField, math.MaxInt32, 1}},
		hasher:  func(s storedHash) nativeHasher { return &argon2Hash{s} },
	}
}

// An argon2Hash is a hash by RFC 9106.
type argon2Hash struct{ storedHash }

// A pepper is argon2's secret input K, so input and inspect have nothing to do with it.
func (a *argon2Hash) input(password []byte) input {
	return input{key: bytes.Clone(password), exact: true}
}

func (a *argon2Hash) inspect(*Info) {}

var argon2Modes = map[format.Algorithm]argon2.Mode{format.Argon2id: argon2.ID, format.Argon2i: argon2.I, format.Argon2d: argon2.D}

func (a *argon2Hash) sum(j *job) []byte {
	p := argon2.Params{
		Mode:   argon2Modes[a.parsed.Algorithm],
		Memory: a.parsed.Memory,
		Passes: a.parsed.Iterations,
		Lanes:  a.parsed.Parallelism,
		Secret: a.secret,
		Old:    a.parsed.Version != format.V19,
	}

	sum := make([]byte, len(a.parsed.Sum))
	if !p.Sum(sum, j.key, a.parsed.Salt, j.scratch.forArgon2(p.Blocks()), j.threads, j.gone) {
		return nil
	}
	return sum
}
