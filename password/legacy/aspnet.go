// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"bytes"
	"crypto"
	"encoding/binary"
	"errors"

	"fount/password"
)

var errASPNET = errors.New("base64 as of ASP.NET Core Identity's version 3; want SHA-1, SHA-256 or SHA-512, " +
	"1 or more iterations, a salt of at most 64 bytes and a sum of 16 to 256")

// aspnet reads base64 of a version byte and the rest: for 0, 16 bytes of salt and 32 of sum; for 1,
// digest, iterations and the salt's size, four bytes each, and salt and sum.
func aspnet(hash string) (password.Parsed, error) {
	const v2, v3 = 1 + 16 + 32, 13
	b, err := decodeBase64(std64, hash)
	if err != nil || len(b) == 0 {
		return nil, nil
	}

	blank := func(from int) string {
		zeros := bytes.Clone(b)
		clear(zeros[from:])
		return std64.EncodeToString(zeros)
	}

	switch {
	case b[0] == 0 && len(b) == v2:
		return anyPBKDF2(crypto.SHA1, 1000).hashOf(&values{salt: b[1:17], sum: b[17:], blank: blank(17)})
	case b[0] != 1 || len(b) < v3 || !bytes.Equal(b[1:4], make([]byte, 3)):
		return nil, nil
	}

	digests := []crypto.Hash{crypto.SHA1, crypto.SHA256, crypto.SHA512}
	n := binary.BigEndian.Uint32(b[5:])
	salt := int64(binary.BigEndian.Uint32(b[9:]))
	if int(b[4]) >= len(digests) || n == 0 || salt > int64(len(b)-v3) {
		return nil, errASPNET
	}

	end := v3 + int(salt)
	return anyPBKDF2(digests[b[4]], n).hashOf(&values{salt: b[v3:end], sum: b[end:], blank: blank(end)})
}
