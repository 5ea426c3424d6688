// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Stored hashes without their sums.

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// bare returns the sum of a weak hash, and the string with zeros in the sum's place, which reads as the same hash otherwise.
// p is filled.
func (p Policy) bare(encoded string) (sum []byte, without string, err error) {
	if encoded == "" || p.Markers && isMarker(encoded) {
		return nil, "", fmt.Errorf("%w: there is no password", ErrStrong)
	}
	w, err := p.admit([]byte("x"), encoded)
	if err != nil {
		return nil, "", err
	}
	switch {
	case w.foreign != nil && w.foreign.other != nil:
		return nil, "", fmt.Errorf("password: a hash of this form can't be wrapped: two of Policy.Formats may have made it, %s and another; want one of them",
			formName(w.foreign.form))
	case w.inner != nil:
		return nil, "", fmt.Errorf("%w: it is wrapped", ErrStrong)
	case w.memory > 0:
		return nil, "", fmt.Errorf("%w: it takes memory", ErrStrong)
	case policyOf(&w.hash).meetsOWASP():
		return nil, "", fmt.Errorf("%w: it meets OWASP's minimum for %v", ErrStrong, w.alg)
	}
	sum = w.hash.Sum
	if isBlank(sum) {
		return sum, encoded, nil
	}
	for _, without := range withoutSum(encoded, sum) {
		if p.isBare(without, &w) {
			return sum, without, nil
		}
	}
	return nil, "", fmt.Errorf("password: a hash of this form can't be wrapped: its sum is not found in it, once, as text, in hexadecimal or in base64")
}

// isBare reports whether without is the hash of w but for a sum of zeros.
func (p Policy) isBare(without string, w *work) bool {
	b, err := p.admit([]byte("x"), without)
	if err != nil {
		return false
	}
	return isBlank(b.hash.Sum) && len(b.hash.Sum) == len(w.hash.Sum) && kindOf(&b) == kindOf(w) &&
		bytes.Equal(b.hash.Salt, w.hash.Salt)
}

// isBlank reports whether sum is zeros, or what stands for them where the sum is text.
func isBlank(sum []byte) bool {
	zeros := bytes.Count(sum, sum[:1]) == len(sum)
	return zeros && (sum[0] == 0 || sum[0] == '.' || sum[0] == '0')
}

// encodings are the ways to write a sum in base64: RFC 4648's two, passlib's, and bcrypt's.
var encodings = []*base64.Encoding{
	base64.RawStdEncoding, base64.RawURLEncoding,
	base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./").WithPadding(base64.NoPadding),
	base64.NewEncoding("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").WithPadding(base64.NoPadding),
}

// base64Text is what base64 is written in, with its padding.
const base64Text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

// withoutSum returns encoded with zeros in place of the sum, for each way in which the sum is in it once. It may be
// text, hexadecimal or base64, or in base64 behind or before a salt.
func withoutSum(encoded string, sum []byte) (all []string) {
	replace := func(text, zeros string) {
		if strings.Count(encoded, text) == 1 {
			all = append(all, strings.ReplaceAll(encoded, text, zeros))
		}
	}
	replace(string(sum), strings.Repeat(".", len(sum)))
	replace(string(sum), strings.Repeat("0", len(sum)))
	text := hex.EncodeToString(sum)
	replace(text, strings.Repeat("0", len(text)))
	replace(strings.ToUpper(text), strings.Repeat("0", len(text)))
	for _, enc := range encodings {
		replace(enc.EncodeToString(sum), enc.EncodeToString(make([]byte, len(sum))))
	}
	for _, field := range strings.FieldsFunc(encoded, func(c rune) bool { return !strings.ContainsRune(base64Text, c) }) {
		b, err := base64.StdEncoding.DecodeString(field)
		if err == nil && bytes.Count(b, sum) == 1 {
			replace(field, base64.StdEncoding.EncodeToString(bytes.ReplaceAll(b, sum, make([]byte, len(sum)))))
		}
	}
	return all
}
