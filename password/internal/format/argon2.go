// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// Argon2 in PHC form: $argon2id$v=19$m=19456,t=2,p=1[,keyid=azE]$salt$sum. Node's argon2
// writes m, p, t.

import (
	"errors"
	"strings"
)

var (
	errArgon2Version = errors.New("argon2: want version 19 or 16, v=19 or v=16, or none, which means 16")
	errArgon2Salt    = errors.New("argon2: a salt of less than 8 bytes; want 8 to 64")
)

// parseArgon2 reads what follows "$argon2id$".
func parseArgon2(alg Algorithm, s string) (Hash, error) {
	version := V16X
	if after, ok := strings.CutPrefix(s, "v="); ok {
		switch {
		case strings.HasPrefix(after, "19$"):
			version = V19
		case strings.HasPrefix(after, "16$"):
			version = V16
		default:
			return Hash{}, errArgon2Version
		}
		s = after[len("19$"):]
	}
	h, err := parsePHC(alg, s, func(h *Hash, p *parameters) {
		h.Version = version
		h.Memory = p.number("m")
		if strings.HasPrefix(p.rest, ",p=") {
			h.Form = PHCNode
			h.Parallelism = p.number("p")
			h.Iterations = p.number("t")
			return
		}
		h.Iterations = p.number("t")
		h.Parallelism = p.number("p")
	})
	if err == nil && len(h.Salt) < MinSalt {
		err = errArgon2Salt
	}
	if err != nil {
		return Hash{}, err
	}
	return h, nil
}

var versions = [...]string{V19: "$v=19", V16: "$v=16", V16X: ""}

func (h *Hash) appendArgon2(b []byte) []byte {
	switch h.Algorithm {
	case Argon2id:
		b = append(b, "$argon2id"...)
	case Argon2i:
		b = append(b, "$argon2i"...)
	case Argon2d:
		b = append(b, "$argon2d"...)
	}
	b = appendNumber(append(b, versions[h.Version]...), "$m=", h.Memory)
	if h.Form == PHCNode {
		b = appendNumber(b, ",p=", h.Parallelism)
		b = appendNumber(b, ",t=", h.Iterations)
	} else {
		b = appendNumber(b, ",t=", h.Iterations)
		b = appendNumber(b, ",p=", h.Parallelism)
	}
	return h.appendSums(h.appendKeyID(b), b64)
}
