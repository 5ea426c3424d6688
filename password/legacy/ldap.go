// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"hash"
	"strings"

	"fount/password"
)

// LDAP is what directory servers keep in userPassword (RFC 2307 and its successors): {SSHA}, {SSHA256}, {SSHA384}, {SSHA512} and
// {SMD5}, the same without salt, and {CRYPT} with what crypt(3) makes. The name's case does not matter.
func LDAP() password.Format { return form{"ldap", ldap} }

var ldapDigests = map[string]func() hash.Hash{
	"SHA": sha1.New, "SHA256": sha256.New, "SHA384": sha512.New384, "SHA512": sha512.New, "MD5": md5.New,
}

func ldap(encoded string) (*password.Parsed, error) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(encoded, "{"), "}")
	if !ok || encoded[0] != '{' || len(name) > len("SSHA512") {
		return nil, nil
	}
	name = strings.ToUpper(name)
	if name == "CRYPT" {
		return crypt(rest)
	}
	newHash, plain := ldapDigests[name]
	if !plain {
		newHash = ldapDigests[strings.TrimPrefix(name, "S")]
	}
	if newHash == nil {
		return nil, nil
	}
	b, err := base64Of(base64.StdEncoding, rest)
	if err != nil {
		return nil, err
	}
	size := newHash().Size()
	if len(b) < size || plain != (len(b) == size) {
		return nil, errSizes
	}
	return salted(newHash, nil, b[size:], b[:size])
}

// crypt is what crypt(3) makes, of which package password reads bcrypt itself.
func crypt(encoded string) (*password.Parsed, error) {
	if strings.HasPrefix(encoded, "$2x$") {
		return Bcrypt().Parse(encoded)
	}
	if strings.HasPrefix(encoded, "$2") {
		return &password.Parsed{Hash: encoded}, nil
	}
	for _, f := range []password.Format{MD5Crypt(), SHA256Crypt(), SHA512Crypt()} {
		if parsed, err := f.Parse(encoded); parsed != nil || err != nil {
			return parsed, err
		}
	}
	return nil, nil
}
