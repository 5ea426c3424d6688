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

// LDAP is what directory and mail servers keep in userPassword: of RFC 2307 and its successors {SSHA}, {SSHA256}, {SSHA384},
// {SSHA512} and {SMD5}, the same without salt, and {CRYPT} with what crypt(3) makes; OpenLDAP's {ARGON2} and {PBKDF2}, also with
// -SHA1, -SHA256 or -SHA512 behind it; Dovecot's names for crypt(3)'s, {SHA512-CRYPT}, {SHA256-CRYPT}, {MD5-CRYPT} and {BLF-CRYPT}, and
// its {ARGON2ID} and {ARGON2I}. The name's case does not matter.
func LDAP() password.Format { return form{"ldap", ldap} }

var ldapDigests = map[string]func() hash.Hash{
	"SHA": sha1.New, "SHA256": sha256.New, "SHA384": sha512.New384, "SHA512": sha512.New, "MD5": md5.New,
}

func ldap(encoded string) (*password.Parsed, error) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(encoded, "{"), "}")
	if !ok || encoded[0] != '{' {
		return nil, nil
	}
	switch name = strings.ToUpper(name); name {
	case "CRYPT", "SHA512-CRYPT", "SHA256-CRYPT", "MD5-CRYPT", "BLF-CRYPT":
		return crypt(rest)
	case "ARGON2", "ARGON2ID", "ARGON2I":
		return known(rest, nil)
	case "PBKDF2", "PBKDF2-SHA1":
		return passlibPBKDF2("sha1", rest)
	case "PBKDF2-SHA256", "PBKDF2-SHA512":
		return passlibPBKDF2(strings.ToLower(strings.TrimPrefix(name, "PBKDF2-")), rest)
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
	return ending(blankFrom(b, 0, size))(salted(newHash, nil, b[size:], b[:size]))
}

// crypt is what crypt(3) makes, of which package password reads bcrypt and scrypt itself.
func crypt(encoded string) (*password.Parsed, error) {
	for _, prefix := range []string{"$2a$", "$2b$", "$2y$", "$7$"} {
		if strings.HasPrefix(encoded, prefix) {
			return known(encoded, nil)
		}
	}
	for _, f := range []password.Format{MD5Crypt(), SHA256Crypt(), SHA512Crypt(), Yescrypt(), Bcrypt()} {
		if parsed, err := f.Parse(encoded); parsed != nil || err != nil {
			return parsed, err
		}
	}
	return nil, nil
}
