// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fmt"
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

// algorithms is the one list of the algorithms. Each is described in the file of its name.
var algorithms = [...]algorithm{
	Bcrypt: bcryptAlgorithm,

	Argon2id: argon2Algorithm("argon2id"),
	Argon2i:  argon2Algorithm("argon2i"),
	Argon2d:  argon2Algorithm("argon2d"),

	Scrypt: scryptAlgorithm,

	PBKDF2SHA256: pbkdf2SHA256,
	PBKDF2SHA512: pbkdf2SHA512,

	Foreign: {name: "foreign"},
}

// String returns the name as in stored hashes, such as "argon2id".
func (a Algorithm) String() string {
	if a == 0 || int(a) >= len(algorithms) {
		return "unknown algorithm"
	}
	return algorithms[a].name
}

// makes reports whether new hashes can be made with a.
func (a Algorithm) makes() bool { return int(a) < len(algorithms) && algorithms[a].hasher != nil }

// An algorithm is what the package knows of an Algorithm.
type algorithm struct {
	name  string // as in stored hashes
	costs []cost // in their order

	units  func(h *format.Hash) float64 // proportional to time, among hashes of the algorithm
	memory func(h *format.Hash) int64   // bytes that computing h holds

	// The seconds that a unit takes on the machine that Limits speaks of, by portable code, and on
	// one with AVX that computes a bcrypt of cost 10 in the same 54 ms. With AVX the figures of
	// portable code would be up to 6 times too high.
	seconds, secondsAVX float64
	extra               func(h *format.Hash) float64 // additional units of a hash; may be nil

	// What an attacker needs for each password. Algorithms of one family are compared by it: see
	// NeedsRehash.
	family  Algorithm
	expense func(h *format.Hash) (memory int64, work float64)

	like    Algorithm                                  // OWASP's policies for this one are its measure
	sumLen  int                                        // of new hashes, in bytes
	form    func(key bool) (f format.Form, minor byte) // of new ones, with and without a key
	raises  []raise                                    // what Policy.Calibrate raises, in this order
	batches bool                                       // hashes of one cost run side by side
	extends bool                                       // a hash with more units begins with the work of this one
	hasher  func(s storedHash) nativeHasher
}

// time returns about how long h takes on the machine that Limits speaks of.
func (a *algorithm) time(h *format.Hash) time.Duration {
	units := a.units(h)
	if a.extra != nil {
		units += a.extra(h)
	}
	return time.Duration(min(units*a.seconds*1e9, maxDuration))
}

// A cost is a parameter of an algorithm, by its name in stored hashes.
type cost struct {
	name  string
	field field
}

// append appends ",name=n", as UnmarshalText and statistics have it.
func (c cost) append(text []byte, n uint32) []byte { return fmt.Appendf(text, ",%s=%d", c.name, n) }

// A field is a number of a Policy and of a stored hash.
type field uint8

const (
	costField field = iota
	memoryField
	iterationsField
	blockSizeField
	parallelismField
	fields // how many
)

func (f field) ofHash(h *format.Hash) *uint32 {
	return [...]*uint32{&h.Cost, &h.Memory, &h.Iterations, &h.BlockSize, &h.Parallelism}[f]
}

// A raise is a cost that Calibrate raises in steps, up to max.
type raise struct {
	field     field
	max, step int
}

func noMemory(*format.Hash) int64 { return 0 }

// power returns two to the power of cost, which a Format may set to any number.
func power(cost uint32) float64 { return math.Ldexp(1, int(min(cost, 1<<10))) }

// maxDuration and maxBytes stand for anything larger. The sum of two does not overflow, even if a
// float64 rounds up.
const maxDuration, maxBytes = math.MaxInt64 / 4, math.MaxInt64 / 4
