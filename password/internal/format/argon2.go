// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// Argon2 in PHC form: $argon2id$v=19$m=19456,t=2,p=1[,keyid=azE]$salt$sum.

import (
	"errors"
	"strings"
)

var (
	errArgon2Version = errors.New("argon2: want version 19, v=19")
)

// parseArgon2 reads what follows "$argon2id$".
func parseArgon2(alg Algorithm, s string) (Hash, error) {
	s, ok := strings.CutPrefix(s, "v=19$")
	if !ok {
		return Hash{}, errArgon2Version
	}
	return parsePHC(alg, s, func(h *Hash, p *parameters) {
		h.Memory = p.number("m")
		h.Iterations = p.number("t")
		h.Parallelism = p.number("p")
	})
}

func (h *Hash) appendArgon2(b []byte) []byte {
	switch h.Algorithm {
	case Argon2id:
		b = append(b, "$argon2id"...)
	case Argon2i:
		b = append(b, "$argon2i"...)
	case Argon2d:
		b = append(b, "$argon2d"...)
	}
	b = appendNumber(b, "$v=19$m=", h.Memory)
	b = appendNumber(b, ",t=", h.Iterations)
	b = appendNumber(b, ",p=", h.Parallelism)
	return h.appendSums(h.appendKeyID(b), b64)
}
