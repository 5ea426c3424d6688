// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// Numbers and bytes as text, for this package and package legacy.

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
)

const (
	ab64Alphabet   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./"
	bcryptAlphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	cryptAlphabet  = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// Encodings without padding: PHC's, passlib's, bcrypt's. All but the last refuse unused bits that
// are set.
var (
	B64           = base64.RawStdEncoding.Strict()
	AB64          = base64.NewEncoding(ab64Alphabet).WithPadding(base64.NoPadding).Strict()
	bcrypt64      = bcrypt64Loose.Strict()
	bcrypt64Loose = base64.NewEncoding(bcryptAlphabet).WithPadding(base64.NoPadding)
)

// ErrText is the error for salts and sums that are not strictly encoded.
var ErrText = errors.New("salt, sum or key ID is not exact base64 or hexadecimal of its form")

// Decode decodes s strictly. encoding/base64 skips line breaks even if it is strict; Decode refuses
// them.
func Decode(enc *base64.Encoding, s string) ([]byte, error) {
	b, err := enc.DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") {
		return nil, ErrText
	}
	return b, nil
}

// Number reads a positive decimal number below 2^32 without sign or leading zeros.
func Number(s string) (uint32, bool) {
	if s == "" || s[0] < '1' || s[0] > '9' { // ParseUint takes leading zeros
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 32)
	return uint32(n), err == nil
}

// InCrypt64 reports whether s has only characters of crypt(3)'s base 64.
func InCrypt64(s string) bool { return strings.Trim(s, cryptAlphabet) == "" }

// Crypt64 reads up to five characters of crypt(3)'s base 64, the least significant first.
func Crypt64(s string) (n uint32, ok bool) {
	for i, c := range []byte(s) {
		d := strings.IndexByte(cryptAlphabet, c)
		if d < 0 {
			return 0, false
		}
		n |= uint32(d) << (6 * i)
	}
	return n, true
}

// AppendCrypt64 appends the low bits of n as so many characters of six bits.
func AppendCrypt64(b []byte, n uint32, characters int) []byte {
	for range characters {
		b = append(b, cryptAlphabet[n&63])
		n >>= 6
	}
	return b
}

// EncodeCrypt64 writes three bytes as four characters, the first byte's bits first.
func EncodeCrypt64(bytes []byte) (text []byte) {
	for len(bytes) > 0 {
		var group [4]byte
		n := copy(group[:3], bytes)
		text = AppendCrypt64(text, binary.LittleEndian.Uint32(group[:]), n+1)
		bytes = bytes[n:]
	}
	return text
}

// DecodeCrypt64 is the inverse of EncodeCrypt64. It reads nothing that EncodeCrypt64 does not
// write.
func DecodeCrypt64(s string) (b []byte, ok bool) {
	for len(s) > 0 {
		group := s[:min(4, len(s))]
		s = s[len(group):]
		n, ok := Crypt64(group)
		if !ok || len(group) == 1 || n>>(8*(len(group)-1)) != 0 { // bits that no byte has
			return nil, false
		}
		for range len(group) - 1 {
			b = append(b, byte(n))
			n >>= 8
		}
	}
	return b, true
}
