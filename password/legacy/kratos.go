// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto"
	"errors"
	"strings"

	"fount/password"
)

var (
	errMD4    = errors.New("HMAC with MD4 is not read here: let its users set a new password")
	errFormat = errors.New("want {PASSWORD} one to eight times in pf, the format of what was hashed")
)

// kratosDigest is h of the format that the string holds, in which {PASSWORD} and {SALT} stand for
// these and all else for itself.
// https://github.com/ory/kratos/blob/master/hash/hash_comparator.go
func kratosDigest(h crypto.Hash) method {
	return method{h.Size(), func(v *values) (password.Parsed, error) {
		var in input
		for s := v.hash; s != ""; {
			switch {
			case strings.HasPrefix(s, "{PASSWORD}"):
				in, s = append(in, piece{what: "{password}"}), s[len("{PASSWORD}"):]
			case strings.HasPrefix(s, "{SALT}"):
				in, s = append(in, piece{what: "{salt}"}), s[len("{SALT}"):]
			default:
				in, s = in.with(s[0]), s[1:]
			}
		}
		if n := in.count("{password}"); n < 1 || n > maxPasswords {
			return nil, errFormat
		}
		return in.parsed(h, v)
	}}
}

// kratosScrypt has N itself behind ln=. Another maker's logarithm is below 64.
var kratosScrypt = method{parsed: func(v *values) (password.Parsed, error) {
	if v.log2N < 6 {
		return nil, nil
	}
	return scrypt.parsed(v)
}}
