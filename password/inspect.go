// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fmt"
	"math"

	"fount/password/internal/format"
)

// Info is what a stored hash says about itself. It holds nothing of salt or sum.
type Info struct {
	Algorithm Algorithm `json:"-"`
	Name      string    `json:"algorithm"`         // Algorithm's
	Variant   string    `json:"variant,omitempty"` // bcrypt: "2a", "2b" or "2y"
	PreHash   string    `json:"prehash,omitempty"` // what the password becomes before: "HMAC-SHA-384" or -256
	KeyID     string    `json:"key_id,omitempty"`  // the pepper it names

	// As in Policy. A number too large for an int is the largest int.
	Cost        int `json:"cost,omitempty"`
	Memory      int `json:"memory_kib,omitempty"`
	Iterations  int `json:"iterations,omitempty"`
	BlockSize   int `json:"block_size,omitempty"`
	Parallelism int `json:"parallelism,omitempty"`

	SaltLen int   `json:"salt_bytes"`
	SumLen  int   `json:"sum_bytes"`
	Bytes   int64 `json:"memory_bytes"` // held while it is computed; 0 for bcrypt and PBKDF2

	Truncates  bool `json:"truncates"`   // only the password's first 72 bytes count
	OverLimits bool `json:"over_limits"` // the default Limits refuse it: ErrCost
	BelowOWASP bool `json:"below_owasp"` // cheaper than each of the policies named after OWASP
}

// Inspect takes a stored hash apart and computes nothing. The error is
// ErrMalformed.
func Inspect(encoded string) (Info, error) {
	h, err := format.Parse(encoded)
	if err != nil {
		return Info{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	i := Info{
		Algorithm:   Algorithm(h.Algorithm),
		Name:        Algorithm(h.Algorithm).String(),
		KeyID:       h.KeyID,
		Cost:        clampInt(h.Cost),
		Memory:      clampInt(h.Memory),
		Iterations:  clampInt(h.Iterations),
		BlockSize:   clampInt(h.BlockSize),
		Parallelism: clampInt(h.Parallelism),
		SaltLen:     len(h.Salt),
		SumLen:      len(h.Sum),
		OverLimits:  Limits{}.filled().check(&h) != nil,
	}
	if !i.OverLimits {
		i.Bytes = memoryOf(&h)
	}
	if h.Minor != 0 {
		i.Variant = "2" + string(rune(h.Minor))
	}
	switch {
	case h.Form == format.PasslibSHA256:
		i.PreHash = "HMAC-SHA-256"
	case h.KeyID != "" && !i.Algorithm.argon2():
		i.PreHash = "HMAC-SHA-384"
	}
	i.Truncates = i.Algorithm == Bcrypt && i.PreHash == ""
	i.BelowOWASP = !policyOf(&h).meetsOWASP()
	return i, nil
}

func clampInt(n uint32) int { return int(min(uint64(n), math.MaxInt)) }
