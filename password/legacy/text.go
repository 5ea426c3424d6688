// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What the forms have in common as text. No error holds any of it.

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"fount/password"
)

var (
	errParts  = errors.New("want another number of parts")
	errNumber = errors.New("a number is missing, too large, or not written as its maker does")
	errText   = errors.New("salt or sum is not in the exact base64 or hexadecimal of the form")
	errSizes  = errors.New("want a salt of at most 64 bytes and a sum of 16 to 64")
	errSalt   = errors.New("the salt is too long, or has characters that its maker does not write")
)

// number reads a positive decimal number below 2^32 without sign or leading zeros.
func number(s string) (uint32, error) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || s[0] < '1' || s[0] > '9' {
		return 0, errNumber
	}
	return uint32(n), nil
}

// named reads numbers behind their names: "ln=14" and "r=8" behind "ln=" and "r=".
func named(parts []string, names ...string) ([]uint32, error) {
	if len(parts) != len(names) {
		return nil, errParts
	}
	numbers := make([]uint32, len(names))
	for i, part := range parts {
		text, ok := strings.CutPrefix(part, names[i])
		if !ok {
			return nil, errParts
		}
		var err error
		if numbers[i], err = number(text); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// split returns the n parts of s.
func split(s, by string, n int) ([]string, error) {
	parts := strings.SplitN(s, by, n+1) // a slice of all that 10 kB may have takes 160
	if len(parts) != n {
		return nil, fmt.Errorf("want %d parts with %s between them", n, by)
	}
	return parts, nil
}

// base64Of decodes the whole of s, which may have its padding or not.
func base64Of(enc *base64.Encoding, s string) ([]byte, error) {
	b, err := enc.Strict().DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") {
		return nil, errText
	}
	return b, nil
}

// ab64 is passlib's: '.' for '+', and no padding.
var ab64 = base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./").WithPadding(base64.NoPadding)

// hexOf decodes lower-case hexadecimal.
func hexOf(s string) ([]byte, error) {
	b, err := hex.DecodeString(s)
	if err != nil || s != strings.ToLower(s) {
		return nil, errText
	}
	return b, nil
}

// scrypt is a hash in PHC form.
func scrypt(n, r, p uint32, salt, sum []byte) (*password.Parsed, error) {
	if n < 2 || n&(n-1) != 0 {
		return nil, errNumber
	}
	return phc("scrypt", "ln="+digits(uint32(bits.TrailingZeros32(n)))+",r="+digits(r)+",p="+digits(p), salt, sum)
}

func digits(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// phc is a hash that package password reads.
func phc(name, parameters string, salt, sum []byte) (*password.Parsed, error) {
	return &password.Parsed{Hash: phcText(name, parameters, salt, sum)}, nil
}

func phcText(name, parameters string, salt, sum []byte) string {
	b64 := base64.RawStdEncoding
	return "$" + name + "$" + parameters + "$" + b64.EncodeToString(salt) + "$" + b64.EncodeToString(sum)
}

// known is a hash that package password reads, of the prepared password, behind the name of its form.
func known(hash string, prepare func([]byte) []byte) (*password.Parsed, error) {
	if hash == "" {
		return nil, errParts
	}
	parsed := &password.Parsed{Hash: hash, Prepare: prepare}
	if strings.HasPrefix(hash, "$2") {
		parsed.Blank = blankBcrypt
	}
	return parsed, nil
}

// blank is the text of a sum as the text of zeros: with "0" of hexadecimal, "A" of base64, and "." of crypt(3)'s.
func blank(text, zero string) string {
	end := strings.TrimRight(text, "=")
	return strings.Repeat(zero, len(end)) + text[len(end):]
}

// ending sets the Blank of what is parsed.
func ending(blank string) func(*password.Parsed, error) (*password.Parsed, error) {
	return func(parsed *password.Parsed, err error) (*password.Parsed, error) {
		if parsed != nil {
			parsed.Blank = blank
		}
		return parsed, err
	}
}

// blankBcrypt is a bcrypt's sum of zeros.
var blankBcrypt = strings.Repeat(".", 31)

// crypt64 writes six bits a character, the least significant first, as crypt(3) does.
const crypt64 = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func append64(b []byte, bits uint32, characters int) []byte {
	for range characters {
		b = append(b, crypt64[bits&63])
		bits >>= 6
	}
	return b
}

// inCrypt64 reports whether s has no other characters.
func inCrypt64(s string) bool { return strings.Trim(s, crypt64) == "" }
