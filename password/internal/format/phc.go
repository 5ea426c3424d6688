// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// The PHC string format: $name[$v=version]$name=value,...$salt$sum. The order of
// parameters is fixed, so that one hash has one text.
// https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md

import (
	"cmp"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
)

var (
	errParameter = errors.New("a parameter is missing, repeated, out of order, unknown or out of range")
	errKeyID     = errors.New("want a key ID of 1 to 8 printable ASCII characters")
)

// parameters are read from the front. After an error nothing more is.
type parameters struct {
	rest string
	err  error
	more bool // something was read before
}

// next returns the value of the parameter name, which must be the next one.
func (p *parameters) next(name string) string {
	if p.more {
		after, ok := strings.CutPrefix(p.rest, ",")
		if !ok {
			p.err = errParameter
		}
		p.rest = after
	}
	p.more = true
	after, ok := strings.CutPrefix(p.rest, name+"=")
	if !ok || p.err != nil {
		p.err = errParameter
		return ""
	}
	end := strings.IndexByte(after, ',')
	if end < 0 {
		end = len(after)
	}
	p.rest = after[end:]
	return after[:end]
}

// number is next as a number.
func (p *parameters) number(name string) uint32 {
	n, ok := number(p.next(name))
	if !ok {
		p.err = errParameter
	}
	return n
}

// keyID is next as an optional key ID.
func (p *parameters) keyID() string {
	if p.err != nil || !strings.HasPrefix(p.rest, ",keyid=") {
		return ""
	}
	id, err := decode(b64, p.next("keyid"))
	if err != nil {
		p.err = err
	} else if !ValidKeyID(string(id)) {
		p.err = errKeyID
	}
	return string(id)
}

// end returns the first error, or one if there is more to read.
func (p *parameters) end() error {
	if p.err == nil && p.rest != "" {
		return errParameter
	}
	return p.err
}

// number reads a positive decimal number below 2^32 without sign or leading
// zeros.
func number(s string) (uint32, bool) {
	if s == "" || s[0] < '1' || s[0] > '9' { // ParseUint takes leading zeros
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 32)
	return uint32(n), err == nil
}

// ValidKeyID reports whether id can name a key: 1 to 8 characters from '!' to
// '~'.
func ValidKeyID(id string) bool {
	for _, c := range []byte(id) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(id) >= 1 && len(id) <= MaxKeyID
}

// parsePHC reads what follows "$name$" or the version: the parameters that read
// takes, a key ID, salt and sum.
func parsePHC(alg Algorithm, s string, read func(*Hash, *parameters)) (Hash, error) {
	head, sums, ok := strings.Cut(s, "$")
	if !ok {
		return Hash{}, errParts
	}
	p := parameters{rest: head}
	h := Hash{Algorithm: alg, Form: PHC}
	read(&h, &p)
	h.KeyID = p.keyID()
	if err := cmp.Or(p.end(), h.Numbers()); err != nil {
		return Hash{}, err
	}
	err := h.sums(b64, sums)
	return h, err
}

// sums decodes "salt$sum", which must be all there is.
func (h *Hash) sums(enc *base64.Encoding, s string) (err error) {
	salt, sum, ok := strings.Cut(s, "$")
	if !ok || strings.Contains(sum, "$") {
		return errParts
	}
	if h.Salt, err = decode(enc, salt); err != nil {
		return err
	}
	if h.Sum, err = decode(enc, sum); err != nil {
		return err
	}
	return h.sizes()
}

func (h *Hash) appendSums(b []byte, enc *base64.Encoding) []byte {
	b = append(b, '$')
	b = enc.AppendEncode(b, h.Salt)
	b = append(b, '$')
	return enc.AppendEncode(b, h.Sum)
}

func appendNumber(b []byte, name string, n uint32) []byte {
	return strconv.AppendUint(append(b, name...), uint64(n), 10)
}

func (h *Hash) appendKeyID(b []byte) []byte {
	if h.KeyID == "" {
		return b
	}
	return b64.AppendEncode(append(b, ",keyid="...), []byte(h.KeyID))
}
