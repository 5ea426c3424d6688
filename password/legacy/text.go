// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// What the forms have in common as text. No error holds any of it.

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"fount/password"
	"fount/password/internal/format"
)

var (
	errParts  = errors.New("want another number of parts")
	errNumber = errors.New("a number is missing, too large, or not written as its maker does")
	errText   = format.ErrText
	errSizes  = errors.New("want a salt of at most 64 bytes and a sum of 16 to 64")
	errSalt   = errors.New("the salt is too long, or has characters that its maker does not write")
)

var std64 = base64.StdEncoding.Strict()

// A scan takes text apart. It keeps its first error, and returns zeros from then on.
type scan struct{ err error }

// want fails with err unless ok.
func (s *scan) want(ok bool, err error) {
	if !ok && s.err == nil {
		s.err = err
	}
}

// split returns the n parts of text, also after an error.
func (s *scan) split(text, by string, n int) []string {
	parts := strings.SplitN(text, by, n+1) // all that 10 kB may have would take 160
	if len(parts) != n {
		s.want(false, errParts)
		return make([]string, n)
	}
	return parts
}

// number reads a positive decimal number below 2^32 without sign or leading zeros.
func (s *scan) number(text string) uint32 {
	n, ok := format.Number(text)
	s.want(ok, errNumber)
	return n
}

// named reads numbers behind their names: "ln=14,r=8" behind "ln=" and "r=".
func (s *scan) named(text string, names ...string) []uint32 {
	numbers := make([]uint32, len(names))
	for i, part := range s.split(text, ",", len(names)) {
		n, ok := strings.CutPrefix(part, names[i])
		s.want(ok, errParts)
		numbers[i] = s.number(n)
	}
	return numbers
}

// base64 decodes the whole of text.
func (s *scan) base64(enc *base64.Encoding, text string) []byte {
	b, err := format.Decode(enc, text)
	s.want(err == nil, errText)
	return b
}

// hex decodes lower-case hexadecimal.
func (s *scan) hex(text string) []byte {
	b, err := hex.DecodeString(text)
	s.want(err == nil && text == strings.ToLower(text), errText)
	return b
}

// saltAndSum reads salt$sum of crypt(3), which writes so many characters of salt at most.
func (s *scan) saltAndSum(text string, most, size int) (salt, sum string) {
	salt, sum, ok := strings.Cut(text, "$")
	s.want(ok && len(sum) == size && format.InCrypt64(sum), errParts)
	s.want(len(salt) <= most && !strings.Contains(salt, ":"), errSalt)
	return salt, sum
}

// scrypt is a hash in PHC form.
func scrypt(n, r, p uint32, salt, sum []byte) (password.Parsed, error) {
	if n < 2 || n&(n-1) != 0 {
		return nil, errNumber
	}
	return phc("scrypt", fmt.Sprintf("ln=%d,r=%d,p=%d", bits.TrailingZeros32(n), r, p), salt, sum)
}

// phc is a hash that package password reads.
func phc(name, parameters string, salt, sum []byte) (password.Parsed, error) {
	return &password.Translated{Hash: phcText(name, parameters, salt, sum)}, nil
}

func phcText(name, parameters string, salt, sum []byte) string {
	return "$" + name + "$" + parameters + "$" +
		format.B64.EncodeToString(salt) + "$" + format.B64.EncodeToString(sum)
}

// known is a hash that package password reads, of the prepared password, behind a form's name.
func known(hash string, prepare func([]byte) []byte) (password.Parsed, error) {
	if hash == "" {
		return nil, errParts
	}
	parsed := &password.Translated{Hash: hash, Prepare: prepare}
	if strings.HasPrefix(hash, "$2") {
		parsed.Blank = blankBcrypt
	}
	return parsed, nil
}

// ending sets the Blank of what is parsed.
func ending(blank string) func(password.Parsed, error) (password.Parsed, error) {
	return func(parsed password.Parsed, err error) (password.Parsed, error) {
		switch parsed := parsed.(type) {
		case *password.Translated:
			parsed.Blank = blank
		case *password.Computed:
			parsed.Blank = blank
		}
		return parsed, err
	}
}

// blankBcrypt is a bcrypt's sum of zeros.
var blankBcrypt = strings.Repeat(".", 31)

// blank is the text of a sum as the text of zeros: "0" of hexadecimal, "A" of base64, "." of
// crypt(3)'s.
func blank(text, zero string) string {
	end := strings.TrimRight(text, "=")
	return strings.Repeat(zero, len(end)) + text[len(end):]
}

// blankFrom is the base64 of b with zeros in a part of it.
func blankFrom(b []byte, from, to int) string {
	b = bytes.Clone(b)
	clear(b[from:to])
	return std64.EncodeToString(b)
}
