// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package format

// Binary data as text: three alphabets, none of them padded, all of them exact.

import (
	"encoding/base64"
	"errors"
	"strings"
)

const bcryptAlphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

var (
	// b64 is PHC's: RFC 4648, section 4, without padding. Unused bits are zero.
	b64 = base64.RawStdEncoding.Strict()

	// ab64 is passlib's: the same with '.' for '+'.
	ab64 = base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./").
		WithPadding(base64.NoPadding).Strict()

	bcrypt64Loose = base64.NewEncoding(bcryptAlphabet).WithPadding(base64.NoPadding) // drops unused bits
	bcrypt64      = bcrypt64Loose.Strict()
)

var errBase64 = errors.New("salt, sum or key ID is not exact base64 in the alphabet of its form")

// decode decodes the whole of s. encoding/base64 passes over line breaks, also
// where it is strict; no stored hash has any.
func decode(enc *base64.Encoding, s string) ([]byte, error) {
	if strings.ContainsAny(s, "\r\n") {
		return nil, errBase64
	}
	b, err := enc.DecodeString(s)
	if err != nil {
		return nil, errBase64
	}
	return b, nil
}
