// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto"
	"errors"

	"fount/password"
)

var (
	errMD4    = errors.New("HMAC with MD4 is not read here: let its users set a new password")
	errFormat = errors.New("want {PASSWORD} one to eight times in pf, the format of what was hashed")
)

// kratosDigest returns the method of h over the stored string's format, with {PASSWORD} and {SALT}.
// https://github.com/ory/kratos/blob/master/hash/hash_comparator.go
func kratosDigest(h crypto.Hash) method {
	return method{size: h.Size(), hashOf: func(v *values) (password.Parsed, error) {
		var in input
		for rest := string(v.hash); rest != ""; {
			in, rest = in.next(rest, "{SALT}", "{PASSWORD}")
		}

		if n := in.count("{password}"); n < 1 || n > maxPasswords {
			return nil, errFormat
		}
		return in.hashOf(h, v)
	}}
}
