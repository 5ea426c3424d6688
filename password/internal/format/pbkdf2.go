// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// PBKDF2: passlib's modular form, $pbkdf2-sha256$29000$salt$sum in ab64, and PHC
// form, $pbkdf2-sha256$i=600000[,l=32][,keyid=azE]$salt$sum.

import (
	"errors"
	"strings"
)

var (
	errPBKDF2Sum    = errors.New("PBKDF2: want a sum as long as the digest, 32 or 64 bytes")
	errPBKDF2Length = errors.New("PBKDF2: l is not the length of the sum")
)

// parsePBKDF2 reads what follows "$pbkdf2-sha256$".
func parsePBKDF2(alg Algorithm, s string) (Hash, error) {
	head, sums, ok := strings.Cut(s, "$")
	if !ok {
		return Hash{}, errParts
	}
	h := Hash{Algorithm: alg}
	if strings.HasPrefix(head, "i=") {
		err := h.pbkdf2PHC(head, sums)
		return h, err
	}
	err := h.pbkdf2Modular(head, sums)
	return h, err
}

func (h *Hash) pbkdf2Modular(head, sums string) error {
	var ok bool
	h.Form = Modular
	if h.Iterations, ok = number(head); !ok {
		return errParameter
	}
	if err := h.sums(ab64, sums); err != nil {
		return err
	}
	if len(h.Sum) != h.DigestSize() {
		return errPBKDF2Sum
	}
	return nil
}

func (h *Hash) pbkdf2PHC(head, sums string) error {
	p := parameters{rest: head}
	h.Form = PHC
	h.Iterations = p.number("i")
	length := uint32(0)
	if strings.HasPrefix(p.rest, ",l=") {
		length = p.number("l")
	}
	h.KeyID = p.keyID()
	if err := p.end(); err != nil {
		return err
	}
	if err := h.sums(b64, sums); err != nil {
		return err
	}
	if length != 0 && length != uint32(len(h.Sum)) {
		return errPBKDF2Length
	}
	return nil
}

// DigestSize returns the size of PBKDF2's digest in bytes: one that is longer
// takes as many times the work.
func (h *Hash) DigestSize() int {
	if h.Algorithm == PBKDF2SHA512 {
		return 64
	}
	return 32
}

func (h *Hash) appendPBKDF2(b []byte) []byte {
	if h.Algorithm == PBKDF2SHA512 {
		b = append(b, "$pbkdf2-sha512$"...)
	} else {
		b = append(b, "$pbkdf2-sha256$"...)
	}
	if h.Form == Modular {
		return h.appendSums(appendNumber(b, "", h.Iterations), ab64)
	}
	b = appendNumber(b, "i=", h.Iterations)
	return h.appendSums(h.appendKeyID(b), b64)
}
