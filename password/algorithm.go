// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"math"
	"time"

	"fount/password/internal/format"
)

// An Algorithm turns a password into a sum, slowly.
type Algorithm uint8

// The algorithms. New hashes should use Argon2id or Bcrypt; Argon2i and Argon2d are for hashes that
// are stored already.
const (
	Bcrypt Algorithm = iota + 1
	Argon2id
	Argon2i
	Argon2d
	Scrypt
	PBKDF2SHA256
	PBKDF2SHA512

	// Foreign is any hash that a [Format] computes. It can be verified only: no Policy has it.
	Foreign
)

var _ = [1]struct{}{}[PBKDF2SHA512-Algorithm(format.PBKDF2SHA512)] // numbered as package format's

// An algorithm is what the package knows of an Algorithm, whatever the hash.
type algorithm struct {
	name  string // as it stands in stored hashes
	costs []cost // in their order

	units  func(h *format.Hash) float64 // proportional to time, among hashes of the algorithm
	memory func(h *format.Hash) int64   // bytes that computing h holds

	// How many seconds a unit takes on the machine of which Limits speaks, and on a processor with
	// AVX that computes a bcrypt of cost 10 in the same 54 ms: by the figures of portable code
	// estimates would be up to 6 times off.
	seconds, usual float64
	extra          func(h *format.Hash) float64 // units that a hash takes beside; nil: none

	// What an attacker needs for each password: see NeedsRehash. Algorithms of one family are
	// compared by it.
	family  Algorithm
	expense func(h *format.Hash) (memory int64, work float64)

	like   Algorithm                                  // whose OWASP policies measure it
	sumLen int                                        // of new hashes, in bytes
	form   func(key bool) (f format.Form, minor byte) // of new ones, with and without a key
	raises []raise                                    // what Policy.Calibrate raises, one after the other
	batch  bool                                       // hashes of one cost run side by side
	grows  bool                                       // one that goes on for longer is another hash
	kind   func(s stored) own
}

// took returns about how long h takes on the machine of which Limits speaks.
func (a *algorithm) took(h *format.Hash) time.Duration {
	units := a.units(h)
	if a.extra != nil {
		units += a.extra(h)
	}
	return time.Duration(min(units*a.seconds*1e9, longest))
}

// A cost is a parameter of an algorithm, by its name in stored hashes.
type cost struct {
	name  string
	field field
}

// A field is a number of a Policy and of a stored hash.
type field uint8

const (
	costField field = iota
	memoryField
	iterationsField
	blockSizeField
	parallelismField
)

func (f field) in(h *format.Hash) *uint32 {
	return [...]*uint32{&h.Cost, &h.Memory, &h.Iterations, &h.BlockSize, &h.Parallelism}[f]
}

// A raise is a cost that Calibrate raises, up to most, in steps.
type raise struct {
	field      field
	most, step int
}

func noMemory(*format.Hash) int64 { return 0 }

// power returns two to the power of cost, which a Format may set to any number.
func power(cost uint32) float64 { return math.Ldexp(1, int(min(cost, 1<<10))) }

// longest and largest stand for all that is more. Two together are no overflow, also where a
// float64 rounds up.
const longest, largest = math.MaxInt64 / 4, math.MaxInt64 / 4
